// Messages at the edge of the screen, one sentence each. This file only collects them; toaster.tsx shows them.

export type ToastOptions = {
  /** Undoes the action. The toast then stays longer. */
  readonly undo?: () => void;
};

export type ToastAct = { readonly label: string; readonly onAct: () => void };

/** `scan` and `taken`: why a scanned code was not used as usual, or that it was. The next such message replaces it. */
export type Toast = {
  readonly kind: "done" | "error" | "scan" | "taken";
  readonly message: string;
  readonly undo?: (() => void) | undefined;
  /** What can be done about it. */
  readonly act?: ToastAct | undefined;
};

let waiting: readonly Toast[] = [];
const listeners = new Set<() => void>();

function setWaiting(next: readonly Toast[]): void {
  waiting = next;
  for (const listener of listeners) {
    listener();
  }
}

function add(toast: Toast): void {
  setWaiting([...waiting, toast]);
}

/** Reports a completed action, on whatever screen is shown. */
export function showToast(message: string, { undo }: ToastOptions = {}): void {
  add({ kind: "done", message, undo });
}

/** Reports an error. It stays until it is dismissed. */
export function showErrorToast(message: string): void {
  add({ kind: "error", message });
}

/** Reports why a scanned code was not used as usual. */
export function showScanToast(message: string, act?: ToastAct): void {
  add({ kind: "scan", message, act });
}

/** Reports what a scanned code was taken for. */
export function showTakenToast(message: string): void {
  add({ kind: "taken", message });
}

/** The toasts that were not shown yet, oldest first. */
export const waitingToasts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Toast[] => waiting,
  /** Returns the waiting toasts. Each is returned once. */
  take(): readonly Toast[] {
    const taken = waiting;
    if (taken.length > 0) {
      setWaiting([]);
    }
    return taken;
  },
};
