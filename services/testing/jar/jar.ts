// A toy domain for the ledger's tests: money jars that are filled and paid out of, and may never go below zero.
import { z } from "zod/mini";
import type { Decider, StreamDefinition } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent, emit } from "#ledger/event.ts";
import { move, moveUnits, netOf } from "#ledger/posting.ts";

export const HAPPENED_AT = "2026-11-21T10:00:00.000Z";

export const jarFilled = defineEvent(
  "JarFilled",
  1,
  z.object({ jar: z.string(), cents: z.number(), note: z.optional(z.string()) }),
);
export const jarPaidOut = defineEvent(
  "JarPaidOut",
  1,
  z.object({ from: z.string(), to: z.string(), cents: z.number() }),
);

export type JarState = { readonly cents: number };

export const jarStream: StreamDefinition<JarState> = {
  category: "jar",
  stateVersion: 1,
  initial: { cents: 0 },
  evolve: (state, event, streamId) => ({ cents: state.cents + netOf(event.postings, streamId) }),
};

export type FillJar = { readonly jar: string; readonly cents: number; readonly note?: string };

export const fillJar: Decider<FillJar, { cents: number }> = {
  type: "FillJar",
  streams: ({ jar }) => [`jar-${jar}`],
  decide: ({ jar, cents, note }, states) => {
    if (cents === 13) {
      throw new Error("a bug in this command");
    }
    const id = `jar-${jar}`;
    const before = states.get(jarStream, id).state.cents;
    return accept(
      [
        emit(jarFilled, note === undefined ? { jar, cents } : { jar, cents, note }, {
          streams: [id],
          happenedAt: HAPPENED_AT,
          postings: move("world:customers", id, cents),
          movements: moveUnits("world:received", "coins", 1),
        }),
      ],
      { cents: before + cents },
    );
  },
};

export type PayOut = { readonly from: string; readonly to: string; readonly cents: number };

export const payOut: Decider<PayOut, { left: number }> = {
  type: "PayOut",
  streams: ({ from, to }) => [`jar-${from}`, `jar-${to}`],
  decide: ({ from, to, cents }, states) => {
    const source = states.get(jarStream, `jar-${from}`);
    if (source.version === 0) {
      return reject(404, "jar_not_found", `There is no jar ${from}`);
    }
    if (source.state.cents < cents) {
      return reject(409, "jar_too_low", `The jar holds ${source.state.cents} cents`);
    }
    return accept(
      [
        emit(
          jarPaidOut,
          { from, to, cents },
          {
            streams: [`jar-${from}`, `jar-${to}`],
            happenedAt: HAPPENED_AT,
            postings: move(`jar-${from}`, `jar-${to}`, cents),
          },
        ),
      ],
      { left: source.state.cents - cents },
    );
  },
};

export const jarStreams: ReadonlyMap<string, StreamDefinition<unknown>> = new Map<
  string,
  StreamDefinition<unknown>
>([["jar", jarStream]]);

export const jarEvents: ReadonlyMap<string, EventDefinition> = new Map<string, EventDefinition>([
  [jarFilled.type, jarFilled],
  [jarPaidOut.type, jarPaidOut],
]);
