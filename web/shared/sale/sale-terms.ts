// A sale's terms while they are corrected or refunded: drafts from the sale, requests from the drafts, and the effect of each.
import type { OwnSaleView, SaleView } from "#features/sales/contract.ts";
import type { CorrectSaleRequest } from "#features/sales/contract-commands.ts";
import { shareOf, toCents, type Cents } from "#ledger/money.ts";
import {
  dollarsText,
  dollarsToSend,
  parseDollars,
  parseWhole,
  wholeToSend,
} from "#web/lib/amount.ts";
import { splitOf, type SaleSplit } from "./sale-split.ts";

export type CorrectionDraft = {
  readonly itemName: string;
  readonly soldQuantity: string;
  readonly salePrice: string;
  readonly shippingCost: string;
  readonly percentage: string;
  /** Undefined while it follows from the price; text once the admin typed an amount. */
  readonly salesTax: string | undefined;
  /** Undefined while the formula applies; text once the admin typed an amount. */
  readonly payout: string | undefined;
  readonly reason: string;
};

export function draftOf(sale: SaleView): CorrectionDraft {
  return {
    itemName: sale.itemName,
    soldQuantity: String(sale.soldQuantity),
    salePrice: sale.salePrice === null ? "" : dollarsText(toCents(sale.salePrice)),
    shippingCost: dollarsText(toCents(sale.shippingCost)),
    percentage: String(sale.consignorPercentage ?? 0),
    salesTax: undefined,
    payout: undefined,
    reason: "",
  };
}

/** Whether another price has another tax: the till charged one, at a rate that is known. */
export function hasTaxByRate({ taxRate, salesTax }: SaleView): boolean {
  return taxRate !== null && salesTax > 0;
}

/** The tax as it was sold, or at the sale's rate once the price is another one. */
function taxOfPrice(sale: SaleView, draft: CorrectionDraft): Cents {
  const priceCents = parseDollars(draft.salePrice);
  const isSamePrice = priceCents === undefined || priceCents === toCents(sale.salePrice ?? 0);
  return isSamePrice || !hasTaxByRate(sale)
    ? toCents(sale.salesTax)
    : shareOf(priceCents, sale.taxRate?.basisPoints ?? 0, 10_000);
}

/** What the field of the sales tax shows. */
export function taxText(sale: SaleView, draft: CorrectionDraft): string {
  return draft.salesTax ?? dollarsText(taxOfPrice(sale, draft));
}

/** Nothing for a tax that stays, and for a custom sale, which has none. */
function taxToSend(sale: SaleView, draft: CorrectionDraft): Pick<CorrectSaleRequest, "salesTax"> {
  const text = taxText(sale, draft).trim();
  const salesTax = text === "" ? 0 : dollarsToSend(text);
  return sale.kind === "custom" || salesTax === sale.salesTax ? {} : { salesTax };
}

type Inputs = {
  readonly priceCents: Cents;
  readonly shippingCents: Cents;
  readonly percentage: number;
  readonly payoutCents?: Cents | undefined;
};

/** A custom sale belongs to the consignor completely, a master sale to the store. */
function splitFor({ kind }: OwnSaleView, inputs: Inputs): SaleSplit {
  const { priceCents, shippingCents, percentage, payoutCents } = inputs;
  if (kind === "custom") {
    return splitOf(priceCents, 0, 100);
  }
  return kind === "master"
    ? splitOf(priceCents, shippingCents, 0)
    : splitOf(priceCents, shippingCents, percentage, payoutCents);
}

/** How the money is split now. */
export function currentSplit(sale: OwnSaleView): SaleSplit {
  return splitFor(sale, {
    priceCents: toCents(sale.salePrice ?? 0),
    shippingCents: toCents(sale.shippingCost),
    percentage: sale.consignorPercentage ?? 0,
    payoutCents: toCents(sale.payoutAmount),
  });
}

