// Returns the focus to where it was when a focused toast disappears, so that a person who pressed Undo continues there.
import { useEffect, type RefObject } from "react";
import { focusHeading, isFocusLost } from "./focus-heading.ts";

/** Watches the toasts' container until the returned function is called. */
function watch(frame: Element): () => void {
  let before: HTMLElement | "nothing" | undefined;
  const isInside = (target: EventTarget | null) => target instanceof Node && frame.contains(target);
  const onFocus = ({ target, relatedTarget }: FocusEvent) => {
    if (!isInside(target)) {
      before = undefined;
    } else if (!isInside(relatedTarget)) {
      before = relatedTarget instanceof HTMLElement ? relatedTarget : "nothing";
    }
  };
  const observer = new MutationObserver(() => {
    if (before !== undefined && isFocusLost()) {
      if (before !== "nothing" && before.isConnected) {
        before.focus({ preventScroll: true });
      } else {
        focusHeading();
      }
    }
  });
  observer.observe(frame, { childList: true });
  document.addEventListener("focusin", onFocus);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", onFocus);
  };
}

export function useToastFocus(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => (frame.current === null ? undefined : watch(frame.current)), [frame]);
}
