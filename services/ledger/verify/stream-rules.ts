// Checks for features: what an event says follows from its stream, and it extends the streams of all whose money and units it moves.
import type { StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent, EventDefinition, Facts } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { NameFamily, NameKind } from "#ledger/names.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { reasonOf } from "#ledger/verify/findings.ts";

/** What events of one type may say, by the state of their stream before them. */
export type FollowingRule = {
  readonly rule: "follows";
  readonly check: "balances" | "units" | "streams" | "users" | "till" | "months";
  readonly type: string;
  /** The stream that the event is about; undefined if it is about none. */
  readonly streamOf: (event: AnyEvent) => string | undefined;
  /** What is wrong with the event after this state; null if it follows from it. */
  readonly wrong: (event: AnyEvent, before: unknown) => string | null;
};

/** Whose stream every event extends that moves money or units of such a place. */
export type ExtendingRule = {
  readonly rule: "extends";
  readonly check: "balances" | "units";
  readonly place: Pick<NameFamily, "is" | "idOf">;
  readonly stream: Pick<NameKind, "of">;
};

/** The streams that every event of a type extends, none of them without the others. */
export type TogetherRule = {
  readonly rule: "together";
  readonly check: "streams";
  readonly type: string;
  readonly streamsOf: (event: AnyEvent) => readonly string[];
};

/** A stream that events are about: its definition, and its name from their data. */
export type Subject<Data, State> = {
  readonly check: FollowingRule["check"];
  readonly definition: StreamDefinition<State>;
  readonly streamOf: (data: Data) => string | undefined;
};

/**
 * A check that events of this type say only what the state of their stream allows, as their decider does. `wrong` tells
 * what does not follow, or null. It must be true of every event that any version of the program ever wrote.
 */
export function follows<const Type extends string, Data extends About, About, State>(
  definition: EventDefinition<Type, Data>,
  subject: Subject<About, State>,
  wrong: (data: Data, before: State, facts: Facts) => string | null,
): FollowingRule {
  return {
    rule: "follows",
    check: subject.check,
    type: definition.type,
    streamOf: (event) => (is(definition, event) ? subject.streamOf(event.data) : undefined),
    wrong: (event, before) =>
      // The walk folds the stream by the one definition of its category, so the state has its shape.
      is(definition, event) ? wrong(event.data, before as State, event) : null,
  };
}

/** A check that every event extends the streams of the accounts or holdings that it moves something of. */
export function extendsStream(
  check: ExtendingRule["check"],
  place: ExtendingRule["place"],
  stream: ExtendingRule["stream"],
): ExtendingRule {
  return { rule: "extends", check, place, stream };
}

/** A check that every event of this type extends all of these streams: what one of them says, the others say too. */
export function extendsTogether<const Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  streamsOf: (data: Data) => readonly string[],
): TogetherRule {
  return {
    rule: "together",
    check: "streams",
    type: definition.type,
    streamsOf: (event) => (is(definition, event) ? streamsOf(event.data) : []),
  };
}

/** The first of these facts that the event says otherwise than its stream; null if there is none. */
export function saysOther<Name extends string>(
  said: Readonly<Record<Name, unknown>>,
  known: Readonly<Record<NoInfer<Name>, unknown>>,
): string | null {
  const before = new Map<string, unknown>(Object.entries(known));
  for (const [name, value] of Object.entries(said)) {
    const [own, other] = [canonicalJson(value), canonicalJson(before.get(name))];
    if (own !== other) {
      return `it says ${name} ${own} instead of ${other}`;
    }
  }
  return null;
}

export type StreamRules = {
  readonly following: ReadonlyMap<string, readonly FollowingRule[]>;
  readonly extending: readonly ExtendingRule[];
  readonly together: ReadonlyMap<string, readonly TogetherRule[]>;
};

