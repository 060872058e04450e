// Protects typed text when the person leaves: Back, Forward, links, keys and the palette ask in a dialog, reload and closing the tab in the browser's own.
import { useEffect, useEffectEvent } from "react";
import { typedForms, type TypedForm } from "./typed-forms.ts";

/** The number of the history entry that the forms keep. The router counts its entries in their state. */
let keptIndex: number | undefined;
/** True on the way to where a person chose to leave to. */
let isLeaving = false;

function entryIndex(): number | undefined {
  const state: unknown = globalThis.history.state;
  const index: unknown =
    typeof state === "object" && state !== null ? Reflect.get(state, "idx") : undefined;
  return typeof index === "number" ? index : undefined;
}

/** Goes on at once if no typed text would be lost, otherwise when the topmost form's question is answered so. */
export function askBeforeLeaving(leave: () => void): void {
  const form = typedForms.at(-1);
  if (form === undefined) {
    leave();
  } else {
    form.ask(leave);
  }
}

/** Returns to the kept entry, and lets the topmost form ask. */
function onPopState(event: PopStateEvent): void {
  const index = entryIndex();
  if (isLeaving || index === undefined || keptIndex === undefined) {
    isLeaving = false;
    return;
  }
  event.stopImmediatePropagation();
  const steps = index - keptIndex;
  // Zero means that this event is the return to the kept entry.
  if (steps !== 0) {
    globalThis.history.go(-steps);
    askBeforeLeaving(() => {
      isLeaving = true;
      globalThis.history.go(steps);
    });
  }
}

/** A link to another screen waits for the answer, and is then clicked again. */
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (
    isLeaving ||
    !(link instanceof HTMLAnchorElement) ||
    link.target !== "" ||
    link.download !== "" ||
    link.origin !== location.origin ||
    link.pathname === location.pathname ||
    opensElsewhere
  ) {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  askBeforeLeaving(() => {
    isLeaving = true;
    link.click();
    isLeaving = false;
  });
}

function onBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function add(form: TypedForm): () => void {
  if (typedForms.length === 0) {
    keptIndex = entryIndex();
    isLeaving = false;
    globalThis.addEventListener("beforeunload", onBeforeUnload);
    globalThis.addEventListener("click", onClick, true);
  }
  typedForms.push(form);
  return () => {
    typedForms.splice(typedForms.indexOf(form), 1);
    if (typedForms.length === 0) {
      globalThis.removeEventListener("beforeunload", onBeforeUnload);
      globalThis.removeEventListener("click", onClick, true);
    }
  };
}

/** While `isDirty`, whatever leaves the screen asks first. */
export function useLeaveGuard(isDirty: boolean, ask: TypedForm["ask"]): void {
  const onLeave = useEffectEvent(ask);
  useEffect(
    () => (isDirty ? add({ ask: (leave) => onLeave(leave), onPopState }) : undefined),
    [isDirty],
  );
}
