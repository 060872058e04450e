// Light or dark: stored locally, set as `data-theme` on the document, the same in every tab.
import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { localValue } from "./local-store.ts";

export type Theme = "light" | "dark";

const stored = localValue<Theme>("theme", z.enum(["light", "dark"]), "light");

/** Colors of controls fade on hover, but a hundred of them fading into another theme would stutter. */
function show(): void {
  const { documentElement } = document;
  const { dataset } = documentElement;
  dataset["themeChanging"] = "";
  dataset["theme"] = stored.read();
  document
    .querySelector("[name=theme-color]")
    ?.setAttribute(
      "content",
      getComputedStyle(documentElement).getPropertyValue("--color-surface"),
    );
  requestAnimationFrame(() => requestAnimationFrame(() => delete dataset["themeChanging"]));
}

/** Keeps the document in the stored theme, even if another tab changes it. */
export function followStoredTheme(): void {
  show();
  stored.subscribe(show);
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  // A page that the server drew has the button for the light theme.
  return [useSyncExternalStore(stored.subscribe, stored.read, () => "light"), stored.write];
}
