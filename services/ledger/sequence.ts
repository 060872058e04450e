// Several commands as one: each is decided on the state after the one before, and all their events are one append.
import type { Decider, Decision, StreamDefinition, States, StreamState } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { evolved } from "#ledger/evolve.ts";
import type { AnyEvent, NewEvent } from "#ledger/event.ts";

/** A command together with its decider, whatever their types. */
export type Step = {
  streams(): readonly string[];
  more(states: States): readonly string[];
  decide(states: States): Decision<unknown>;
};

/** One step of a sequence. */
export function step<Command, Answer>(decider: Decider<Command, Answer>, command: Command): Step {
  return {
    streams: () => decider.streams(command),
    more: (states) => decider.more?.(command, states) ?? [],
    decide: (states) => decider.decide(command, states),
  };
}

export type Sequence<Command> = {
  readonly type: string;
  /** The streams that `steps` itself reads. The steps declare their own. */
  streams(command: Command): readonly string[];
  /** The commands in this sequence, given the state before the first. */
  steps(command: Command, states: States): readonly Step[];
};

/**
 * A decider of a whole sequence: all or nothing. The answer lists the steps' answers in order. The first
 * step that is rejected rejects the sequence, with its own code.
 */
export function inSequence<Command>(
  sequence: Sequence<Command>,
): Decider<Command, readonly unknown[]> {
  const walkOf = (command: Command, states: States) =>
    walk(sequence.steps(command, states), states);
  return {
    type: sequence.type,
    streams: (command) => sequence.streams(command),
    more: (command, states) => {
      const walked = walkOf(command, states);
      return walked.kind === "needs" ? walked.streams : [];
    },
    decide: (command, states) => {
      const walked = walkOf(command, states);
      if (walked.kind === "needs") {
        throw new Error(`${sequence.type} was decided without ${walked.streams.join(", ")}`);
      }
      return walked.decision;
    },
  };
}

type Walked =
  /** Streams that the next step reads and that are not loaded yet. */
  | { readonly kind: "needs"; readonly streams: readonly string[] }
  | { readonly kind: "decided"; readonly decision: Decision<readonly unknown[]> };

/** Decides step by step as long as everything they read is loaded. */
function walk(steps: readonly Step[], before: States): Walked {
  const states = new StatesAfter(before);
  const events: NewEvent[] = [];
  const answers: unknown[] = [];
  for (const next of steps) {
    // The declared streams come first: `more` may only be called once they are loaded.
    const missing = missingOf(next.streams(), before) ?? missingOf(next.more(states), before);
    if (missing !== null) {
      return { kind: "needs", streams: missing };
    }
    const decision = next.decide(states);
    if (decision.kind === "rejected") {
      return { kind: "decided", decision };
    }
    states.extend(decision.events);
    events.push(...decision.events);
    answers.push(decision.answer);
  }
  return { kind: "decided", decision: accept(events, answers) };
}

function missingOf(streamIds: readonly string[], states: States): readonly string[] | null {
  const missing = streamIds.filter((id) => !states.has(id));
  return missing.length === 0 ? null : missing;
}

/**
 * The states after the steps decided so far. The caller of `get` passes the definition, so a sequence needs no
 * register.
 */
class StatesAfter implements States {
  readonly #before: States;
  /** What the steps decided so far would append to each stream. */
  readonly #appended = new Map<string, readonly AnyEvent[]>();

  constructor(before: States) {
    this.#before = before;
  }

  readonly has = (streamId: string): boolean => this.#before.has(streamId);

  readonly get = <State>(
    definition: StreamDefinition<State>,
    streamId: string,
  ): StreamState<State> => {
    const before = this.#before.get(definition, streamId);
    const appended = this.#appended.get(streamId) ?? [];
    return appended.reduce<StreamState<State>>(
      (current, event) => ({
        version: current.version + 1,
        state: evolved(definition, current, event, streamId),
      }),
      before,
    );
  };

  extend(events: readonly NewEvent[]): void {
    for (const event of events) {
      for (const streamId of event.streams) {
        this.#appended.set(streamId, [...(this.#appended.get(streamId) ?? []), event]);
      }
    }
  }
}
