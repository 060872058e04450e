// The types of the pure core: streams with a folded state, commands that read them, decisions that extend them.
import type { AnyEvent, NewEvent } from "#ledger/event.ts";

/** A kind of stream: its state before any event, and how one event changes it. Pure. */
export type StreamDefinition<State> = {
  /** The part of a stream id before its first hyphen: `item-7f3…` is of category `item`. */
  readonly category: string;
  /** Raised whenever evolve or the state's shape changes; older stored states are then folded again. */
  readonly stateVersion: number;
  readonly initial: State;
  /** Declared as a method, so that definitions with different states fit into one register. */
  evolve(state: State, event: AnyEvent, streamId: string): State;
  /**
   * Whether an event may extend this stream that has these texts in its data, and in the names of what it moves: verify
   * names others. By default, what follows the category in the stream's id is among them.
   */
  readonly isAmong?: (names: ReadonlySet<string>, streamId: string) => boolean;
  /** The id of the only stream of this category, which no event has to name. Declare `extendedBy` too. */
  readonly onlyId?: string;
  /** The types of events that may extend it: verify names others. By default, all that name it. */
  readonly extendedBy?: readonly string[];
};

/** A stream's state and the number of events it has; version 0 means that it does not exist. */
export type StreamState<State> = { readonly version: number; readonly state: State };

/** The states a command may read: exactly those of the streams it declared. */
export type States = {
  /** Whether a stream is declared yet: `more` checks this before it follows a stream that it named itself. */
  readonly has: (streamId: string) => boolean;
  /** Throws if the command did not declare the stream, which is a bug in its `streams`. */
  readonly get: <State>(
    definition: StreamDefinition<State>,
    streamId: string,
  ) => StreamState<State>;
};

/** A rejection: a stable code, and a sentence for a person. */
export type Rejection = {
  readonly kind: "rejected";
  /** 404 if something named does not exist, 409 if the ledger's state forbids it. */
  readonly status: 404 | 409;
  readonly code: string;
  readonly message: string;
  /** Facts for the screen, for example an item's current fields. */
  readonly current?: Readonly<Record<string, unknown>>;
};

/** An acceptance: the events to append (none if nothing changes) and the answer for the caller. */
export type Acceptance<Answer> = {
  readonly kind: "accepted";
  readonly events: readonly NewEvent[];
  readonly answer: Answer;
};

export type Decision<Answer> = Acceptance<Answer> | Rejection;

/**
 * How one kind of command is decided. `streams` names what it reads; `more` names further streams once those are
 * loaded (a sale's item, for example) and is called again until it names nothing new. `newStreams` names those of
 * `streams` whose ids were made for this command: they are taken as absent without a look. If one is there after all,
 * the append fails, and the command is decided again with a look.
 */
export type Decider<Command, Answer> = {
  readonly type: string;
  streams(command: Command): readonly string[];
  more?(command: Command, states: States): readonly string[];
  newStreams?(command: Command): readonly string[];
  decide(command: Command, states: States): Decision<Answer>;
};

export function accept<Answer>(events: readonly NewEvent[], answer: Answer): Acceptance<Answer> {
  return { kind: "accepted", events, answer };
}

export function reject(
  status: 404 | 409,
  code: string,
  message: string,
  current?: Readonly<Record<string, unknown>>,
): Rejection {
  return current === undefined
    ? { kind: "rejected", status, code, message }
    : { kind: "rejected", status, code, message, current };
}

/** The category of a stream id. */
export function categoryOf(streamId: string): string {
  const hyphen = streamId.indexOf("-");
  return hyphen === -1 ? streamId : streamId.slice(0, hyphen);
}
