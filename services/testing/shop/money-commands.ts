// Turns the steps of money's generated days into commands of the features.
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { defineEvent, emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { consignorStreamId, availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import type { CloseMonth } from "#features/months/decider.ts";
import { closeMonth } from "#features/months/decider.ts";
import { monthAfter } from "#features/months/streams.ts";
import type { SettlePayout } from "#features/payouts/decider.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { claimPayout, releasePayout } from "#features/payouts/decider-claim.ts";
import { correctPayoutHandle } from "#features/payouts/decider-handle.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { correctRefundTender, correctTender } from "#features/sales/decider-tender.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { noTotals } from "#testing/shop/month-totals.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export const tradeSettled = defineEvent("TradeSettled", 1, z.object({}));

/**
 * An event of a feature that money's features do not know: several postings to one account, and more than one
 * consignor in one event.
 */
const settleTrade: Decider<{ readonly cents: number; readonly happenedAt: string }, null> = {
  type: "SettleTrade",
  streams: () => [consignorStreamId(AVERY), consignorStreamId(BLAKE)],
  decide: ({ cents: amount, happenedAt }) =>
    accept(
      [
        emit(
          tradeSettled,
          {},
          {
            streams: [consignorStreamId(AVERY), consignorStreamId(BLAKE)],
            postings: [
              ...move("trade:t1:escrow", availableAccount.of(AVERY), amount),
              ...move("trade:t1:escrow", availableAccount.of(AVERY), 7),
              ...move(availableAccount.of(BLAKE), availableAccount.of(AVERY), 5),
              ...move("trade:t1:escrow", payoutsAccount.of(BLAKE), 3),
            ],
            happenedAt,
          },
        ),
      ],
      null,
    ),
};

/** Some sales name the rate that they were taxed by. */
const taxOf = ({ tax, restock }: MoneyStep) => ({
  salesTaxCents: tax,
  taxRateBasisPoints: restock ? null : 825,
});

/** What the till says about the carts of half of its sales: some paid in cash, some without tax. */
const tillOf = ({ restock, name, uid: seller }: MoneyStep) =>
  restock
    ? {}
    : {
        till: {
          receiptId: randomUUID(),
          tender: name === null ? ("cash" as const) : ("card" as const),
          ...(name === "Lamp"
            ? {}
            : { taxExemption: { noteId: seller === AVERY ? null : randomUUID() } }),
        },
      };

/** Some sales, and their first refunds, were paid in another way than was said. */
function tenderOf(saleId: string, { name }: MoneyStep) {
  const tender = name === null ? ("cash" as const) : ("other" as const);
  return { saleId, saleIds: [saleId], tender };
}

/** Half of the refunds name a part of the price, and how the money went back. */
function refundOf({ units: back, name, price: of, restock }: MoneyStep) {
  return name === null
    ? { units: back, restock, amountCents: null }
    : { units: back, restock, amountCents: Math.ceil(of / 10), tender: "card" as const };
}

/** The next month's closing each time. Only April and May can be closed: the clock's day is in June. */
function closings(): () => CloseMonth {
  let next = "2024-04";
  return () => {
    const month = next;
    next = month < "2024-06" ? monthAfter(month) : month;
    return closingOf(month);
  };
}

/** Without totals, which nothing here depends on. */
function closingOf(month: string): CloseMonth {
  return {
    month,
    from: `${month}-01T00:00:00.000Z`,
    to: `${monthAfter(month)}-01T00:00:00.000Z`,
    timeZone: "UTC",
    throughPosition: 0,
    totals: noTotals,
    happenedAt: "2024-06-30T00:00:00.000Z",
  };
}

function balanceOf({ uid, price }: MoneyStep) {
  return { uid, balanceCents: price - 2000, expectedCents: null };
}

function requestOf({ uid: consignorId, price: of, restock }: MoneyStep) {
  const method = restock ? ("venmo" as const) : ("cashapp" as const);
  const handle = { handleId: randomUUID(), handleHash: "0".repeat(64) };
  return { consignorId, amountCents: Math.ceil(of / 20), method, ...handle };
}

export type Execute = <Command>(
  decider: Decider<Command, unknown>,
  command: Command,
) => Promise<void>;

type PayoutAct = "claim" | "release" | "correct-handle" | "pay" | "delete" | "return";

/** A payout that later steps pick, and the handle that its request named. */
type TakenPayout = Omit<SettlePayout, "happenedAt"> & { readonly handleId: string | null };

function unknownPayout(consignorId: string): TakenPayout {
  return { payoutId: randomUUID(), consignorId, handleId: null };
}

/** What happens to a payout after it was requested. */
function takePayoutStep(
  execute: Execute,
  step: MoneyStep & { readonly act: PayoutAct },
  { handleId: requestedId, ...payout }: TakenPayout & { readonly happenedAt: string },
): Promise<void> {
  const { uid: adminUid } = step;
  switch (step.act) {
    case "claim":
      return execute(claimPayout, { ...payout, adminUid });
    case "release":
      return execute(releasePayout, { ...payout, adminUid });
    case "correct-handle": {
      const { method, handleId, handleHash } = requestOf(step);
      return execute(correctPayoutHandle, { ...payout, method, handleId, handleHash });
    }
    case "pay":
      return execute(markPayoutPaid, {
        ...payout,
        reference: step.name,
        handleId: step.restock ? requestedId : null,
      });
    case "delete": {
      const by = step.restock ? "consignor" : "store";
      return execute(deletePayout, { ...payout, actorUid: adminUid, by });
    }
    default:
      return execute(returnPayout, { ...payout, noteId: randomUUID() });
  }
}

/** Takes step after step, and remembers the sales and payouts that later steps pick from. */
export function takeSteps(execute: Execute, itemOf: (ownerUid: string | null) => string) {
  const nextClosing = closings();
  const sales: string[] = [];
  const payouts: TakenPayout[] = [];
  const madeUp = (list: string[]): string => {
    const id = randomUUID();
    list.unshift(id);
    return id;
  };
  return async (step: MoneyStep): Promise<void> => {
    const happenedAt = new Date(Date.UTC(2024, 5, 30) - step.daysAgo * DAY_MS).toISOString();
    const common = { happenedAt, noteId: null, expectedVersion: null };
    const saleId = sales[step.pick] ?? randomUUID();
    const settled = payouts[step.pick] ?? unknownPayout(step.uid);
    switch (step.act) {
      case "sell":
        return execute(recordSale, {
          saleId: madeUp(sales),
          consignorId: step.uid,
          itemId: itemOf(step.uid),
          barcode1: null,
          units: step.units,
          priceCents: step.price,
          shippingCents: step.shipping,
          ...taxOf(step),
          consignorPercentage: step.percentage,
          channel: step.restock ? "online" : "pos",
          ...tillOf(step),
          happenedAt,
        });
      case "sell-own":
        return execute(recordMasterSale, {
          saleId: madeUp(sales),
          itemId: itemOf(null),
          units: step.units,
          priceCents: step.restock ? step.price : null,
          ...(step.restock ? taxOf(step) : { salesTaxCents: 0, taxRateBasisPoints: 700 }),
          channel: "pos",
          ...tillOf(step),
          happenedAt,
        });
      case "custom":
        return execute(recordCustomSale, {
          saleId: madeUp(sales),
          consignorId: step.uid,
          itemName: step.name ?? "Cable lot",
          amountCents: step.price,
          happenedAt,
        });
      case "correct":
        return execute(correctSale, { saleId, changes: changesOf(step), ...common });
      case "tender":
        return execute(correctTender, { ...tenderOf(saleId, step), ...common });
      case "refund-tender":
        return execute(correctRefundTender, { ...tenderOf(saleId, step), refund: 1, ...common });
      case "refund":
        return execute(refundSale, { saleId, ...refundOf(step), ...common });
      case "request": {
        const payoutId = randomUUID();
        const request = { ...requestOf(step), payoutId, happenedAt };
        payouts.unshift({ payoutId, consignorId: step.uid, handleId: request.handleId });
        return execute(requestPayout, request);
      }
      case "claim":
      case "release":
      case "correct-handle":
      case "pay":
      case "delete":
      case "return":
        return takePayoutStep(execute, { ...step, act: step.act }, { ...settled, happenedAt });
      case "set-balance":
        return execute(setBalance, { ...balanceOf(step), ...common });
      case "trade":
        return execute(settleTrade, { cents: step.price, happenedAt });
      case "close":
        return execute(closeMonth, nextClosing());
    }
  };
}

function changesOf(step: MoneyStep) {
  return {
    itemName: step.name,
    units: step.restock ? step.units : null,
    priceCents: step.restock ? step.price : null,
    shippingCents: null,
    salesTaxCents: null,
    consignorPercentage: null,
    payoutCents: step.payout,
  };
}
