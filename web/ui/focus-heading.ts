// Moves a lost focus to the screen's heading, if there is nothing closer to focus.

/** True if nothing has the focus. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Moves the focus to the heading of the screen. */
export function focusHeading(): void {
  const heading = document.querySelector("h1");
  if (heading !== null) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}
