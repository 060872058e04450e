// Checks for features: what an event's data says is the money that it posts and the units that it moves, from where to where.
import type { AnyEvent, EventDefinition } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import type { Movement, Posting } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { reasonOf } from "#ledger/verify/findings.ts";

/** What events of one type post, by what they say. */
export type PostingRule = {
  readonly rule: "posts";
  readonly check: "balances";
  readonly type: string;
  /** Each way in which this event may post; usually one. */
  readonly ways: (event: AnyEvent) => readonly (readonly Posting[])[];
};

/** What events of one type move, by what they say. */
export type MovementRule = {
  readonly rule: "moves";
  readonly check: "units";
  readonly type: string;
  readonly ways: (event: AnyEvent) => readonly (readonly Movement[])[];
};

/**
 * A check that events of this type post exactly what their data says. It must follow from the data alone. An event
 * that may come from elsewhere too, as an old account's payout request does, has several ways.
 */
export function posts<const Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  ...ways: readonly ((data: Data) => readonly Posting[])[]
): PostingRule {
  return {
    rule: "posts",
    check: "balances",
    type: definition.type,
    ways: (event) => (is(definition, event) ? ways.map((way) => way(event.data)) : []),
  };
}

/**
 * A check that events of this type move exactly the units that their data says. Where the data has no number, as of a
 * deleted item, it is `moved`: all units of the event, wherever they went.
 */
export function moves<const Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  way: (data: Data, moved: number) => readonly Movement[],
): MovementRule {
  return {
    rule: "moves",
    check: "units",
    type: definition.type,
    ways: (event) => {
      const moved = event.movements.reduce((sum, { units }) => sum + units, 0);
      return is(definition, event) ? [way(event.data, moved)] : [];
    },
  };
}

const OTHERS = "others";

/** The checks that an event of any type without rules of its own posts and moves nothing: for the checks of all features. */
export const othersDoNothing: readonly BookCheck[] = [
  { rule: "posts", check: "balances", type: OTHERS, ways: () => [[]] },
  { rule: "moves", check: "units", type: OTHERS, ways: () => [[]] },
];

export type EventRules = {
  readonly postings: ReadonlyMap<string, PostingRule>;
  readonly movements: ReadonlyMap<string, MovementRule>;
};

function byType<Rule extends { readonly type: string }>(rules: readonly Rule[]) {
  return new Map(rules.map((rule) => [rule.type, rule]));
}

export function eventRulesOf(checks: readonly BookCheck[]): EventRules {
  const rules = checks.filter((entry) => "rule" in entry);
  return {
    postings: byType(rules.filter((entry) => entry.rule === "posts")),
    movements: byType(rules.filter((entry) => entry.rule === "moves")),
  };
}

/** Cents or units from one account or holding to another. */
type Flow = { readonly from: string; readonly to: string; readonly amount: number };

/** The amount of each pair of places, in whatever order and parts it was moved. */
function sums(flows: readonly Flow[]): ReadonlyMap<string, number> {
  const byPair = new Map<string, number>();
  for (const { from, to, amount } of flows) {
    const pair = `from ${from} to ${to}`;
    byPair.set(pair, (byPair.get(pair) ?? 0) + amount);
  }
  return byPair;
}

function isSame(one: readonly Flow[], other: readonly Flow[]): boolean {
  const isEqual = one.every(({ from, to, amount }, index) => {
    const its = other[index];
    return its?.amount === amount && its.from === from && its.to === to;
  });
  if (isEqual && one.length === other.length) {
    return true;
  }
  const [own, others] = [sums(one), sums(other)];
  return (
    own.size === others.size && [...own].every(([pair, amount]) => others.get(pair) === amount)
  );
}

const moneyFlow = ({ from, to, cents }: Posting): Flow => ({ from, to, amount: cents });
const unitFlow = ({ from, to, units }: Movement): Flow => ({ from, to, amount: units });

type Compared = {
  readonly check: "balances" | "units";
  readonly unit: "cent" | "unit";
  readonly verb: "post" | "move";
  /** What the data says, in each of its ways. */
  readonly said: () => readonly (readonly Flow[])[];
  readonly done: readonly Flow[];
};

function compare(
  type: string,
  { check, unit, verb, said, done }: Compared,
  position: number,
  findings: Findings,
): void {
  const inWords = (flows: readonly Flow[]): string => {
    const parts = [...sums(flows)].map(
      ([pair, amount]) => `${amount} ${unit}${amount === 1 ? "" : "s"} ${pair}`,
    );
    return parts.length === 0 ? "nothing" : parts.join(" and ");
  };
  try {
    const ways = said();
    if (!ways.some((way) => isSame(way, done))) {
      const message = `${type} says ${ways.map(inWords).join(", or ")}, but ${verb}s ${inWords(done)}`;
      findings.add({ check, position, message });
    }
  } catch (error) {
    const past = verb === "post" ? "posted" : "moved";
    const message = `${type} says what cannot be ${past}: ${reasonOf(error)}`;
    findings.add({ check, position, message });
  }
}

/** Compares what the event's data says with its postings and its movements. */
export function checkEventRules(
  rules: EventRules,
  event: AnyEvent,
  position: number,
  findings: Findings,
): void {
  const { type } = event;
  const posting = rules.postings.get(type) ?? rules.postings.get(OTHERS);
  if (posting !== undefined) {
    const said = () => posting.ways(event).map((way) => way.map(moneyFlow));
    const done = event.postings.map(moneyFlow);
    compare(
      type,
      { check: "balances", unit: "cent", verb: "post", said, done },
      position,
      findings,
    );
  }
  const movement = rules.movements.get(type) ?? rules.movements.get(OTHERS);
  if (movement !== undefined) {
    const said = () => movement.ways(event).map((way) => way.map(unitFlow));
    const done = event.movements.map(unitFlow);
    compare(type, { check: "units", unit: "unit", verb: "move", said, done }, position, findings);
  }
}
