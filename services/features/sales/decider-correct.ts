// Decides correcting a sale that was entered wrong: posts the difference of each leg, and moves that of the stock.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents, payoutOf } from "#ledger/money.ts";
import type { Movement } from "#ledger/posting.ts";
import { moveUnits } from "#ledger/posting.ts";
import { takeUnits, itemHolding } from "#features/inventory/streams.ts";
import type { SaleTerms } from "#features/sales/events.ts";
import { SaleCorrected } from "#features/sales/events.ts";
import type { SaleChangedAnswer } from "#features/sales/found-sale.ts";
import { findSale, recipientOfSale, stockOf, streamsOfSale } from "#features/sales/found-sale.ts";
import { correctionPostings } from "#features/sales/legs.ts";
import type { RecordedSale } from "#features/sales/streams.ts";
import { saleStreamId, SOLD } from "#features/sales/streams.ts";
import { refuseRecipient } from "#features/users/streams.ts";

/** The new values; null keeps the old one. */
export type SaleChanges = {
  readonly itemName: string | null;
  readonly units: number | null;
  /** "none" says that the sale has no price; it takes none away. */
  readonly priceCents: Cents | "none" | null;
  readonly shippingCents: Cents | null;
  readonly salesTaxCents: Cents | null;
  readonly consignorPercentage: number | null;
  /** Used if it differs from the stored one. */
  readonly payoutCents: Cents | null;
};

