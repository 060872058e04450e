// The container of the toasts. What draws them is loaded with the first one, or with the first dialog, which may cause one.
import { useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { onDemand } from "./on-demand.tsx";
import { waitingToasts } from "./toast.ts";

/** Placed where it covers no field and no button: on phones and tablets over the top bar or below the head of a drawer, otherwise bottom left. */
export const toastPlace =
  "pointer-events-none fixed inset-x-0 z-40 flex flex-col gap-2 px-4 outline-none no-print max-lg:top-0.5 max-lg:items-center max-lg:in-[body:has([data-drawer]):not(:has([data-sheet]))]:top-[calc(var(--top-bar)+0.5rem)] lg:bottom-4 lg:items-start";

export const toastCard =
  "pointer-events-auto flex max-w-120 items-center gap-2 rounded-card floating py-1 ps-3 pe-1 shadow-menu motion-safe:animate-[rise_180ms_ease-out]";

/** Only the text, if the connection was lost before the toasts were loaded. */
function PlainToasts() {
  const waiting = useSyncExternalStore(
    (onChange) => waitingToasts.subscribe(onChange),
    () => waitingToasts.read(),
  );
  return createPortal(
    <section aria-label="Notifications" aria-live="polite" className={toastPlace}>
      {waiting.length === 0 ? null : (
        <div className={toastCard}>
          <span className="min-w-0 py-1.5">{waiting.at(-1)?.message}</span>
          <button
            type="button"
            className="min-h-(--control) px-2 font-medium text-accent"
            onClick={() => waitingToasts.take()}
          >
            Dismiss
          </button>
        </div>
      )}
    </section>,
    document.body,
  );
}

const ToastLayer = onDemand(() => import("./toast-layer.tsx").then((file) => file.ToastLayer), {
  fallback: (_props, isMissing) => (isMissing ? <PlainToasts /> : null),
  ifMissing: "fallback",
});

/** Loads what draws toasts, because one is likely to follow. */
export const preloadToasts = ToastLayer.preload;

export function Toaster() {
  const isWaiting = useSyncExternalStore(
    (onChange) => waitingToasts.subscribe(onChange),
    () => waitingToasts.read().length > 0,
    // A page that the server drew has none.
    () => false,
  );
  const [isWanted, setWanted] = useState(false);
  if (isWaiting && !isWanted) {
    setWanted(true);
  }
  return isWanted ? <ToastLayer /> : null;
}
