// A tiny domain of its own for the ledger's tests: tills that take in and pay out, and may never go below zero.
import { z } from "zod/mini";
import type { Decider, StreamDefinition } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent, emit } from "#ledger/event.ts";
import { move, moveUnits, netOf } from "#ledger/posting.ts";

export const HAPPENED_AT = "2026-11-21T10:00:00.000Z";

export const tillFilled = defineEvent(
  "TillFilled",
  1,
  z.object({ till: z.string(), cents: z.number(), note: z.optional(z.string()) }),
);
export const tillPaidOut = defineEvent(
  "TillPaidOut",
  1,
  z.object({ from: z.string(), to: z.string(), cents: z.number() }),
);

export type TillState = { readonly cents: number };

export const tillStream: StreamDefinition<TillState> = {
  category: "till",
  stateVersion: 1,
  initial: { cents: 0 },
  evolve: (state, event, streamId) => ({ cents: state.cents + netOf(event.postings, streamId) }),
};

export type FillTill = { readonly till: string; readonly cents: number; readonly note?: string };

export const fillTill: Decider<FillTill, { cents: number }> = {
  type: "FillTill",
  streams: ({ till }) => [`till-${till}`],
  decide: ({ till, cents, note }, states) => {
    if (cents === 13) {
      throw new Error("a bug in this very command");
    }
    const id = `till-${till}`;
    const before = states.get(tillStream, id).state.cents;
    return accept(
      [
        emit(tillFilled, note === undefined ? { till, cents } : { till, cents, note }, {
          streams: [id],
          happenedAt: HAPPENED_AT,
          postings: move("world:customers", id, cents),
          movements: moveUnits("world:received", "item:coins", 1),
        }),
      ],
      { cents: before + cents },
    );
  },
};

export type PayOut = { readonly from: string; readonly to: string; readonly cents: number };

export const payOut: Decider<PayOut, { left: number }> = {
  type: "PayOut",
  streams: ({ from, to }) => [`till-${from}`, `till-${to}`],
  decide: ({ from, to, cents }, states) => {
    const source = states.get(tillStream, `till-${from}`);
    if (source.version === 0) {
      return reject(404, "till_not_found", `There is no till ${from}`);
    }
    if (source.state.cents < cents) {
      return reject(409, "till_too_low", `The till holds ${source.state.cents} cents`);
    }
    return accept(
      [
        emit(
          tillPaidOut,
          { from, to, cents },
          {
            streams: [`till-${from}`, `till-${to}`],
            happenedAt: HAPPENED_AT,
            postings: move(`till-${from}`, `till-${to}`, cents),
          },
        ),
      ],
      { left: source.state.cents - cents },
    );
  },
};

export const tillStreams: ReadonlyMap<string, StreamDefinition<unknown>> = new Map<
  string,
  StreamDefinition<unknown>
>([["till", tillStream]]);

export const tillEvents: ReadonlyMap<string, EventDefinition> = new Map<string, EventDefinition>([
  [tillFilled.type, tillFilled],
  [tillPaidOut.type, tillPaidOut],
]);
