// Plans one round of feeding: which read tables move together in one transaction, and how far each step goes. Pure.
import type { Feed } from "#ledger/projection/step.ts";

/** Feeds at one position, and where one transaction brings them. */
export type Step = {
  readonly feeds: readonly Feed[];
  readonly from: number;
  readonly through: number;
};

export type Round = {
  /** Feeds behind the others, in a step of their own for each position. */
  readonly behind: readonly Step[];
  /** The feeds in front. Those that reach them in this round move with them. */
  readonly front: Step;
};

type Size = {
  readonly little: number;
  /** From this distance on, large steps are quicker. */
  readonly far: number;
};

const FAR_BEHIND = 5_000;

/**
 * The most events in a step of tables that somebody waits for. Each step has costs of its own, so with less, tables that
 * fell behind while much was written stayed behind: with 250 and 1,400 sales a second during a rebuild, sales were seen
 * 1.8 s late (p99), with 500 0.6 s, and with 1,000 0.5 s.
 */
export const LITTLE_STEP = 1_000;

/** The most events in one step, by what is fed. */
const SIZES = {
  /**
   * Somebody waits for these, and sees the first event of a step when its last one is applied. The large ones are enough
   * for set-based SQL, and few enough that others do not wait long.
   */
  shown: { little: LITTLE_STEP, far: 20_000 },
  /** Nobody waits for tables from before a flip. */
  previous: { little: FAR_BEHIND, far: 20_000 },
  /** Behind the others: at least as large as the steps that the others make meanwhile, and small, because those wait. */
  behind: { little: LITTLE_STEP, far: FAR_BEHIND },
} as const satisfies Readonly<Record<string, Size>>;

function stepTo(goal: number, from: number, { little, far }: Size): number {
  return Math.min(goal, from + (goal - from > FAR_BEHIND ? far : little));
}

/** The longest rest between two steps of shown tables. */
const LONGEST_REST_MS = 16;
/** Shorter ones gain nothing. */
const SHORTEST_REST_MS = 4;
/** Tables with steps as long as this are behind, and what a step costs at least is little of such a one. */
const LONG_STEP_MS = 60;

/**
 * How long shown tables rest after a step, in milliseconds. A step costs much the same for one event as for ten. Where
 * many are written, steps without rests took a whole core at any rate, and left it neither to the writer nor to the
 * service. With a few hundred a second there is no rest, and beside a rebuild, which makes steps longer, there is none.
 */
export function restAfter(step: {
  /** How many there were to apply; a step may have taken fewer. */
  readonly events: number;
  readonly ms: number;
  readonly isRebuilding: boolean;
}): number {
  const isBehind = step.events > LITTLE_STEP || step.ms > LONG_STEP_MS;
  const restMs = Math.min(LONGEST_REST_MS, step.events / 2);
  return restMs < SHORTEST_REST_MS || isBehind || step.isRebuilding ? 0 : restMs;
}

/**
 * Feeds at the same position are updated together. Those behind the others are first brought to them, because two
 * groups cost twice as much, and while much is written they would never meet: a rebuild waits until its new tables are
 * at the position of the shown ones. Undefined without feeds.
 */
export function planRound(
  { feeds, through }: { readonly feeds: readonly Feed[]; readonly through: number },
  which: "shown" | "previous",
): Round | undefined {
  const groups = [...Map.groupBy(feeds, ({ generation }) => generation.position)];
  const [front, ...others] = groups.sort(([one], [other]) => other - one);
  if (front === undefined) {
    return undefined;
  }
  const [position, together] = front;
  return {
    behind: others.map(([from, group]) => ({
      feeds: group,
      from,
      through: stepTo(position, from, SIZES.behind),
    })),
    front: { feeds: together, from: position, through: stepTo(through, position, SIZES[which]) },
  };
}
