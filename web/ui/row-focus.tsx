// Keeps the focus in a list when the focused row or its button disappears: the next row's main button gets it, or the heading
// (in a drawer, the drawer) after the last one.
import { useEffect, useRef, type ReactNode } from "react";
import { afterFrames } from "./after-frames.ts";
import { focusHeading, isFocusLost } from "./focus-heading.ts";

type RowFocusProps = {
  /** Which of a row's buttons is the main one, as a selector. */
  readonly main?: string;
  /** The list. */
  readonly children: ReactNode;
};

const rowSelector = "tbody tr, li";

function mainButtonsIn(frame: Element, main: string): HTMLElement[] {
  return [...frame.querySelectorAll(rowSelector)].flatMap((row) => {
    const button = row.querySelector<HTMLElement>(main);
    return button === null ? [] : [button];
  });
}

/** A drawer has the focus itself when it is opened. */
function focusAround(frame: Element): void {
  const drawer = frame.closest<HTMLElement>("[role=dialog]");
  if (drawer === null) {
    focusHeading();
  } else {
    drawer.focus({ preventScroll: true });
  }
}

/** Watches a list until the returned function is called. */
function watch(frame: Element, main: string): () => void {
  let row: Element | undefined;
  let focused: Element | undefined;
  let index = -1;
  const note = () => {
    if (focused?.isConnected === true) {
      index = mainButtonsIn(frame, main).findIndex((button) => row?.contains(button));
    }
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) {
      return;
    }
    if (frame.contains(target)) {
      // A list inside a row has no main buttons of its own.
      row =
        target.closest(`:is(${rowSelector}):has(${main})`) ??
        target.closest(rowSelector) ??
        undefined;
      focused = row === undefined ? undefined : target;
      note();
    } else if (target.closest("#root") !== null) {
      // The person moved the focus elsewhere. Menus, dialogs and toasts are rendered outside the root.
      focused = undefined;
    }
  };
  const mend = () => {
    if (focused?.isConnected === false && isFocusLost()) {
      const buttons = mainButtonsIn(frame, main);
      focused = undefined;
      const next = buttons[Math.min(Math.max(index, 0), buttons.length - 1)];
      if (next === undefined) {
        focusAround(frame);
      } else {
        next.focus({ preventScroll: true });
      }
    }
  };
  // A closing dialog returns the focus later. Only a focus that is lost after that is moved.
  const observer = new MutationObserver(() => {
    note();
    afterFrames(2, mend);
  });
  observer.observe(frame, { childList: true, subtree: true });
  observer.observe(document.body, { childList: true });
  document.addEventListener("focusin", onFocus);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", onFocus);
  };
}

/** The same for a list that is drawn before this script is there: put it next to the list, in an element around both. */
export function RowFocusBeside({ main }: { readonly main: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const frame = place.current?.parentElement ?? null;
    return frame === null ? undefined : watch(frame, main);
  }, [main]);
  return <span ref={place} hidden />;
}

export function RowFocus({ main = "button:not([role=checkbox])", children }: RowFocusProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => (frame.current === null ? undefined : watch(frame.current, main)), [main]);
  return <div ref={frame}>{children}</div>;
}
