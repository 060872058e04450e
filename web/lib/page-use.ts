// Whether somebody uses this page: a tab that nobody touches renews its token without prolonging the session.

/** Opening a page is a use. */
let isUsed = true;

export function noticeUse(): void {
  isUsed = true;
}

/** Whether the page was used since the last call of this function. */
export function takeUse(): boolean {
  const was = isUsed;
  isUsed = false;
  return was;
}

for (const kind of ["pointerdown", "keydown"]) {
  globalThis.addEventListener?.(kind, noticeUse, { capture: true, passive: true });
}
