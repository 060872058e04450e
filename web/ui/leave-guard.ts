// Protects typed text when the person leaves: Back and Forward ask in a dialog, reload and closing the tab in the browser's own. Links: `link-guard.ts`.
import { useEffect, useEffectEvent } from "react";

/** Asks whether to leave. `leave` then goes where the person wanted to go. */
type Ask = (leave: () => void) => void;

type Guard = { readonly ask: Ask };

/** All forms with typed text, the topmost last. */
const guards: Guard[] = [];
/** The number of the history entry that the guards keep. The router counts its entries in their state. */
let keptIndex: number | undefined;
let isLeaving = false;

function entryIndex(): number | undefined {
  const state: unknown = globalThis.history.state;
  const index: unknown =
    typeof state === "object" && state !== null ? Reflect.get(state, "idx") : undefined;
  return typeof index === "number" ? index : undefined;
}

/** Runs before the router's listener: returns to the kept entry, and lets the topmost dialog ask. */
function onPopState(event: PopStateEvent): void {
  const index = entryIndex();
  const guard = guards.at(-1);
  if (isLeaving || guard === undefined || index === undefined || keptIndex === undefined) {
    isLeaving = false;
    return;
  }
  event.stopImmediatePropagation();
  const steps = index - keptIndex;
  // Zero means that this event is the return to the kept entry.
  if (steps !== 0) {
    globalThis.history.go(-steps);
    guard.ask(() => {
      isLeaving = true;
      globalThis.history.go(steps);
    });
  }
}

function onBeforeUnload(event: BeforeUnloadEvent): void {
  if (guards.length > 0) {
    event.preventDefault();
  }
}

function add(guard: Guard): () => void {
  if (guards.length === 0) {
    keptIndex = entryIndex();
    globalThis.addEventListener("beforeunload", onBeforeUnload);
  }
  guards.push(guard);
  return () => {
    guards.splice(guards.indexOf(guard), 1);
    if (guards.length === 0) {
      globalThis.removeEventListener("beforeunload", onBeforeUnload);
    }
  };
}

/** Whether leaving the screen would lose typed text. */
export function hasTypedText(): boolean {
  return guards.length > 0;
}

/** Call it once before the router starts. Of the window's listeners, the first one added runs first, capturing or not. */
export function guardHistory(): void {
  globalThis.addEventListener("popstate", onPopState);
}

/** While `isDirty`, Back, reload and closing the tab ask first. */
export function useLeaveGuard(isDirty: boolean, ask: Ask): void {
  const onLeave = useEffectEvent(ask);
  useEffect(() => (isDirty ? add({ ask: (leave) => onLeave(leave) }) : undefined), [isDirty]);
}
