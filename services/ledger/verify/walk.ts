// One pass over the log: links, hashes, kept answers, what events post and move, and the fold of every stream; a broken event does not stop it.
import type { TransactionSql } from "postgres";
import type { StreamDefinition } from "#ledger/decider.ts";
import { categoryOf } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { definitionOf } from "#ledger/log/batch.ts";
import type { EventRegister, StoredEvent } from "#ledger/log/read.ts";
import { toCurrent } from "#ledger/log/read.ts";
import type { AnswerWalk } from "#ledger/verify/answers.ts";
import { walkAnswers } from "#ledger/verify/answers.ts";
import type { ChainState } from "#ledger/verify/chain.ts";
import { CHAIN_START, checkLink } from "#ledger/verify/chain.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { reasonOf } from "#ledger/verify/findings.ts";
import type { EventRules } from "#ledger/verify/event-rules.ts";
import { checkEventRules } from "#ledger/verify/event-rules.ts";
import { readNext } from "#ledger/verify/read-walk.ts";
import type { Place, StreamRules } from "#ledger/verify/stream-rules.ts";
import { checkStreamRules } from "#ledger/verify/stream-rules.ts";

export type WalkOptions = {
  readonly events: EventRegister;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly rules: EventRules & StreamRules;
  /** Where the log ends when the pass begins, for its progress. */
  readonly headPosition: number;
  readonly onProgress?: (what: string, done: number, of: number) => void;
  readonly signal?: AbortSignal;
};

/** A stream after its events; the state is undefined if one of them could not be folded. */
export type Folded = {
  readonly version: number;
  readonly fold: { readonly state: unknown } | undefined;
  readonly lastPosition: number;
};

export type Walk = {
  /** How many events were read. */
  readonly events: number;
  readonly folded: ReadonlyMap<string, Folded>;
  readonly answers: ReturnType<AnswerWalk["end"]>;
};

/** An event in its current shape, or undefined with a finding if its type is unknown or its data fits no version. */
function currentOf(
  options: WalkOptions,
  event: StoredEvent,
  findings: Findings,
): AnyEvent | undefined {
  try {
    return toCurrent(options.events, event);
  } catch (error) {
    const { position } = event;
    const message = `Event ${position} cannot be folded: ${reasonOf(error)}`;
    findings.add({ check: "streams", position, message });
    return undefined;
  }
}

/** The state of a stream before the event, if all events before it could be folded. Throws on an unregistered stream. */
function startOf(
  options: WalkOptions,
  folded: ReadonlyMap<string, Folded>,
  streamId: string,
): Folded["fold"] {
  const before = folded.get(streamId);
  return before === undefined
    ? { state: definitionOf(options.streams, streamId).initial }
    : before.fold;
}

/** Nothing is said about a stream that no feature declares: folding it does. */
function isAmongIn({ streams }: WalkOptions): Place["isAmong"] {
  return (type, names, streamId) => {
    const category = categoryOf(streamId);
    const definition = streams.get(category);
    if (definition === undefined) {
      return true;
    }
    const { onlyId, extendedBy, isAmong } = definition;
    const id = streamId.slice(category.length + 1);
    const isNamed = streamId === onlyId || (isAmong?.(names, streamId) ?? names.has(id));
    return isNamed && extendedBy?.includes(type) !== false;
  };
}

/** A broken row, such as a posting without an account, is a finding of its own: it must not end the walk here. */
function compareWithRules(
  options: WalkOptions,
  folded: ReadonlyMap<string, Folded>,
  { event, current }: { readonly event: StoredEvent; readonly current: AnyEvent },
  findings: Findings,
): void {
  const { position } = event;
  const streamIds = event.streams.map(({ streamId }) => streamId);
  const before = (streamId: string) => startOf(options, folded, streamId);
  try {
    checkEventRules(options.rules, current, position, findings);
    const place = { position, streamIds, before, isAmong: isAmongIn(options) };
    checkStreamRules(options.rules, current, place, findings);
  } catch (error) {
    const message = `Event ${position} cannot be compared with its streams: ${reasonOf(error)}`;
    findings.add({ check: "streams", position, message });
  }
}

function foldInto(
  options: WalkOptions,
  folded: Map<string, Folded>,
  event: StoredEvent,
  findings: Findings,
): void {
  const current = currentOf(options, event, findings);
  const { position } = event;
  if (current !== undefined) {
    compareWithRules(options, folded, { event, current }, findings);
  }
  for (const { streamId } of event.streams) {
    let fold: Folded["fold"];
    try {
      const definition = definitionOf(options.streams, streamId);
      const start = startOf(options, folded, streamId);
      if (current !== undefined && start !== undefined) {
        fold = { state: definition.evolve(start.state, current, streamId) };
      }
    } catch (error) {
      const message = `Event ${position} cannot be folded into ${streamId}: ${reasonOf(error)}`;
      findings.add({ check: "streams", position, message });
    }
    const version = (folded.get(streamId)?.version ?? 0) + 1;
    folded.set(streamId, { version, fold, lastPosition: position });
  }
}

/** Checks one event against the state before it, and returns the state after it. */
function checkEvent(
  before: ChainState,
  event: StoredEvent,
  answers: AnswerWalk,
  findings: Findings,
): ChainState {
  const { position, hash, recordedAtMicros } = event;
  try {
    const problem = checkLink(before, event, answers.next(event));
    if (problem !== undefined) {
      findings.add(problem);
    }
  } catch (error) {
    const message = `Event ${position} cannot be hashed: ${reasonOf(error)}`;
    findings.add({ check: "chain", position, message });
  }
  return { position, hash, recordedAtMicros };
}

/** A pass over the log that goes on range by range, each in any snapshot: what is in the log never changes. */
export type LogWalk = {
  /** Walks the next range that ends at `until` at the latest. Returns false if there are no more events. */
  readonly next: (sql: TransactionSql, until: number) => Promise<boolean>;
  /** Called after the last range. */
  readonly end: () => Walk;
};

export function startWalk(options: WalkOptions, findings: Findings): LogWalk {
  const folded = new Map<string, Folded>();
  const answers = walkAnswers(findings);
  let events = 0;
  let state = CHAIN_START;
  let walked = 0;
  return {
    async next(sql, until) {
      const found = await readNext(sql, { after: walked, until }, findings, options.signal);
      if (found === undefined) {
        return false;
      }
      const readable = found.range.flatMap((one) => (one.kind === "event" ? [one.event] : []));
      const what = `The answers to the events from ${state.position + 1} on`;
      await findings.attemptIn(
        sql,
        { check: "keys", what, position: state.position + 1 },
        (savepoint) => answers.load(savepoint, readable),
      );
      for (const one of found.range) {
        events += 1;
        if (one.kind === "unreadable") {
          state = { ...state, position: one.position, hash: undefined };
          continue;
        }
        state = checkEvent(state, one.event, answers, findings);
        foldInto(options, folded, one.event, findings);
      }
      walked = found.through;
      options.onProgress?.("chain and streams", walked, Math.max(walked, options.headPosition));
      return true;
    },
    end: () => ({ events, folded, answers: answers.end() }),
  };
}