export type CorrectSale = {
  readonly saleId: string;
  readonly changes: SaleChanges;
  readonly expectedVersion: number | null;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

/**
 * Rejects 404 `sale_not_found`; 409 `sale_changed`, `not_enough_stock`, `item_archived` (another quantity of a deleted
 * item), `consignor_left` (more for a deleted account), `below_refunds` (less than was already refunded),
 * `price_stays` ("none" for a sale with a price), `sale_refunded` (a full refund, and tax or payout would be left), `one_amount_only` (a custom sale has no quantity,
 * shipping, tax or share), `nobody_to_pay` (a payout or share on the store's own item). Appends no event if nothing
 * differs.
 */
export const correctSale: Decider<CorrectSale, SaleChangedAnswer> = {
  type: "CorrectSale",
  streams: ({ saleId }) => [saleStreamId(saleId)],
  more: ({ saleId }, states) => [
    ...streamsOfSale(states, saleId),
    ...recipientOfSale(states, saleId),
  ],
  decide: ({ saleId, changes, expectedVersion, noteId, happenedAt }, states) => {
    const found = findSale(states, saleId, expectedVersion);
    if (found.kind === "rejected") {
      return found;
    }
    const { sale, version } = found;
    const before = sale.terms;
    const after = correctedTerms(sale, changes);
    if ("kind" in after) {
      return after;
    }
    const answer = (newVersion: number): SaleChangedAnswer => ({
      saleId,
      version: newVersion,
      payoutCents: after.payoutCents,
      refundedCents: 0,
      refundedTaxCents: 0,
      refundedPayoutCents: 0,
    });
    if (sameTerms(before, after)) {
      return accept([], answer(version));
    }
    const movements = correctedUnits(states, sale, after.units - before.units);
    if ("kind" in movements) {
      return movements;
    }
    const isMore = after.payoutCents > before.payoutCents;
    if (isMore && refuseRecipient(states, sale.consignorId) !== null) {
      return reject(
        409,
        "consignor_left",
        "This consignor's account was deleted: nobody could be paid more for this sale",
      );
    }
    const { consignorId, itemId } = sale;
    const event = emit(
      SaleCorrected,
      { saleId, consignorId, itemId, before, after, rounding: "half_up", noteId },
      {
        streams: [saleStreamId(saleId), ...streamsOfSale(states, saleId)],
        postings: correctionPostings(sale, before, after),
        movements,
        happenedAt,
      },
    );
    return accept([event], answer(version + 1));
  },
};

/** More sold units are taken from the item, fewer go back to it. A deleted item allows neither. */
function correctedUnits(
  states: States,
  sale: RecordedSale,
  moreUnits: number,
): readonly Movement[] | Rejection {
  const stock = stockOf(states, sale);
  if (stock === null || moreUnits === 0) {
    return [];
  }
  const { itemId, archived } = stock;
  if (archived) {
    return reject(
      409,
      "item_archived",
      "This item was deleted: restore it to change how many of it were sold",
    );
  }
  if (moreUnits < 0) {
    return moveUnits(SOLD, itemHolding.of(itemId), -moreUnits);
  }
  const ownerUid = sale.consignorId;
  const taken = takeUnits(states, { itemId, ownerUid, units: moreUnits, to: SOLD });
  return taken.kind === "rejected" ? taken : taken.movements;
}

type NewTerms = SaleChanges & { readonly priceCents: Cents | null };

function correctedTerms(sale: RecordedSale, wanted: SaleChanges): SaleTerms | Rejection {
  if (wanted.priceCents === "none" && sale.terms.priceCents !== null) {
    return reject(
      409,
      "price_stays",
      "This sale has a price, which can be corrected but not removed",
    );
  }
  const changes = {
    ...wanted,
    priceCents: wanted.priceCents === "none" ? null : wanted.priceCents,
  };
  const after = sale.kind === "custom" ? customTerms(sale, changes) : itemTerms(sale, changes);
  return "kind" in after ? after : (againstRefunds(sale, after) ?? after);
}

function itemTerms(sale: RecordedSale, changes: NewTerms): SaleTerms | Rejection {
  const before = sale.terms;
  if (sale.kind === "master" && ((changes.payoutCents ?? 0) > 0 || changes.consignorPercentage)) {
    return reject(409, "nobody_to_pay", "Nobody is paid for an item of the store itself");
  }
  const after = {
    itemName: changes.itemName ?? before.itemName,
    units: changes.units ?? before.units,
    priceCents: changes.priceCents ?? before.priceCents,
    shippingCents: changes.shippingCents ?? before.shippingCents,
    salesTaxCents: changes.salesTaxCents ?? before.salesTaxCents,
    consignorPercentage:
      sale.kind === "master" ? null : (changes.consignorPercentage ?? before.consignorPercentage),
  };
  return { ...after, payoutCents: correctedPayout(sale, after, changes.payoutCents) };
}

/**
 * A typed payout is used as it is; otherwise the payout is computed again if one of its inputs changed. After a
 * full refund it stays as it was, because it was refunded too.
 */
function correctedPayout(
  sale: RecordedSale,
  after: Omit<SaleTerms, "payoutCents">,
  typedCents: Cents | null,
): Cents {
  const before = sale.terms;
  if (typedCents !== null && typedCents !== before.payoutCents) {
    return typedCents;
  }
  const sameInputs =
    after.priceCents === before.priceCents &&
    after.shippingCents === before.shippingCents &&
    after.consignorPercentage === before.consignorPercentage;
  return sameInputs || after.consignorPercentage === null || isAllBack(sale, after)
    ? before.payoutCents
    : payoutOf(after.priceCents ?? 0, after.shippingCents, after.consignorPercentage);
}

/** A custom sale is one amount that goes to the consignor in full: price and payout are the same. */
function customTerms(sale: RecordedSale, changes: NewTerms): SaleTerms | Rejection {
  const before = sale.terms;
  const amounts = [changes.priceCents, changes.payoutCents].filter(
    (cents) => cents !== null && cents !== before.payoutCents,
  );
  const amountCents = amounts[0] ?? before.payoutCents;
  if (
    amounts.some((cents) => cents !== amountCents) ||
    (changes.units ?? 1) !== 1 ||
    (changes.shippingCents ?? 0) !== 0 ||
    (changes.salesTaxCents ?? 0) !== 0 ||
    changes.consignorPercentage !== null
  ) {
    return reject(
      409,
      "one_amount_only",
      "A custom sale is one amount that goes to the consignor: no quantity, shipping, tax or share",
    );
  }
  const itemName = changes.itemName ?? before.itemName;
  return { ...before, itemName, priceCents: amountCents, payoutCents: amountCents };
}

/** Whether refunds returned every unit and the whole price of a sale with these terms. */
function isAllBack(
  { refunded }: RecordedSale,
  terms: Pick<SaleTerms, "units" | "priceCents">,
): boolean {
  return refunded.units === terms.units && refunded.priceCents === (terms.priceCents ?? 0);
}

/**
 * Refunds stay: the corrected sale cannot be less than what was already refunded, and after a full refund no tax
 * or payout may be left, because no further refund could return it.
 */
function againstRefunds(sale: RecordedSale, after: SaleTerms): Rejection | null {
  const { refunded } = sale;
  const no = (what: string): Rejection =>
    reject(409, "below_refunds", `Refunds already returned ${what} of this sale`, {
      refundedUnits: refunded.units,
      refundedCents: refunded.priceCents,
      refundedTaxCents: refunded.salesTaxCents,
      refundedPayoutCents: refunded.payoutCents,
    });
  if (after.units < refunded.units) {
    return no(refunded.units === 1 ? "1 unit" : `${refunded.units} units`);
  }
  if ((after.priceCents ?? 0) < refunded.priceCents) {
    return no(`${formatCents(refunded.priceCents)} of the price`);
  }
  if (after.salesTaxCents < refunded.salesTaxCents) {
    return no(`${formatCents(refunded.salesTaxCents)} of the tax`);
  }
  if (after.payoutCents < refunded.payoutCents) {
    return no(`${formatCents(refunded.payoutCents)} of the payout`);
  }
  const isRest =
    after.salesTaxCents > refunded.salesTaxCents || after.payoutCents > refunded.payoutCents;
  return isRest && isAllBack(sale, after)
    ? reject(409, "sale_refunded", "This sale was refunded in full: neither tax nor payout is left")
    : null;
}

function sameTerms(a: SaleTerms, b: SaleTerms): boolean {
  return (
    a.itemName === b.itemName &&
    a.units === b.units &&
    a.priceCents === b.priceCents &&
    a.shippingCents === b.shippingCents &&
    a.salesTaxCents === b.salesTaxCents &&
    a.consignorPercentage === b.consignorPercentage &&
    a.payoutCents === b.payoutCents
  );
}
