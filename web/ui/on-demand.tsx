// A component whose script is fetched when it is first shown, or when somebody is about to want it.
import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { showErrorToast } from "./toast.ts";

type Load<Props> =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "here"; readonly Component: ComponentType<Props> };

export type OnDemand<Props> = ComponentType<Props> & {
  /** Fetches the script, so that it is there by the time it is shown. Failing costs nothing yet. */
  readonly preload: () => void;
};

type OnDemandOptions<Props> = {
  /** Shown until the script is there. */
  readonly fallback?: ReactNode | ((props: Props, isMissing: boolean) => ReactNode);
  /**
   * What is done where the script cannot be had: `close` says so in a toast and closes what was opened, `throw` leaves it
   * to the boundary around a screen or a chart, `fallback` goes on showing the fallback.
   */
  readonly ifMissing?: "close" | "throw" | "fallback";
};

/**
 * A dialog or drawer that cannot be loaded is closed again, because the screen below it is still good.
 * Not `React.lazy`: Suspense holds whatever comes within 300 ms of its fallback back until those are over, which
 * every first look at a screen or a dialog would pay.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { fallback = null, ifMissing = "close" }: OnDemandOptions<Props> = {},
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
    if (seen.kind === "here") {
      return <seen.Component {...props} />;
    }
    const isMissing = seen.kind === "failed";
    if (isMissing && ifMissing === "throw") {
      throw seen.error;
    }
    return isMissing && ifMissing === "close" ? (
      <Missing onClose={"onClose" in props ? props.onClose : undefined} />
    ) : typeof fallback === "function" ? (
      fallback(props, isMissing)
    ) : (
      fallback
    );
  }
  return Object.assign(Demanded, { preload });
}

/** Browsers remember what they could not fetch until the page is loaded anew. */
function Missing({ onClose }: { readonly onClose: unknown }): ReactNode {
  useEffect(() => {
    showErrorToast("Error: no connection for this. Once you are online again, reload the page.");
    if (typeof onClose === "function") {
      onClose();
    }
  }, [onClose]);
  return null;
}
