// What just happened, in one sentence at the edge of the screen. This file only takes the sentences; toaster.tsx shows them.

export type ToastOptions = {
  /** Takes it back. The toast then stays longer. */
  readonly undo?: () => void;
};

/** `scan`: a scanned code was not used here. The next such note takes its place. */
export type Toast = {
  readonly kind: "done" | "error" | "scan";
  readonly message: string;
  readonly undo: (() => void) | undefined;
};

let waiting: readonly Toast[] = [];
const listeners = new Set<() => void>();

function setWaiting(next: readonly Toast[]): void {
  waiting = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Says that something was done, whatever screen is shown. */
export function showToast(message: string, { undo }: ToastOptions = {}): void {
  setWaiting([...waiting, { kind: "done", message, undo }]);
}

/** Says what went wrong. It stays until somebody dismisses it. */
export function showErrorToast(message: string): void {
  setWaiting([...waiting, { kind: "error", message, undo: undefined }]);
}

/** Says what became of a scanned code. */
export function showScanToast(message: string): void {
  setWaiting([...waiting, { kind: "scan", message, undo: undefined }]);
}

/** The toasts that nobody has shown yet, oldest first. */
export const waitingToasts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Toast[] => waiting,
  /** Hands them over; each is handed over once. */
  take(): readonly Toast[] {
    const taken = waiting;
    if (taken.length > 0) {
      setWaiting([]);
    }
    return taken;
  },
};
