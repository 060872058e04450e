// The browser's entry point: the style sheet, the theme, the app.
import "./ui/base.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "#web/shell/app.tsx";
import { followStoredTheme } from "./lib/theme.ts";
import { paths } from "./paths.ts";
import { preloadScreens } from "./screens.ts";
import { sessionRestored } from "#web/shared/account/session.tsx";
import { guardFromScans } from "./ui/scan-guard.ts";
import { giveScan } from "./ui/scan-takers.ts";
import { showScanToast } from "./ui/toast.ts";
import { guardHistory } from "./ui/typed-forms.ts";

/** After this the app says itself what it is waiting for. */
const patienceMs = 10_000;

followStoredTheme();
guardHistory();
guardFromScans(({ code }, isKept) => {
  const shown = code.slice(0, 24);
  if (isKept) {
    showScanToast(`Scanned ${shown}. Press Enter to save.`);
  } else if (!giveScan(code)) {
    showScanToast(`Scan ignored here: ${shown}`);
  }
});

/** When the session is known and the screen's script is there, or both take too long. */
async function readyToShow(): Promise<void> {
  const patience = new Promise((resolve) => {
    setTimeout(resolve, patienceMs);
  });
  // The till also opens without the server.
  const session = location.pathname === paths.pos ? undefined : sessionRestored;
  await Promise.race([Promise.all([preloadScreens(), session]), patience]);
}

const root = document.getElementById("root");
if (root === null) {
  throw new Error("index.html has no #root");
}
const app = (
  <StrictMode>
    <App />
  </StrictMode>
);
if ("drawn" in root.dataset) {
  // The whole page is there already and its links work, so it is painted first.
  requestAnimationFrame(() =>
    setTimeout(() => void readyToShow().then(() => hydrateRoot(root, app))),
  );
} else {
  // Until then the page shows a shell of this screen, which the first rendering replaces.
  void readyToShow().then(() => createRoot(root).render(app));
}
