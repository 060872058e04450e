// What each event of a sale changes of one day's payments, as `readPayments` sums them. Pure.
import type { ReadFact } from "#ledger/log/read-event.ts";
import { isFactOf } from "#ledger/log/read-event.ts";
import type { Cents } from "#ledger/money.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  RefundTenderCorrected,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";
import type { SaleTender } from "#features/sales/events.ts";

type Tender = SaleTender | null;

/** A sale as far as a day of the till is concerned. */
export type DaySale = {
  /** A till's sales count however they were paid, others only where somebody said how. */
  readonly isTill: boolean;
  readonly isSoldOnDay: boolean;
  /** With tax; null without a price. */
  readonly paidCents: Cents | null;
  readonly tender: Tender;
  readonly refunds: readonly {
    readonly cents: Cents;
    readonly tender: Tender;
    readonly isOnDay: boolean;
  }[];
};

export type Part = { readonly tender: Tender; readonly cents: Cents };

const paid = (terms: { readonly priceCents: Cents | null; readonly salesTaxCents: Cents }) =>
  terms.priceCents === null ? null : terms.priceCents + terms.salesTaxCents;

/** The sale after one of its events. Events that cannot be read, or are about something else, change nothing. */
export function saleAfter(sale: DaySale, fact: ReadFact, isOnDay: boolean): DaySale {
  if (isFactOf(SaleRecorded, fact)) {
    return { ...sale, paidCents: paid(fact.data), tender: fact.data.tender ?? null };
  }
  if (isFactOf(MasterSaleRecorded, fact)) {
    return { ...sale, paidCents: paid(fact.data), tender: fact.data.tender ?? null };
  }
  if (isFactOf(CustomSaleRecorded, fact)) {
    return { ...sale, paidCents: fact.data.amountCents };
  }
  if (isFactOf(SaleCorrected, fact)) {
    return { ...sale, paidCents: paid(fact.data.after) };
  }
  if (isFactOf(SaleTenderCorrected, fact)) {
    return { ...sale, tender: fact.data.after };
  }
  if (isFactOf(SaleRefunded, fact)) {
    const { priceCents, salesTaxCents, tender = null } = fact.data;
    const refund = { cents: priceCents + salesTaxCents, tender, isOnDay };
    return { ...sale, refunds: [...sale.refunds, refund] };
  }
  if (isFactOf(RefundTenderCorrected, fact)) {
    const { refund: nth, after: tender } = fact.data;
    const refunds = sale.refunds.map((one, index) =>
      index === nth - 1 ? { ...one, tender } : one,
    );
    return { ...sale, refunds };
  }
  return sale;
}

function paymentsOf({ isTill, isSoldOnDay, paidCents, tender, refunds }: DaySale): readonly Part[] {
  const counts = (how: Tender) => isTill || how !== null;
  const sold =
    isSoldOnDay && paidCents !== null && counts(tender) ? [{ tender, cents: paidCents }] : [];
  const back = refunds.filter((one) => one.isOnDay && counts(one.tender));
  return [...sold, ...back.map(({ tender: how, cents }) => ({ tender: how, cents: -cents }))];
}

/** By how much the day's payments changed, by tender; empty where they did not. */
export function changeBetween(before: DaySale, after: DaySale): readonly Part[] {
  const sums = new Map<Tender, Cents>();
  const add = (parts: readonly Part[], sign: 1 | -1) =>
    parts.forEach(({ tender, cents }) => sums.set(tender, (sums.get(tender) ?? 0) + sign * cents));
  add(paymentsOf(after), 1);
  add(paymentsOf(before), -1);
  return [...sums].flatMap(([tender, cents]) => (cents === 0 ? [] : [{ tender, cents }]));
}
