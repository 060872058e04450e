// Decides refunding all or part of a sale: its postings are reversed, and the units go where the admin says.
import type { Decider, Rejection } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { moveUnits } from "#ledger/posting.ts";
import type { SaleTender } from "#features/sales/events.ts";
import { SaleRefunded } from "#features/sales/events.ts";
import type { SaleChangedAnswer } from "#features/sales/found-sale.ts";
import { findSale, recipientOfSale, stockOf, streamsOfSale } from "#features/sales/found-sale.ts";
import { refundByAmount, refundByUnits, refundPostings } from "#features/sales/legs.ts";
import type { RecordedSale } from "#features/sales/streams.ts";
import { saleStreamId, SOLD } from "#features/sales/streams.ts";
import { refuseRecipient } from "#features/users/streams.ts";
import { itemHolding } from "#features/inventory/streams.ts";

export type RefundSale = {
  readonly saleId: string;
  /** Units to refund; 0 only with an amount. */
  readonly units: number;
  /** How much of the price to refund, without tax; null for the units' share. */
  readonly amountCents: Cents | null;
  readonly restock: boolean;
  readonly expectedVersion: number | null;
  /** How the customer gets the money back; missing if nobody said. */
  readonly tender?: SaleTender;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

/**
 * Rejects 404 `sale_not_found`, `consignor_not_found` (with restock); 409 `sale_changed`, `more_than_sold`, `more_than_paid`, and `item_archived`
 * if units are restocked to a deleted item. The available balance may become negative.
 */
export const refundSale: Decider<RefundSale, SaleChangedAnswer> = {
  type: "RefundSale",
  streams: ({ saleId }) => [saleStreamId(saleId)],
  more: ({ saleId, restock }, states) => [
    ...streamsOfSale(states, saleId),
    ...(restock ? recipientOfSale(states, saleId) : []),
  ],
  decide: (command, states) => {
    const { saleId, units, amountCents, expectedVersion, noteId, happenedAt } = command;
    const found = findSale(states, saleId, expectedVersion);
    if (found.kind === "rejected") {
      return found;
    }
    const { sale, version } = found;
    // The customer gets the money back in any case. Units go back only to a consignor who is still here.
    if (command.restock && refuseRecipient(states, sale.consignorId) !== null) {
      return reject(
        404,
        "consignor_not_found",
        "The consignor's account was deleted: refund without restocking",
      );
    }
    const refused = tooMuch(sale, units, amountCents);
    if (refused !== null) {
      return refused;
    }
    const stock = stockOf(states, sale);
    const restocked = command.restock && units > 0 && stock !== null;
    if (restocked && stock.archived) {
      return reject(
        409,
        "item_archived",
        "This item was deleted: restore it, or refund without restocking",
      );
    }
    const back =
      amountCents === null ? refundByUnits(sale, units) : refundByAmount(sale, amountCents);
    const { consignorId, itemId } = sale;
    const { itemName } = sale.terms;
    const { tender } = command;
    const event = emit(
      SaleRefunded,
      {
        saleId,
        consignorId,
        itemId,
        itemName,
        units,
        restocked,
        ...back,
        rounding: "half_up",
        noteId,
        ...(tender === undefined ? {} : { tender }),
      },
      {
        streams: [saleStreamId(saleId), ...streamsOfSale(states, saleId)],
        postings: refundPostings(sale, back),
        movements: restocked ? moveUnits(SOLD, itemHolding.of(stock.itemId), units) : [],
        happenedAt,
      },
    );
    return accept([event], {
      saleId,
      version: version + 1,
      payoutCents: sale.terms.payoutCents,
      refundedCents: back.priceCents,
      refundedTaxCents: back.salesTaxCents,
      refundedPayoutCents: back.payoutCents,
    });
  },
};

function tooMuch(sale: RecordedSale, units: number, amountCents: Cents | null): Rejection | null {
  const { terms, refunded } = sale;
  const unitsLeft = terms.units - refunded.units;
  if (units > unitsLeft) {
    const message = `Only ${unitsLeft} of ${terms.units} sold ${terms.units === 1 ? "unit" : "units"} can still be refunded`;
    return reject(409, "more_than_sold", message, { unitsLeft });
  }
  const centsLeft = (terms.priceCents ?? 0) - refunded.priceCents;
  if (amountCents !== null && amountCents > centsLeft) {
    const message = `Only ${formatCents(centsLeft)} of the price can still be refunded`;
    return reject(409, "more_than_paid", message, { centsLeft });
  }
  return null;
}
