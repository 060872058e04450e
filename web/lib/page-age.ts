// Whether this page is older than the store: the server has a newer web app, or answers what this page cannot read.

let isOlder = false;
const listeners = new Set<() => void>();

export function noticeOlderPage(): void {
  isOlder = true;
  for (const listener of listeners) {
    listener();
  }
}

/** `served` is the build of the page that the server has now; null if it does not say. */
export function compareBuild(served: string | null): void {
  if (served !== null && !isOlder) {
    const { build } = document.documentElement.dataset;
    if (build !== undefined && build !== served) {
      noticeOlderPage();
    }
  }
}

export function isOlderPage(): boolean {
  return isOlder;
}

export function whenOlderPage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
