// Keeps the focus in an open drawer when the pressed button disappears: the drawer itself gets it, as when it was opened.
import { afterFrames } from "./after-frames.ts";
import { isFocusLost } from "./focus-heading.ts";

/** Watches a drawer until the returned function is called. */
export function keepFocusIn(drawer: HTMLElement): () => void {
  let isInside = true;
  // Menus, dialogs and toasts above the drawer are neither in it nor in the root: they do not end its turn.
  const note = ({ target }: Event) => {
    if (target instanceof Element && drawer.contains(target)) {
      isInside = true;
    } else if (target instanceof Element && target.closest("#root") !== null) {
      isInside = false;
    }
  };
  const mend = () => {
    if (isInside && isFocusLost() && drawer.isConnected) {
      drawer.focus({ preventScroll: true });
    }
  };
  // After a closing dialog has returned the focus, and after a list in the drawer (RowFocus) has moved it.
  const observer = new MutationObserver(() => {
    afterFrames(3, mend);
  });
  observer.observe(drawer, { childList: true, subtree: true });
  observer.observe(document.body, { childList: true });
  document.addEventListener("focusin", note);
  document.addEventListener("pointerdown", note);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", note);
    document.removeEventListener("pointerdown", note);
  };
}
