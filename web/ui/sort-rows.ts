// Puts a list's rows in order in small steps, so that a long list can be sorted without holding up the screen.

/** Numbers inside words count as numbers: "Lamp 9" comes before "Lamp 10". */
const digits = 12;
const rowsAStep = 1024;

function keyOf(value: string | number): string | number {
  return typeof value === "number"
    ? value
    : value.toLowerCase().replaceAll(/\d+/g, (number) => number.padStart(digits, "0"));
}

function isBefore(a: string | number, b: string | number): boolean {
  return typeof a === typeof b ? a < b : typeof a === "number";
}

/**
 * The rows' indexes in order, by what each row sorts by; equal ones keep their order, also when descending.
 * It stops after every few rows, and answers when it is run to its end.
 */
export function* sortSteps(
  values: readonly (string | number)[],
  isDescending: boolean,
): Generator<undefined, readonly number[], undefined> {
  const keys: (string | number)[] = [];
  for (const [index, value] of values.entries()) {
    keys.push(keyOf(value));
    if (index % rowsAStep === 0) {
      yield;
    }
  }
  const precedes = (a: number, b: number): boolean => {
    const [left = "", right = ""] = isDescending ? [keys[b], keys[a]] : [keys[a], keys[b]];
    return isBefore(left, right);
  };
  const compare = (a: number, b: number): number =>
    precedes(a, b) ? -1 : precedes(b, a) ? 1 : a - b;
  let runs: number[][] = [];
  for (let start = 0; start < values.length; start += rowsAStep) {
    const length = Math.min(rowsAStep, values.length - start);
    runs.push(Array.from({ length }, (_, offset) => start + offset).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: number[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergeSteps(runs[at] ?? [], runs[at + 1] ?? [], precedes));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSteps(
  left: readonly number[],
  right: readonly number[],
  precedes: (a: number, b: number) => boolean,
): Generator<undefined, number[], undefined> {
  const merged: number[] = [];
  let [fromLeft, fromRight] = [0, 0];
  for (;;) {
    const [a, b] = [left[fromLeft], right[fromRight]];
    if (a === undefined || b === undefined) {
      return [...merged, ...left.slice(fromLeft), ...right.slice(fromRight)];
    }
    if (precedes(b, a)) {
      merged.push(b);
      fromRight += 1;
    } else {
      merged.push(a);
      fromLeft += 1;
    }
    if (merged.length % rowsAStep === 0) {
      yield;
    }
  }
}

/** Runs steps to their end at once. */
export function runAtOnce<Result>(steps: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

const sliceMs = 12;

/** Runs steps a few milliseconds at a time; undefined once aborted. */
export async function runInSlices<Result>(
  steps: Generator<undefined, Result, undefined>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  let sliceEndsAt = performance.now() + sliceMs;
  while (!signal.aborted) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
    if (performance.now() > sliceEndsAt) {
      await new Promise((resolve) => setTimeout(resolve));
      sliceEndsAt = performance.now() + sliceMs;
    }
  }
  return undefined;
}
