// Where the browser begins: the style sheet, the theme, the app.
import "./ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { followStoredTheme } from "./lib/theme.ts";
import { preloadScreens } from "./screens.ts";
import { guardHistory } from "./ui/leave-guard.ts";

followStoredTheme();
guardHistory();
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
