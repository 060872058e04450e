// Named points at which a crash test ends the process; only the crash test's own entry file arms them.

export type CrashPoint =
  | "append:before-commit"
  | "append:between-commit-and-answer"
  | "projection:in-step"
  | "rebuild:between-chunks"
  | "rebuild:before-flip";

const armed = new Map<CrashPoint, () => void>();

/** Arms a point. Only a test's entry file calls this; the running service has no way to. */
export function armCrashPoint(point: CrashPoint, action: () => void): void {
  armed.set(point, action);
}

/** Marks a point in the flow; does nothing unless a test armed it. */
export function passCrashPoint(point: CrashPoint): void {
  if (armed.size > 0) {
    armed.get(point)?.();
  }
}
