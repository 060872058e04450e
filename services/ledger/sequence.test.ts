// Several commands as one append: each decided on the one before, loaded step by step, all or nothing.
import { describe, expect, it } from "vitest";
import type { Decider, Decision, StreamDefinition } from "#ledger/decider.ts";
import { decideBatch, definitionOf, resolveStreams } from "#ledger/log/batch.ts";
import type { BatchEvent, LoadedStream, Pending } from "#ledger/log/batch.ts";
import { inSequence, step } from "#ledger/sequence.ts";
import type { Step } from "#ledger/sequence.ts";
import { fillJar, payOut, jarStream, jarStreams } from "#testing/jar/jar.ts";

const both = inSequence<readonly Step[]>({
  type: "Both",
  streams: () => [],
  steps: (steps) => steps,
});

/** Empties a jar into the one named after its content, so the second stream is known only from the first. */
const moveOn: Decider<{ readonly from: string }, string> = {
  type: "MoveOn",
  streams: ({ from }) => [`jar-${from}`],
  more: ({ from }, states) => [`jar-of-${states.get(jarStream, `jar-${from}`).state.cents}`],
  decide: ({ from }, states) => {
    const { cents } = states.get(jarStream, `jar-${from}`).state;
    const decision = payOut.decide({ from, to: `of-${cents}`, cents }, states);
    return decision.kind === "accepted" ? { ...decision, answer: `of-${cents}` } : decision;
  },
};

/** As in the log's writer, a decider that throws during loading throws again when it is decided. */
function missingOf(pending: Pending, streams: ReadonlyMap<string, LoadedStream>): string[] {
  try {
    return resolveStreams(pending, streams).missing;
  } catch {
    return [];
  }
}

type Run = {
  readonly decision: Decision<readonly unknown[]> | undefined;
  readonly events: readonly BatchEvent[];
  readonly error: unknown;
  readonly rounds: readonly (readonly string[])[];
};

/** Loads and decides one command as the log's writer does, on jars with the given contents. */
function run<Command>(
  decider: Decider<Command, readonly unknown[]>,
  command: Command,
  given: Readonly<Record<string, number>> = {},
): Run {
  const pending: Pending = {
    decider,
    command,
    context: { actor: "system:test", scope: "store", key: "one", requestHash: "" },
    resolve: () => undefined,
    reject: () => undefined,
  };
  const streams = new Map<string, LoadedStream>();
  const load = (id: string, definition: StreamDefinition<unknown>) => {
    const cents = given[id];
    const version = cents === undefined ? 0 : 1;
    const state = cents === undefined ? definition.initial : { cents };
    streams.set(id, { definition, loadedVersion: version, version, state });
  };
  const rounds: string[][] = [];
  for (let missing = missingOf(pending, streams); missing.length > 0;) {
    rounds.push(missing);
    for (const id of missing) {
      load(id, definitionOf(jarStreams, id));
    }
    missing = missingOf(pending, streams);
  }
  const batch = decideBatch([pending], streams);
  return {
    decision: batch.decided[0]?.decision as Decision<readonly unknown[]> | undefined,
    events: batch.events,
    error: batch.broken[0]?.error,
    rounds,
  };
}

describe("several commands in sequence", () => {
  it("decides each on the state after the one before, and answers each", () => {
    const { decision, events } = run(both, [
      step(fillJar, { jar: "a", cents: 5 }),
      step(fillJar, { jar: "a", cents: 7 }),
      step(payOut, { from: "a", to: "b", cents: 12 }),
    ]);
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: [{ cents: 5 }, { cents: 12 }, { left: 0 }],
    });
    expect(events.map(({ event, streams }) => [event.type, streams])).toEqual([
      ["JarFilled", [{ streamId: "jar-a", version: 1 }]],
      ["JarFilled", [{ streamId: "jar-a", version: 2 }]],
      [
        "JarPaidOut",
        [
          { streamId: "jar-a", version: 3 },
          { streamId: "jar-b", version: 1 },
        ],
      ],
    ]);
  });

  it("writes nothing when a later step is refused, and gives that step's refusal", () => {
    const { decision, events } = run(both, [
      step(fillJar, { jar: "a", cents: 5 }),
      step(payOut, { from: "a", to: "b", cents: 6 }),
      step(fillJar, { jar: "b", cents: 1 }),
    ]);
    expect(decision).toMatchObject({ kind: "rejected", status: 409, code: "jar_too_low" });
    expect(events).toEqual([]);
  });

  it("loads streams that a step reads only because of an earlier step", () => {
    const { decision, rounds } = run(
      both,
      [step(fillJar, { jar: "a", cents: 5 }), step(moveOn, { from: "a" })],
      { "jar-a": 10 },
    );
    expect(rounds).toEqual([["jar-a"], ["jar-of-15"]]);
    expect(decision).toMatchObject({ kind: "accepted", answer: [{ cents: 15 }, "of-15"] });
  });

  it("lets the steps depend on the state before the first", () => {
    const fillOnce = inSequence<string>({
      type: "FillOnce",
      streams: (jar) => [`jar-${jar}`],
      steps: (jar, states) =>
        states.get(jarStream, `jar-${jar}`).version === 0 ? [step(fillJar, { jar, cents: 1 })] : [],
    });
    expect(run(fillOnce, "a").events).toHaveLength(1);
    expect(run(fillOnce, "a", { "jar-a": 1 })).toMatchObject({
      decision: { kind: "accepted", events: [], answer: [] },
      events: [],
    });
  });

  it("names the stream, its version and what to raise when evolve fails on a stored state", () => {
    // A state that a program with another shape stored under the same stateVersion.
    const definition: StreamDefinition<unknown> = {
      ...jarStream,
      evolve: (state) => ({ coins: Reflect.get(Object(state), "coins").filter(Boolean) }),
    };
    const pending: Pending = {
      decider: fillJar,
      command: { jar: "a", cents: 5 },
      context: { actor: "system:test", scope: "store", key: "one", requestHash: "" },
      resolve: () => undefined,
      reject: () => undefined,
    };
    const stored = { definition, loadedVersion: 3, version: 3, state: { cents: 1 } };
    const { broken } = decideBatch([pending], new Map([["jar-a", stored]]));
    expect(broken[0]?.error).toMatchObject({
      message: expect.stringMatching(
        /evolve of jar failed on JarFilled, on the state of jar-a at version 3: .*'filter'.* raise the stateVersion of jar in its streams.ts: 1 → 2/u,
      ),
      cause: expect.any(TypeError),
    });
  });

  it("fails as a whole when a step has a bug", () => {
    const bug = run(both, [
      step(fillJar, { jar: "a", cents: 1 }),
      step(fillJar, { jar: "a", cents: 13 }),
    ]);
    expect(bug).toMatchObject({ decision: undefined, events: [], error: expect.any(Error) });
  });
});
