// The stream of a consignor's money: what may be requested now, and what was requested and is not paid yet.
import type { StreamDefinition } from "#ledger/decider.ts";
import type { Cents } from "#ledger/money.ts";
import { account, netOf } from "#ledger/posting.ts";

export type ConsignorState = {
  /** What may be requested as a payout now; negative where the consignor owes the store. */
  readonly availableCents: Cents;
  /** Requested payouts that are neither paid nor deleted. */
  readonly inTransitCents: Cents;
};

const PREFIX = "consignor-";

/** The stream of one consignor. Every event that posts to one of the two accounts must extend it. */
export function consignorStreamId(uid: string): string {
  return `${PREFIX}${uid}`;
}

/** Evolves by postings alone, so that every feature's events change balances without being named here. */
export const consignorStream: StreamDefinition<ConsignorState> = {
  category: "consignor",
  stateVersion: 1,
  initial: { availableCents: 0, inTransitCents: 0 },
  evolve: (state, event, streamId) => {
    const uid = streamId.slice(PREFIX.length);
    return {
      availableCents: state.availableCents + netOf(event.postings, account.available(uid)),
      inTransitCents: state.inTransitCents + netOf(event.postings, account.payouts(uid)),
    };
  },
};
