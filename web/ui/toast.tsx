// What just happened, said once at the edge of the screen; with Undo where a compensating event exists.
import { CircleCheck, OctagonAlert, TriangleAlert, X } from "lucide-react";
import { useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { useToastFocus } from "./toast-focus.ts";

export type ToastOptions = {
  /** Takes it back; the toast then stays longer. */
  readonly undo?: () => void;
  /** Nothing was done: it is about something that came, and the next of its kind takes its place. */
  readonly topic?: "scan";
};

type Toast = ToastOptions & { readonly id: number; readonly message: string };

const shownMs = 6000;
const undoableMs = 12_000;
const shownAtOnce = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) {
    listener();
  }
}

function dismiss(id: number): void {
  setToasts(toasts.filter((toast) => toast.id !== id));
}

/** A message with "Error" in it is an error: it stays until it is dismissed. */
function isError(message: string): boolean {
  return message.includes("Error");
}

/** Says `message` to the person, whatever screen is shown. */
export function showToast(message: string, options: ToastOptions = {}): void {
  lastId += 1;
  const toast = { ...options, id: lastId, message };
  const { topic } = options;
  const kept = toasts.filter((one) => topic === undefined || one.topic !== topic);
  // Undo is taken away by nothing but another Undo.
  const old =
    kept.length < shownAtOnce
      ? undefined
      : (kept.find(({ undo }) => undo === undefined) ?? (options.undo && kept[0]));
  setToasts([...kept.filter((one) => one !== old), toast]);
  if (!isError(message)) {
    setTimeout(() => dismiss(toast.id), options.undo === undefined ? shownMs : undoableMs);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const frame = useRef<HTMLElement>(null);
  useToastFocus(frame);
  // Beside the app's root, so that dialogs do not cover it; where no button stands that is wanted next: on a phone or tablet
  // below the top bar, and above a bottom sheet, which leaves room there.
  return createPortal(
    <section
      ref={frame}
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 z-40 flex flex-col gap-2 px-4 no-print max-lg:top-[calc(var(--top-bar)+0.5rem)] max-lg:items-center max-lg:in-[body:has([data-sheet])]:top-0.5 lg:bottom-4 lg:items-start"
    >
      {shown.map(({ id, message, undo, topic }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-120 items-center gap-2 rounded-card floating py-1 ps-3 pe-1 shadow-menu motion-safe:animate-[rise_180ms_ease-out]"
        >
          {isError(message) ? (
            <Icon of={OctagonAlert} className="text-danger" />
          ) : topic === "scan" ? (
            <Icon of={TriangleAlert} className="text-muted" />
          ) : (
            <Icon of={CircleCheck} className="text-credit" />
          )}
          <span className="min-w-0 py-1.5 wrap-anywhere">{message}</span>
          {undo === undefined ? null : (
            <Button
              variant="quiet"
              className="text-accent"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>,
    document.body,
  );
}
