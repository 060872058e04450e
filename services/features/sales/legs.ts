// The legs of a sale: which money goes where. A sale posts them, a correction their difference, a refund a part in reverse.
import type { Cents } from "#ledger/money.ts";
import { shareOf } from "#ledger/money.ts";
import type { Posting } from "#ledger/posting.ts";
import { move } from "#ledger/posting.ts";
import type { SaleTerms } from "#features/sales/events.ts";
import type { RecordedSale } from "#features/sales/streams.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import {
  CUSTOMERS,
  STORE_REVENUE,
  STORE_SHIPPING,
  STORE_SALES_TAX,
} from "#features/sales/streams.ts";

type Leg = { readonly from: string; readonly to: string; readonly cents: Cents };
type Parties = Pick<RecordedSale, "kind" | "consignorId">;

/** Money that is refunded, or was refunded so far. */
export type RefundCents = {
  readonly priceCents: Cents;
  readonly salesTaxCents: Cents;
  readonly payoutCents: Cents;
};

function legsOf({ kind, consignorId }: Parties, terms: SaleTerms): readonly Leg[] {
  const available = consignorId === null ? null : availableAccount.of(consignorId);
  const price = terms.priceCents ?? 0;
  if (kind === "custom" && available !== null) {
    return [{ from: CUSTOMERS, to: available, cents: price }];
  }
  return [
    { from: CUSTOMERS, to: STORE_REVENUE, cents: price },
    { from: CUSTOMERS, to: STORE_SALES_TAX, cents: terms.salesTaxCents },
    { from: STORE_REVENUE, to: STORE_SHIPPING, cents: terms.shippingCents },
    ...(available === null
      ? []
      : [{ from: STORE_REVENUE, to: available, cents: terms.payoutCents }]),
  ];
}

/** What recording a sale posts. */
export function salePostings(parties: Parties, terms: SaleTerms): Posting[] {
  return legsOf(parties, terms).flatMap(({ from, to, cents }) => move(from, to, cents));
}

/** What a correction posts: each leg's difference, in reverse if it got smaller. */
export function correctionPostings(
  parties: Parties,
  before: SaleTerms,
  after: SaleTerms,
): Posting[] {
  const old = legsOf(parties, before);
  return legsOf(parties, after).flatMap(({ from, to, cents }, index) =>
    move(from, to, cents - (old[index]?.cents ?? 0)),
  );
}

/** What a refund posts: the same legs in reverse, without the shipping. */
export function refundPostings(parties: Parties, back: RefundCents): Posting[] {
  const terms: SaleTerms = {
    itemName: "",
    units: 1,
    shippingCents: 0,
    consignorPercentage: null,
    ...back,
  };
  return legsOf(parties, terms).flatMap(({ from, to, cents }) => move(to, from, cents));
}

/**
 * What is refunded for `units` more units: each leg's cumulative share, less what was refunded before, so that
 * nothing is lost to rounding in any order, and the last unit takes all that is left. The tax is what the share of the
 * price with its tax has above the price's own, because a customer paid that for a unit: rounded each for itself, the
 * first of two units at $268.00 would give back a cent more.
 */
export function refundByUnits(sale: RecordedSale, units: number): RefundCents {
  const { terms, refunded } = sale;
  const price = terms.priceCents ?? 0;
  const share = (total: Cents): Cents => shareOf(total, refunded.units + units, terms.units);
  const taxCents = share(price + terms.salesTaxCents) - share(price);
  return {
    priceCents: Math.max(0, share(price) - refunded.priceCents),
    salesTaxCents: Math.max(0, taxCents - refunded.salesTaxCents),
    payoutCents: Math.max(0, share(terms.payoutCents) - refunded.payoutCents),
  };
}

/**
 * What is refunded for this much of the price: tax and payout in proportion to the price refunded so far. The
 * amount is at most what is left of the price, and the price is positive.
 */
export function refundByAmount(sale: RecordedSale, amountCents: Cents): RefundCents {
  const { terms, refunded } = sale;
  const price = terms.priceCents ?? 0;
  const due = (total: Cents, before: Cents): Cents =>
    Math.max(0, shareOf(total, refunded.priceCents + amountCents, price) - before);
  return {
    priceCents: amountCents,
    salesTaxCents: due(terms.salesTaxCents, refunded.salesTaxCents),
    payoutCents: due(terms.payoutCents, refunded.payoutCents),
  };
}