/** How the money would be split after the correction; undefined while a field is invalid. */
export function correctedSplit(sale: SaleView, draft: CorrectionDraft): SaleSplit | undefined {
  const priceCents = parseDollars(draft.salePrice);
  const shippingCents = draft.shippingCost.trim() === "" ? 0 : parseDollars(draft.shippingCost);
  const percentage = parseWhole(draft.percentage);
  const typedCents = draft.payout === undefined ? undefined : parseDollars(draft.payout);
  if (
    priceCents === undefined ||
    shippingCents === undefined ||
    percentage === undefined ||
    percentage > 100 ||
    (draft.payout !== undefined && typedCents === undefined)
  ) {
    return undefined;
  }
  const now = currentSplit(sale);
  const isSameInputs =
    priceCents === now.priceCents &&
    shippingCents === now.shippingCents &&
    percentage === (sale.consignorPercentage ?? 0);
  // As in the ledger: a newly typed payout wins. Otherwise the formula applies once one of its inputs changed.
  const payoutCents =
    typedCents !== undefined && typedCents !== now.consignorCents
      ? typedCents
      : isSameInputs
        ? now.consignorCents
        : undefined;
  return splitFor(sale, { priceCents, shippingCents, percentage, payoutCents });
}

/** The differences from the sale. The correction contains nothing else. */
export function correctionOf(sale: SaleView, draft: CorrectionDraft): CorrectSaleRequest {
  const before = draftOf(sale);
  const isChanged = (field: keyof CorrectionDraft) => draft[field] !== before[field];
  return {
    ...(isChanged("itemName") ? { itemName: draft.itemName } : {}),
    ...(isChanged("soldQuantity") ? { soldQuantity: wholeToSend(draft.soldQuantity) } : {}),
    ...(isChanged("salePrice") ? { salePrice: dollarsToSend(draft.salePrice) } : {}),
    ...(isChanged("shippingCost")
      ? { shippingCost: draft.shippingCost.trim() === "" ? 0 : dollarsToSend(draft.shippingCost) }
      : {}),
    ...taxToSend(sale, draft),
    ...(isChanged("percentage") ? { consignorPercentage: wholeToSend(draft.percentage) } : {}),
    ...(sale.kind === "consignor" && draft.payout !== undefined
      ? { payoutAmount: dollarsToSend(draft.payout) }
      : {}),
    ...(draft.reason.trim() === "" ? {} : { reason: draft.reason }),
    expectedVersion: sale.version,
  };
}

/** What a refund gives back. With the last refund, all refunds add up to the whole sale, so no cent is lost on the way. */
export type RefundPreview = {
  readonly priceCents: Cents;
  readonly taxCents: Cents;
  readonly payoutCents: Cents;
};

/**
 * By units (the units' share of the price) or by an amount of the price; undefined if more would be refunded than
 * remains. The ledger uses the same arithmetic.
 */
export function refundOf(
  sale: SaleView,
  units: number,
  amountCents: Cents | undefined,
): RefundPreview | undefined {
  const price = toCents(sale.salePrice ?? 0);
  const [total, before] =
    amountCents === undefined
      ? [sale.soldQuantity, sale.refundedQuantity]
      : [price, toCents(sale.refundedAmount)];
  const after = before + (amountCents ?? units);
  if (units > sale.soldQuantity - sale.refundedQuantity || after > total || total === 0) {
    return undefined;
  }
  const share = (whole: Cents) => shareOf(whole, after, total);
  const tax = toCents(sale.salesTax);
  const taxShare = amountCents === undefined ? share(price + tax) - share(price) : share(tax);
  return {
    priceCents: amountCents ?? Math.max(0, share(price) - toCents(sale.refundedAmount)),
    taxCents: Math.max(0, taxShare - toCents(sale.refundedTax)),
    payoutCents: Math.max(0, share(toCents(sale.payoutAmount)) - toCents(sale.refundedPayout)),
  };
}
