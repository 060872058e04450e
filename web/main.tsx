// The browser's entry point: the style sheet, the theme, the app.
import "./ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#web/shell/app.tsx";
import { followStoredTheme } from "./lib/theme.ts";
import { preloadScreens } from "./screens.ts";
import { guardHistory } from "./ui/leave-guard.ts";
import { guardFromScans } from "./ui/scan-guard.ts";
import { giveScan } from "./ui/scan-takers.ts";
import { showScanToast } from "./ui/toast.ts";

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
preloadScreens();

const root = document.getElementById("root");
if (root === null) {
  throw new Error("index.html has no #root");
}
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
