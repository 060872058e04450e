// Whether the sidebar is open, and its place on the screen until its script is loaded.
import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";
import { useMedia } from "#web/lib/use-media.ts";

/** The person's choice; without one, the window's width decides. */
const chosen = localValue("sidebar", z.nullable(z.enum(["open", "icons"])), null);

/** Next to an open sidebar, a list with many columns needs a window of at least this width. */
const opensFrom = "(min-width: 90rem)";
/** In narrower windows it shows only icons. */
const mayOpenFrom = "(min-width: 80rem)";

export type SidebarState = {
  readonly mayOpen: boolean;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
};

export function useSidebar(): SidebarState {
  const hasRoom = useMedia(opensFrom);
  const mayOpen = useMedia(mayOpenFrom);
  const choice = useSyncExternalStore(chosen.subscribe, chosen.read, chosen.read);
  return {
    mayOpen,
    isOpen: mayOpen && (choice === null ? hasRoom : choice === "open"),
    setOpen: (isOpen) => chosen.write(isOpen ? "open" : "icons"),
  };
}

export function sidebarClass(isOpen: boolean): string {
  return `sticky top-(--top-bar) z-20 flex h-[calc(100dvh-var(--top-bar))] shrink-0 flex-col overflow-y-auto border-e border-border bg-surface px-2 py-2 no-print ${isOpen ? "w-60" : "w-15"}`;
}

/** Keeps the screen in its place while the entries are loading. */
export function SidebarRoom() {
  return <div className={sidebarClass(useSidebar().isOpen)} />;
}
