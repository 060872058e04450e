// A component whose script is fetched when it is first shown, or when somebody is about to want it.
import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { showToast } from "./toast.tsx";

type Load<Props> =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "here"; readonly Component: ComponentType<Props> };

export type OnDemand<Props> = ComponentType<Props> & {
  /** Fetches the script, so that it is there by the time it is shown. Failing costs nothing yet. */
  readonly preload: () => void;
};

type OnDemandOptions = {
  /** Shown until the script is there. */
  readonly fallback?: ReactNode;
  /** What a screen or a chart does where it cannot be had: its boundary says so in its place. */
  readonly throwsWhenMissing?: boolean;
};

/**
 * A dialog or drawer that cannot be had says so, and is closed again: the screen below it is still good.
 * Not `React.lazy`: Suspense holds whatever comes within 300 ms of its fallback back until those are over, which
 * every first look at a screen or a dialog would pay.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { fallback = null, throwsWhenMissing = false }: OnDemandOptions = {},
): OnDemand<Props> {
  let state: Load<Props> = { kind: "none" };
  const listeners = new Set<() => void>();

  function become(next: Load<Props>): void {
    state = next;
    for (const listener of listeners) {
      listener();
    }
  }

  function preload(): void {
    if (state.kind === "none") {
      state = { kind: "loading" };
      load().then(
        (Component) => become({ kind: "here", Component }),
        // Where nobody waits for it yet, whoever comes tries again; browsers may remember the failure until a reload.
        (error: unknown) =>
          become(listeners.size === 0 ? { kind: "none" } : { kind: "failed", error }),
      );
    }
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    preload();
    return () => listeners.delete(listener);
  }

  function Demanded(props: Props): ReactNode {
    const seen = useSyncExternalStore(subscribe, () => state);
    if (seen.kind === "failed") {
      if (throwsWhenMissing) {
        throw seen.error;
      }
      return <Missing onClose={"onClose" in props ? props.onClose : undefined} />;
    }
    return seen.kind === "here" ? <seen.Component {...props} /> : fallback;
  }
  return Object.assign(Demanded, { preload });
}

/** Browsers remember what they could not fetch until the page is loaded anew. */
function Missing({ onClose }: { readonly onClose: unknown }): ReactNode {
  useEffect(() => {
    showToast("Error: no connection for this. Once you are online again, reload the page.");
    if (typeof onClose === "function") {
      onClose();
    }
  }, [onClose]);
  return null;
}
