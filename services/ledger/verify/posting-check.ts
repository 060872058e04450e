// Checks for features: the money that an event's data says is the money that it posts, from where to where.
import type { AnyEvent, EventDefinition } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import type { Posting } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { reasonOf } from "#ledger/verify/findings.ts";

/** What events of one type post, by what they say. */
export type PostingRule = {
  readonly check: "balances";
  readonly type: string;
  /** Each way in which this event may post; usually one. */
  readonly ways: (event: AnyEvent) => readonly (readonly Posting[])[];
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
    check: "balances",
    type: definition.type,
    ways: (event) => (is(definition, event) ? ways.map((way) => way(event.data)) : []),
  };
}

const OTHERS = "others";

/** The check that an event of any type without a rule of its own posts nothing: for the checks of all features. */
export const othersPostNothing: PostingRule = {
  check: "balances",
  type: OTHERS,
  ways: () => [[]],
};

export type PostingRules = ReadonlyMap<string, PostingRule>;

export function postingRulesOf(checks: readonly BookCheck[]): PostingRules {
  return new Map(checks.flatMap((entry) => ("ways" in entry ? [[entry.type, entry]] : [])));
}

/** The cents of each pair of accounts, in whatever order and parts they were posted. */
function sums(postings: readonly Posting[]): ReadonlyMap<string, number> {
  const byPair = new Map<string, number>();
  for (const { from, to, cents } of postings) {
    const pair = `from ${from} to ${to}`;
    byPair.set(pair, (byPair.get(pair) ?? 0) + cents);
  }
  return byPair;
}

function isSame(one: readonly Posting[], other: readonly Posting[]): boolean {
  const isEqual = one.every(({ from, to, cents }, index) => {
    const its = other[index];
    return its?.cents === cents && its.from === from && its.to === to;
  });
  if (isEqual && one.length === other.length) {
    return true;
  }
  const [own, others] = [sums(one), sums(other)];
  return own.size === others.size && [...own].every(([pair, cents]) => others.get(pair) === cents);
}

function inWords(postings: readonly Posting[]): string {
  const parts = [...sums(postings)].map(([pair, cents]) => `${cents} cents ${pair}`);
  return parts.length === 0 ? "nothing" : parts.join(" and ");
}

export function checkPostings(
  rules: PostingRules,
  event: AnyEvent,
  position: number,
  findings: Findings,
): void {
  const { type, postings } = event;
  const rule = rules.get(type) ?? rules.get(OTHERS);
  if (rule === undefined) {
    return;
  }
  try {
    const ways = rule.ways(event);
    if (!ways.some((way) => isSame(way, postings))) {
      const said = ways.map(inWords).join(", or ");
      const message = `${type} says ${said}, but posts ${inWords(postings)}`;
      findings.add({ check: "balances", position, message });
    }
  } catch (error) {
    const message = `${type} says what cannot be posted: ${reasonOf(error)}`;
    findings.add({ check: "balances", position, message });
  }
}
