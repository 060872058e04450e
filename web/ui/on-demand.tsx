// A component whose script is fetched when it is first shown, or when somebody is about to want it.
import { useSyncExternalStore, type ComponentType, type ReactNode } from "react";

type Load<Props> =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "here"; readonly Component: ComponentType<Props> };

export type OnDemand<Props> = ComponentType<Props> & {
  /** Fetches the script, so that it is there by the time it is shown. Failing costs nothing yet. */
  readonly preload: () => void;
};

/**
 * Shows `fallback` until the script is there, and throws to the boundary around it where it cannot be had.
 * Not `React.lazy`: Suspense holds whatever comes within 300 ms of its fallback back until those are over, which
 * every first look at a screen or a dialog would pay.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
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
      throw seen.error;
    }
    return seen.kind === "here" ? <seen.Component {...props} /> : fallback;
  }
  return Object.assign(Demanded, { preload });
}
