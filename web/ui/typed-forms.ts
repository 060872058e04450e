// The open forms with typed text. Apart from what they ask (`leave-guard.ts`), because every visitor loads this.

export type TypedForm = {
  /** Asks whether to leave. `leave` then goes where the person wanted to go. */
  readonly ask: (leave: () => void) => void;
  /** After Back or Forward, before the router. */
  readonly onPopState: (event: PopStateEvent) => void;
};

/** The topmost last. */
export const typedForms: TypedForm[] = [];

/** Whether leaving the screen would lose typed text. */
export function hasTypedText(): boolean {
  return typedForms.length > 0;
}

/** Call it once before the router starts. Of the window's listeners, the first one added runs first, capturing or not. */
export function guardHistory(): void {
  addEventListener("popstate", (event) => typedForms.at(-1)?.onPopState(event));
}
