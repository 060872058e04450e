// Decides that collected sales tax was passed on to the tax authority, and that a remittance was entered wrong.
import type { Decider, Rejection } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { move } from "#ledger/posting.ts";
import { monthRefusals } from "#features/months/contract.ts";
import { SalesTaxRemittanceReversed, SalesTaxRemitted } from "#features/months/events.ts";
import type { Remittance, RemittancesState } from "#features/months/streams.ts";
import { REMITTANCES, remittancesStream, TAX_AUTHORITY } from "#features/months/streams.ts";
import { STORE_SALES_TAX } from "#features/sales/streams.ts";

export type RemitSalesTax = {
  readonly remittanceId: string;
  /** The month whose tax it is. */
  readonly month: string;
  readonly amountCents: Cents;
  readonly reference: string;
  /** What customers paid, less what they got back, as the tables have it. */
  readonly collectedCents: Cents;
  readonly noteId: string | null;
  /** When it was paid. */
  readonly happenedAt: string;
};

export type RemittedAnswer = { readonly remittanceId: string; readonly owedCents: Cents };

function remittedCents({ remittances }: RemittancesState): Cents {
  return remittances.reduce((sum, one) => sum + (one.reversed ? 0 : one.amountCents), 0);
}

/** Rejects 409 `more_than_owed`. */
export const remitSalesTax: Decider<RemitSalesTax, RemittedAnswer> = {
  type: "RemitSalesTax",
  streams: () => [REMITTANCES],
  decide: ({ collectedCents, happenedAt, ...remitted }, states) => {
    const { state } = states.get(remittancesStream, REMITTANCES);
    const owedCents = collectedCents - remittedCents(state);
    const { amountCents } = remitted;
    if (amountCents > owedCents) {
      const message =
        owedCents > 0
          ? `Only ${formatCents(owedCents)} of collected sales tax is not remitted yet`
          : "All sales tax that was collected is remitted";
      return reject(monthRefusals.more_than_owed.status, "more_than_owed", message, { owedCents });
    }
    const event = emit(SalesTaxRemitted, remitted, {
      streams: [REMITTANCES],
      postings: move(STORE_SALES_TAX, TAX_AUTHORITY, amountCents),
      happenedAt,
    });
    const { remittanceId } = remitted;
    return accept([event], { remittanceId, owedCents: owedCents - amountCents });
  },
};

export type ReverseRemittance = {
  readonly remittanceId: string;
  readonly collectedCents: Cents;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

/** Rejects 404 `remittance_not_found` and 409 `remittance_reversed`. */
export function findRemittance(
  { remittances }: RemittancesState,
  remittanceId: string,
): Remittance | Rejection {
  const found = remittances.find(({ id }) => id === remittanceId);
  if (found === undefined) {
    const { status, message } = monthRefusals.remittance_not_found;
    return reject(status, "remittance_not_found", message);
  }
  if (found.reversed) {
    const { status, message } = monthRefusals.remittance_reversed;
    return reject(status, "remittance_reversed", message);
  }
  return found;
}

/** Rejects what `findRemittance` does. */
export const reverseRemittance: Decider<ReverseRemittance, RemittedAnswer> = {
  type: "ReverseSalesTaxRemittance",
  streams: () => [REMITTANCES],
  decide: ({ remittanceId, collectedCents, noteId, happenedAt }, states) => {
    const { state } = states.get(remittancesStream, REMITTANCES);
    const found = findRemittance(state, remittanceId);
    if ("kind" in found) {
      return found;
    }
    const { month, amountCents } = found;
    const event = emit(
      SalesTaxRemittanceReversed,
      { remittanceId, month, amountCents, noteId },
      {
        streams: [REMITTANCES],
        postings: move(TAX_AUTHORITY, STORE_SALES_TAX, amountCents),
        happenedAt,
      },
    );
    const owedCents = collectedCents - remittedCents(state) + amountCents;
    return accept([event], { remittanceId, owedCents });
  },
};
