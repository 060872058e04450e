// Keeps the focus among some buttons when the pressed one disappears or can no longer be pressed.
import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import { focusHeading, isFocusLost } from "./focus-heading.ts";

/** Which of the buttons that can be pressed now follows the one that had this index. */
type Next = (buttons: readonly HTMLElement[], index: number) => HTMLElement | null | undefined;

function buttonsIn(frame: HTMLElement | null): HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
}

/** The button that moved up into the place, or the one before it. */
export const sameIndex: Next = (buttons, index) => buttons[index] ?? buttons.at(-1);

/** The main button, which is the last one. */
export const lastOne: Next = (buttons) => buttons.at(-1);

/** Set the returned ref on what contains the buttons. While busy, nothing moves. */
export function useFocusKept<Frame extends HTMLElement>(
  isBusy: boolean,
  next: Next,
): RefObject<Frame | null> {
  const frame = useRef<Frame>(null);
  const last = useRef(-1);
  const mend = useEffectEvent(() => {
    const isLost = isFocusLost() || document.activeElement?.matches(":disabled") === true;
    if (!isBusy && last.current >= 0 && isLost) {
      next(buttonsIn(frame.current), last.current)?.focus({ preventScroll: true });
    }
  });
  useEffect(() => mend());
  useEffect(() => {
    const note = ({ target }: Event) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button") : null;
      last.current = button === null ? -1 : buttonsIn(frame.current).indexOf(button);
    };
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", note);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", note);
      if (last.current >= 0) {
        requestAnimationFrame(() => (isFocusLost() ? focusHeading() : undefined));
      }
    };
  }, []);
  return frame;
}
