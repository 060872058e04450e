// Decides that an admin sets a consignor's balance by hand: the event has the balance before and after.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { move } from "#ledger/posting.ts";
import { BalanceSet } from "#features/accounts/events.ts";
import {
  consignorStream,
  consignorStreamId,
  availableAccount,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type SetBalance = {
  readonly uid: string;
  readonly balanceCents: Cents;
  /** The balance that the form showed; null if there was no form. */
  readonly expectedCents: Cents | null;
  /** Where identity.notes keeps the reason; null without one. */
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type BalanceChange = { readonly beforeCents: Cents; readonly afterCents: Cents };

/**
 * Rejects 404 `consignor_not_found` and 409 `balance_changed`. Nothing happens if the balance is already right. A
 * deleted consignor's balance can be set to zero, to write off what a late refund or correction left.
 */
export const setBalance: Decider<SetBalance, BalanceChange> = {
  type: "SetBalance",
  streams: ({ uid }) => [consignorStreamId(uid), ...recipientStreams(uid)],
  decide: ({ uid, balanceCents, expectedCents, noteId, happenedAt }, states) => {
    const refusal = balanceCents === 0 ? null : refuseRecipient(states, uid);
    if (refusal !== null) {
      return refusal;
    }
    const streamId = consignorStreamId(uid);
    const before = states.get(consignorStream, streamId).state.availableCents;
    if (expectedCents !== null && expectedCents !== before) {
      return reject(409, "balance_changed", `The balance is ${formatCents(before)} by now`, {
        balanceCents: before,
      });
    }
    const change = { beforeCents: before, afterCents: balanceCents };
    if (before === balanceCents) {
      return accept([], change);
    }
    const event = emit(
      BalanceSet,
      { uid, ...change, noteId },
      {
        streams: [streamId],
        postings: move(STORE_ADJUSTMENTS, availableAccount.of(uid), balanceCents - before),
        happenedAt,
      },
    );
    return accept([event], change);
  },
};
