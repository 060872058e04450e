// What each event of a sale changes of one day's payments, by the rule of `paidIn` in `queries-paid.ts`. Pure.
import type { AnyEvent } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import type { SaleTender } from "#features/sales/events.ts";
import type { SaleState } from "#features/sales/streams.ts";
import { saleStream } from "#features/sales/streams.ts";

/** A sale as far as a day of the till is concerned. */
export type DaySale = {
  readonly streamId: string;
  /** A till's sales count however they were paid, others only where somebody said how. */
  readonly isTill: boolean;
  readonly isSoldOnDay: boolean;
  readonly state: SaleState;
  /** With tax, the first one first. */
  readonly refunds: readonly { readonly cents: Cents; readonly isOnDay: boolean }[];
};

export type Part = { readonly tender: SaleTender | null; readonly cents: Cents };

function refundedCents(state: SaleState): Cents {
  return state.status === "none" ? 0 : state.refunded.priceCents + state.refunded.salesTaxCents;
}

/** The sale after one of its events, which happened on the day or not. */
export function saleAfter(sale: DaySale, event: AnyEvent, isOnDay: boolean): DaySale {
  const state = saleStream.evolve(sale.state, event, sale.streamId);
  const count = state.status === "none" ? 0 : state.refundTenders.length;
  const refund = { cents: refundedCents(state) - refundedCents(sale.state), isOnDay };
  const refunds = count > sale.refunds.length ? [...sale.refunds, refund] : sale.refunds;
  return { ...sale, state, refunds };
}

function paymentsOf({ isTill, isSoldOnDay, state, refunds }: DaySale): readonly Part[] {
  if (state.status === "none") {
    return [];
  }
  const { tender, refundTenders, terms } = state;
  const sold =
    isSoldOnDay && terms.priceCents !== null
      ? [{ tender, cents: terms.priceCents + terms.salesTaxCents }]
      : [];
  const back = refunds.flatMap(({ cents, isOnDay }, index) =>
    isOnDay ? [{ tender: refundTenders[index] ?? null, cents: -cents }] : [],
  );
  return [...sold, ...back].filter((part) => isTill || part.tender !== null);
}

/** By how much the day's payments changed, by tender; empty where they did not. */
export function changeBetween(before: DaySale, after: DaySale): readonly Part[] {
  const sums = new Map<Part["tender"], Cents>();
  const add = (parts: readonly Part[], sign: 1 | -1) =>
    parts.forEach(({ tender, cents }) => sums.set(tender, (sums.get(tender) ?? 0) + sign * cents));
  add(paymentsOf(after), 1);
  add(paymentsOf(before), -1);
  return [...sums].flatMap(([tender, cents]) => (cents === 0 ? [] : [{ tender, cents }]));
}
