// The stream of a consignor's money: what may be requested now, and what was requested and is not paid yet.
import type { StreamDefinition } from "#ledger/decider.ts";
import type { Facts } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { defineName, defineNameFamily } from "#ledger/names.ts";
import { netOf } from "#ledger/posting.ts";

export type ConsignorState = {
  /** What may be requested as a payout now; negative if the consignor owes the store. */
  readonly availableCents: Cents;
  /** Requested payouts that are neither paid nor deleted. */
  readonly inTransitCents: Cents;
};

export const consignorStreamName = defineName("consignor_stream", "consignor-");

/** The stream of one consignor. Every event that posts to one of the two accounts must extend it. */
export function consignorStreamId(uid: string): string {
  return consignorStreamName.of(uid);
}

/** What a consignor may request as a payout now. */
export const availableAccount = defineName(
  "consignor_available_account",
  "consignor:",
  ":available",
);

/** What was requested and is not paid yet. */
export const payoutsAccount = defineName("consignor_payouts_account", "consignor:", ":payouts");

/** Either of the two accounts. */
export const consignorAccount = defineNameFamily("consignor_account", "consignor:");

export const accountNames = [
  consignorStreamName,
  availableAccount,
  payoutsAccount,
  consignorAccount,
] as const;

/** SQL of type text[]: everybody whose account an event of this stream (an SQL expression) changed. */
export function accountsInStream(stream: string): string {
  return `array(
    select distinct log.id_of_consignor_stream(other.stream_id)
    from {streams} own join {streams} other on other.position = own.position
    where own.stream_id = ${stream} and log.is_consignor_stream(other.stream_id))`;
}

/** The store's side when an admin sets a balance. */
export const STORE_ADJUSTMENTS = "store:adjustments";

/** Evolves only by postings, so that every feature's events change balances without being named here. */
export const consignorStream: StreamDefinition<ConsignorState> = {
  category: "consignor",
  stateVersion: 1,
  initial: { availableCents: 0, inTransitCents: 0 },
  evolve: (state, event, streamId) => {
    const uid = consignorStreamName.idOf(streamId);
    return {
      availableCents: state.availableCents + netOf(event.postings, availableAccount.of(uid)),
      inTransitCents: state.inTransitCents + netOf(event.postings, payoutsAccount.of(uid)),
    };
  },
};

/** What is wrong with an event that takes more than the consignor has available; null if it does not. For verify. */
export function moreThanAvailable(
  uid: string,
  { availableCents }: ConsignorState,
  { postings }: Facts,
): string | null {
  const takenCents = 0 - netOf(postings, availableAccount.of(uid));
  return takenCents > 0 && takenCents > availableCents
    ? `it takes ${takenCents} cents, but ${availableCents} are available`
    : null;
}

/**
 * SQL: when a line is booked, over the lines of an account so far. It is when the line happened, or when the line before
 * it was booked if that is later: a late entry belongs to the month that was open when it came, so a past month never
 * changes. `happened` is not before the end of a month that was closed by then; `before` is when the last earlier line was booked, or null. Statements and reports go by this time.
 */
export function bookedAt(happened: string, before: string, linesSoFar: string): string {
  return `max(greatest(${happened}, ${before})) over ${linesSoFar}`;
}
