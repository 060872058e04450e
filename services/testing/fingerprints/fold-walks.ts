// Long sequences of the sample events that change a stream's state: what only shows after many events changes its hash.
import { canonicalJson } from "#ledger/log/chain.ts";
import type { Path } from "#testing/fingerprints/event-samples.ts";
import { pathsIn, replaced, valueAt } from "#testing/fingerprints/event-samples.ts";
import type { Fold, FoldStep } from "#testing/fingerprints/fold.ts";

const WALKS = 12;
const WALK_STEPS = 40;
/** More than any list in a state keeps. */
const LONG_RUN = 510;

/** One event for each change that was found, by type, in an order that depends only on the changes. */
function stepsByType(fold: Fold): readonly (readonly FoldStep[])[] {
  const byType = Map.groupBy(
    [...fold.steps].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, step]) => step),
    ({ type }) => type,
  );
  return [...byType].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, steps]) => steps);
}

/** Always the same numbers below a limit. */
function fixedNumbers(): (limit: number) => number {
  let seed = 1;
  return (limit) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
}

/** The states on walks through all kinds of changes, each after many others. */
export function walks(fold: Fold, initial: unknown): string[] {
  const types = stepsByType(fold);
  const next = fixedNumbers();
  const lines: string[] = [];
  for (let walk = 0; walk < WALKS && types.length > 0; walk += 1) {
    let state = initial;
    for (let count = 0; count < WALK_STEPS; count += 1) {
      const steps = types[next(types.length)] ?? [];
      const step = steps[next(steps.length)];
      state = step === undefined ? state : fold.again(step, state);
      lines.push(canonicalJson(state));
    }
  }
  return lines;
}

/** The state after hundreds of events of a type, each with another text in one field, wherever that makes a list longer. */
export function longRuns(fold: Fold): string[] {
  return stepsByType(fold).flatMap((steps) => {
    const known = new Set<string>();
    const withLists = steps.filter(({ after }) => listsIn(after.state).length > 0);
    return withLists.flatMap((step) =>
      numberedPaths(step).flatMap((path) => {
        const grown = growingLists(statesOf(fold, step, path, 5));
        if (grown === "" || known.has(grown)) {
          return [];
        }
        known.add(grown);
        return [canonicalJson(statesOf(fold, step, path, LONG_RUN).at(-1))];
      }),
    );
  });
}

/** Every text of the data; and none, which leaves all events the same. */
const numberedPaths = ({ event }: FoldStep): readonly (Path | null)[] => [
  null,
  ...pathsIn(event.data).filter((path) => typeof valueAt(event.data, path) === "string"),
];

/** The states after each of many events like that of the step. */
function statesOf(fold: Fold, step: FoldStep, path: Path | null, events: number): unknown[] {
  let state = step.before.state;
  return Array.from({ length: events }, (_, count) => {
    const { data } = step.event;
    const event =
      path === null ? step.event : { ...step.event, data: replaced(data, path, `text ${count}`) };
    state = fold.again({ ...step, event }, state);
    return state;
  });
}

/** The lists at the top of a state, with their lengths. */
const listsIn = (state: unknown): readonly (readonly [name: string, length: number])[] =>
  Object.entries(Object(state)).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, value.length] as const] : [],
  );

/** The names of the lists that are longer in each of the last three states. */
function growingLists(states: readonly unknown[]): string {
  const [one = [], two = [], three = []] = states.slice(-3).map(listsIn);
  return three
    .filter(
      ([, length], index) =>
        length > (two[index]?.[1] ?? 0) && (two[index]?.[1] ?? 0) > (one[index]?.[1] ?? 0),
    )
    .map(([name]) => name)
    .join();
}
