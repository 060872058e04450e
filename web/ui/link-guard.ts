// Protects typed text from links to other screens. Apart from `leave-guard.ts`, which every visitor loads.
import { useEffect, useEffectEvent } from "react";

/** Asks whether to leave. `leave` then follows the link. */
type Ask = (leave: () => void) => void;

/** Of all forms with typed text, the topmost last. */
const asks: Ask[] = [];
let isLeaving = false;

/** The link waits for the answer, and is then clicked again. */
function onClick(event: MouseEvent): void {
  const ask = asks.at(-1);
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (
    isLeaving ||
    ask === undefined ||
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
  ask(() => {
    isLeaving = true;
    link.click();
    isLeaving = false;
  });
}

function add(ask: Ask): () => void {
  if (asks.length === 0) {
    globalThis.addEventListener("click", onClick, true);
  }
  asks.push(ask);
  return () => {
    asks.splice(asks.indexOf(ask), 1);
    if (asks.length === 0) {
      globalThis.removeEventListener("click", onClick, true);
    }
  };
}

/** While `isDirty`, a link to another screen asks first. */
export function useLinkGuard(isDirty: boolean, ask: Ask): void {
  const onLeave = useEffectEvent(ask);
  useEffect(() => (isDirty ? add((leave) => onLeave(leave)) : undefined), [isDirty]);
}
