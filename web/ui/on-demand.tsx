// A component whose script is loaded when it is first shown, or when it is about to be needed.
import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { showErrorToast } from "./toast.ts";

type Load<Props> =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "here"; readonly Component: ComponentType<Props> };

export type OnDemand<Props> = ComponentType<Props> & {
  /** Loads the script early, so that it is there when needed. A failure has no effect yet. */
  readonly preload: () => void;
  /** Resolves when the script is here, or could not be loaded. */
  readonly settled: () => Promise<void>;
};

type OnDemandOptions<Props> = {
  /** Shown until the script is loaded. */
  readonly fallback?: ReactNode | ((props: Props, isMissing: boolean) => ReactNode);
  /**
   * What happens if the script cannot be loaded: `close` says so in a toast and closes what was opened, `throw` leaves it
   * to the boundary around a screen or a chart, `fallback` keeps showing the fallback.
   */
  readonly ifMissing?: "close" | "throw" | "fallback";
};

/**
 * A dialog or drawer that cannot be loaded is closed again, because the screen below it still works.
 * Not `React.lazy`: Suspense delays content that arrives within 300 ms of its fallback until those are over, and every
 * first use of a screen or a dialog would wait for that.
 * Write `import(…).then((file) => file.Part)`: for `(await import(…)).Part`, the build writes more code.
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

  let loading = Promise.resolve();

  function preload(): void {
    if (state.kind === "none") {
      state = { kind: "loading" };
      loading = load().then(
        (Component) => become({ kind: "here", Component }),
        // If nobody is waiting for it yet, the next use tries again. Browsers may remember the failure until a reload.
        (error: unknown) =>
          become(listeners.size === 0 ? { kind: "none" } : { kind: "failed", error }),
      );
    }
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    preload();
    return () => {
      listeners.delete(listener);
      // The next use tries again. Where browsers remember the failure, it says that the page must be reloaded.
      if (listeners.size === 0 && state.kind === "failed") {
        state = { kind: "none" };
      }
    };
  }

  function Demanded(props: Props): ReactNode {
    const read = () => state;
    const seen = useSyncExternalStore(subscribe, read, read);
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
  return Object.assign(Demanded, { preload, settled: () => loading });
}

/** Some browsers remember a failed import until the page is reloaded. */
function Missing({ onClose }: { readonly onClose: unknown }): ReactNode {
  useEffect(() => {
    showErrorToast(
      navigator.onLine
        ? "Error: this part could not be loaded. Reload the page."
        : "Error: you are offline, and this part is not loaded yet.",
    );
    if (typeof onClose === "function") {
      onClose();
    }
  }, [onClose]);
  return null;
}
