// Keeps the till's field ready: whatever has the focus, the next typed or scanned character goes into the field.
import { useEffect, type RefObject } from "react";
import { askScan, changeQuantity, pay, payBy } from "./till.ts";

const elsewhere =
  'input:not([type="range"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"]';

function isBusyElsewhere(field: HTMLElement): boolean {
  const active = document.activeElement;
  return active !== null && active !== field && active.closest(elsewhere) !== null;
}

/** On touch devices, focusing a field opens the keyboard, so the person has to tap it. */
export function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** Space and Enter belong to a focused button. */
function belongsToControl({ key, target }: KeyboardEvent): boolean {
  return (
    key === " " && target instanceof HTMLElement && target.closest("button, a, summary") !== null
  );
}

export function useScanFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const focus = (): void => field.current?.focus({ preventScroll: true });

    document.addEventListener(
      "keydown",
      (event) => {
        const input = field.current;
        if (input === null || document.activeElement === input || isBusyElsewhere(input)) {
          return;
        }
        const acts: Readonly<Record<string, () => void>> = {
          F2: () => askScan(),
          F4: () => changeQuantity(input.value),
          F7: () => void payBy("other", input.value),
          F8: () => void payBy("card", input.value),
          F9: () => void pay(input.value),
        };
        const act = acts[event.key];
        if (act !== undefined) {
          event.preventDefault();
          focus();
          act();
        } else if (
          event.key.length === 1 &&
          !(event.ctrlKey || event.metaKey || event.altKey) &&
          !belongsToControl(event)
        ) {
          // Runs before the character is inserted, so that it goes to the newly focused field.
          focus();
        }
      },
      { signal, capture: true },
    );
    // A button pressed with the mouse returns the focus. One reached with Tab keeps it.
    document.addEventListener(
      "pointerup",
      (event) => {
        const isSelecting = getSelection()?.type === "Range";
        if (event.pointerType === "mouse" && field.current !== null && !isSelecting) {
          setTimeout(() => {
            if (field.current !== null && !isBusyElsewhere(field.current)) {
              focus();
            }
          });
        }
      },
      { signal },
    );
    // The focused element is gone: a removed line or a closed dialog.
    document.addEventListener(
      "focusout",
      (event) => {
        if (event.relatedTarget === null && document.hasFocus() && !isTouch()) {
          setTimeout(() => {
            if (document.activeElement === document.body) {
              focus();
            }
          });
        }
      },
      { signal },
    );
    return () => ended.abort();
  }, [field]);
}
