// What each event of a payout may say by the state of its stream before it, whoever wrote it: part of `npm run verify`.
import type { Facts } from "#ledger/event.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows, saysOther } from "#ledger/verify/stream-rules.ts";
import type { ConsignorState } from "#features/accounts/streams.ts";
import {
  consignorStream,
  consignorStreamId,
  moreThanAvailable,
} from "#features/accounts/streams.ts";
import { CLAIMED_FOR_MS } from "#features/payouts/contract.ts";
import { refuseClaimed } from "#features/payouts/decider.ts";
import {
  PayoutClaimed,
  PayoutClaimReleased,
  PayoutDeleted,
  PayoutHandleCorrected,
  PayoutPaid,
  PayoutRequested,
  PayoutReturned,
} from "#features/payouts/events.ts";
import type { PayoutMethod, PayoutState, RequestedPayout } from "#features/payouts/streams.ts";
import { payoutStream, payoutStreamId } from "#features/payouts/streams.ts";

type OfPayout = { readonly payoutId: string; readonly consignorId: string };

const ofPayout: Subject<OfPayout, PayoutState> = {
  check: "balances",
  definition: payoutStream,
  streamOf: ({ payoutId }) => payoutStreamId(payoutId),
};

const ofConsignor: Subject<OfPayout, ConsignorState> = {
  check: "balances",
  definition: consignorStream,
  streamOf: ({ consignorId }) => consignorStreamId(consignorId),
};

/** For what follows on a request with this status: it is of the same consignor, and nothing else is wrong. */
function after<Data extends OfPayout>(
  status: RequestedPayout["status"],
  wrong: (data: Data, payout: RequestedPayout, facts: Facts) => string | null,
) {
  return (data: Data, before: PayoutState, facts: Facts): string | null => {
    if (before.status !== status) {
      return before.status === "none" ? "there is no request" : `the request is ${before.status}`;
    }
    const { consignorId } = before;
    return (
      saysOther({ consignorId: data.consignorId }, { consignorId }) ?? wrong(data, before, facts)
    );
  };
}

type Settled = OfPayout & { readonly amountCents: number; readonly method: PayoutMethod };

/** The amount that was requested, by the method of the handle that counts. */
function asRequested(
  { amountCents, method }: Settled,
  { amountCents: requestedCents, handle }: RequestedPayout,
): string | null {
  return saysOther({ amountCents, method }, { amountCents: requestedCents, method: handle.method });
}

export const payoutFollows: readonly BookCheck[] = [
  follows(PayoutRequested, ofPayout, (_data, { status }) =>
    status === "none" ? null : "it was requested before",
  ),
  follows(PayoutRequested, ofConsignor, ({ consignorId }, before, facts) =>
    moreThanAvailable(consignorId, before, facts),
  ),
  follows(
    PayoutHandleCorrected,
    ofPayout,
    after("pending", (_data, { claim }) => (claim === null ? null : "somebody is paying it")),
  ),
  follows(
    PayoutClaimed,
    ofPayout,
    after("pending", ({ claimedBy, claimedUntil }, payout, { happenedAt }) => {
      const refusal = refuseClaimed(payout, { adminUid: claimedBy, happenedAt });
      if (refusal !== null) {
        return refusal.message;
      }
      const claimedForMs = Date.parse(claimedUntil) - Date.parse(happenedAt);
      return claimedForMs <= CLAIMED_FOR_MS
        ? null
        : `it is claimed until ${claimedUntil}, more than ${CLAIMED_FOR_MS / 60_000} minutes`;
    }),
  ),
  follows(
    PayoutClaimReleased,
    ofPayout,
    after("pending", ({ claimedBy }, { claim }) =>
      saysOther({ claimedBy }, { claimedBy: claim?.uid ?? null }),
    ),
  ),
  follows(
    PayoutPaid,
    ofPayout,
    after("pending", ({ amountCents, method, handleId, handleHash }, payout) => {
      const { handle, earlierHandles } = payout;
      const sentTo =
        handleId === null
          ? { ...handle, handleId, handleHash }
          : [handle, ...earlierHandles].find((named) => named.handleId === handleId);
      return sentTo === undefined
        ? `it names the handle ${handleId}, and the request never did`
        : saysOther(
            { amountCents, method, handleHash },
            {
              amountCents: payout.amountCents,
              method: sentTo.method,
              handleHash: sentTo.handleHash,
            },
          );
    }),
  ),
  follows(
    PayoutDeleted,
    ofPayout,
    after("pending", ({ by, ...deleted }, payout) =>
      by === "consignor" && payout.claim !== null
        ? "somebody is paying it"
        : asRequested(deleted, payout),
    ),
  ),
  follows(PayoutReturned, ofPayout, after<Settled>("paid", asRequested)),
];