export function streamRulesOf(checks: readonly BookCheck[]): StreamRules {
  const rules = checks.filter((entry) => "rule" in entry);
  return {
    following: Map.groupBy(
      rules.filter((entry) => entry.rule === "follows"),
      ({ type }) => type,
    ),
    extending: rules.filter((entry) => entry.rule === "extends"),
    together: Map.groupBy(
      rules.filter((entry) => entry.rule === "together"),
      ({ type }) => type,
    ),
  };
}

/** Where an event is in the log, and how its streams were before it. */
export type Place = {
  readonly position: number;
  /** The streams that it extends. */
  readonly streamIds: readonly string[];
  /** Undefined if an event of the stream before it could not be folded. Throws on an unregistered stream. */
  readonly before: (streamId: string) => { readonly state: unknown } | undefined;
  /** Whether an event of this type and with these texts says something about this stream. */
  readonly isAmong: (type: string, names: ReadonlySet<string>, streamId: string) => boolean;
};

function checkFollowing(
  { check, streamOf, wrong }: FollowingRule,
  event: AnyEvent,
  { position, streamIds, before }: Place,
  findings: Findings,
): void {
  const { type } = event;
  try {
    const streamId = streamOf(event);
    if (streamId === undefined) {
      return;
    }
    const start = before(streamId);
    const found = start === undefined ? null : wrong(event, start.state);
    const reason = streamIds.includes(streamId) ? found : "it does not extend it";
    if (reason !== null) {
      const message = `${type} does not follow from ${streamId} before it: ${reason}`;
      findings.add({ check, position, message });
    }
  } catch (error) {
    const message = `${type} cannot be compared with its stream: ${reasonOf(error)}`;
    findings.add({ check, position, message });
  }
}

function checkExtending(
  rules: readonly ExtendingRule[],
  { type, postings, movements }: AnyEvent,
  { position, streamIds }: Place,
  findings: Findings,
): void {
  const moved = new Set([...postings, ...movements].flatMap(({ from, to }) => [from, to]));
  for (const name of moved) {
    for (const { check, place, stream } of rules) {
      const streamId = place.is(name) ? stream.of(place.idOf(name)) : undefined;
      if (streamId !== undefined && !streamIds.includes(streamId)) {
        const verb = check === "balances" ? "posts to" : "moves units of";
        const message = `${type} ${verb} ${name}, but does not extend ${streamId}`;
        findings.add({ check, position, message });
      }
    }
  }
}

/** Every text in the event's data, and every part of the names that it moves something from or to. */
function namesIn({ data, postings, movements }: AnyEvent): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") {
      names.add(value);
    } else if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(collect);
    }
  };
  collect(data);
  for (const { from, to } of [...postings, ...movements]) {
    for (const part of [...from.split(":"), ...to.split(":")]) {
      names.add(part);
    }
  }
  return names;
}

/** An event that extends a stream of somebody or something that it does not name would change what that stream says. */
function checkNaming(
  event: AnyEvent,
  { position, streamIds, isAmong }: Place,
  findings: Findings,
): void {
  const names = namesIn(event);
  for (const streamId of streamIds) {
    if (!isAmong(event.type, names, streamId)) {
      const message = `${event.type} extends ${streamId}, but says nothing about it`;
      findings.add({ check: "streams", position, message });
    }
  }
}

function checkTogether(
  { streamsOf }: TogetherRule,
  event: AnyEvent,
  { position, streamIds }: Place,
  findings: Findings,
): void {
  for (const streamId of streamsOf(event).filter((wanted) => !streamIds.includes(wanted))) {
    const message = `${event.type} does not extend ${streamId}`;
    findings.add({ check: "streams", position, message });
  }
}

/** Compares what the event says with its streams before it, and what it moves with the streams that it extends. */
export function checkStreamRules(
  rules: StreamRules,
  event: AnyEvent,
  place: Place,
  findings: Findings,
): void {
  for (const rule of rules.following.get(event.type) ?? []) {
    checkFollowing(rule, event, place, findings);
  }
  checkExtending(rules.extending, event, place, findings);
  for (const rule of rules.together.get(event.type) ?? []) {
    checkTogether(rule, event, place, findings);
  }
  checkNaming(event, place, findings);
}
