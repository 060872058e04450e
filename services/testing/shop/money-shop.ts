// A ledger for tests of money's read tables: generated days of sales, payouts and corrections.
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import * as z from "zod/mini";
import { connect } from "#db/connect.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { defineEvent, emit } from "#ledger/event.ts";
import { readRange } from "#ledger/log/read.ts";
import type { EventRegister, StoredEvent } from "#ledger/log/read.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { move } from "#ledger/posting.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { consignorStreamId, availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import type { CloseMonth } from "#features/months/decider.ts";
import { closeMonth } from "#features/months/decider.ts";
import { monthAfter } from "#features/months/streams.ts";
import { noTotals } from "#testing/shop/month-totals.ts";
import { addItem } from "#features/inventory/decider.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { correctRefundTender, correctTender } from "#features/sales/decider-tender.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { projections, streams } from "../../features.ts";
import { eventsWith } from "#testing/shop/register.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

export const AVERY = "avery-000000000000001";
export const BLAKE = "blake-000000000000002";

const cents = fc.integer({ min: 0, max: 9000 });
const price = fc.integer({ min: 1, max: 9000 });
const units = fc.integer({ min: 1, max: 3 });
const uid: fc.Arbitrary<string> = fc.constantFrom(AVERY, BLAKE);
/** One of the sales or payouts, counted from the newest. */
const pick = fc.nat({ max: 5 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
/** Days before the clock's day: some things are recorded late, so they did not happen in the log's order. */
const daysAgo = fc.nat({ max: 90 });

/** One action. */
export const moneyStep = fc.record({
  act: fc.constantFrom(
    ...(["sell", "sell", "sell-own", "custom", "correct", "refund", "refund"] as const),
    ...(["request", "request", "pay", "delete", "set-balance", "trade", "close"] as const),
    ...(["tender", "refund-tender", "return"] as const),
  ),
  uid,
  pick,
  units,
  price,
  payout: maybe(cents),
  shipping: cents,
  tax: cents,
  percentage: fc.integer({ min: 0, max: 100 }),
  name: maybe(fc.constantFrom("Lamp", "Rug, red", "Ünïcode")),
  restock: fc.boolean(),
  daysAgo,
});
export type MoneyStep = typeof moneyStep extends fc.Arbitrary<infer Value> ? Value : never;

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

/** A step in its simplest form: nothing typed, nothing on top, today. */
export const plainStep: MoneyStep = {
  act: "custom",
  uid: AVERY,
  pick: 0,
  units: 1,
  price: 100,
  payout: null,
  shipping: 0,
  tax: 0,
  percentage: 0,
  name: null,
  restock: true,
  daysAgo: 0,
};

const sold: MoneyStep = { ...plainStep, act: "sell", units: 2, price: 4000, percentage: 50 };
const back: MoneyStep = { ...plainStep, act: "refund" };

/**
 * Days with everything that can happen, whatever happened before: sales of each kind, one refunded in full, one in
 * part, one corrected; pending, paid, deleted and returned payouts. Some are settled on the same day, some on the next. A month is
 * closed, and a sale is dated into it.
 */
export const ordinaryDays: readonly (readonly MoneyStep[])[] = [
  [
    { ...plainStep, act: "set-balance", price: 9000 },
    { ...plainStep, act: "request" },
    { ...plainStep, act: "pay" },
    { ...plainStep, act: "request" },
    { ...plainStep, act: "sell-own", restock: false },
    { ...plainStep, act: "sell-own" },
    plainStep,
    sold,
    { ...back, units: 2 },
    { ...sold, uid: BLAKE },
  ],
  [
    { ...plainStep, act: "close" },
    { ...back, units: 1 },
    { ...sold, daysAgo: 75 },
    { ...back, units: 1, name: "Lamp" },
    { ...plainStep, act: "tender", name: "Lamp" },
    { ...plainStep, act: "refund-tender", name: "Lamp" },
    sold,
    { ...plainStep, act: "correct", name: "Lamp", restock: false },
    { ...plainStep, act: "delete" },
    { ...plainStep, act: "request", restock: false },
    { ...plainStep, act: "request" },
    { ...plainStep, act: "pay" },
    { ...plainStep, act: "return" },
    { ...plainStep, act: "trade" },
  ],
];

const tradeSettled = defineEvent("TradeSettled", 1, z.object({}));

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

export type MoneyShop = {
  readonly database: TestDatabase;
  readonly runner: ProjectionRunner;
  /** Held-back row keys, as "projection key". */
  readonly quarantined: readonly string[];
  readonly take: (step: MoneyStep) => Promise<void>;
  /** All stored events so far. */
  readonly events: () => Promise<StoredEvent[]>;
  /** Every event type that the shop writes. */
  readonly register: EventRegister;
  readonly close: () => Promise<void>;
};

/** A shop with plenty of three items: Avery's, Blake's and the store's own. */
export async function openMoneyShop(): Promise<MoneyShop> {
  const database = await testDatabase();
  const writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  const events = eventsWith(tradeSettled);
  const ledger = openLedger({
    sql: writerSql,
    streams,
    events,
    newId: randomUUID,
  });
  await ensureProjections({ sql: database.sql, projections, events });
  const quarantined: string[] = [];
  const runner = createRunner({
    sql: database.sql,
    projections,
    events,
    onHeld: ({ projection, keys }) => quarantined.push(`${projection} ${keys.join()}`),
  });
  const execute = async <Command>(decider: Decider<Command, unknown>, command: Command) => {
    const key = randomUUID();
    const requestHash = "00";
    await ledger.execute(decider, command, {
      actor: "system:test",
      scope: "store",
      key,
      requestHash,
    });
  };
  const items = new Map<string | null, string>();
  for (const ownerUid of [AVERY, BLAKE, null]) {
    const itemId = randomUUID();
    items.set(ownerUid, itemId);
    await execute(addItem, newItem(itemId, ownerUid));
  }
  return {
    database,
    runner,
    quarantined,
    take: takeSteps(execute, (ownerUid) => items.get(ownerUid) ?? ""),
    events: async () => readRange(database.sql, 0, Number.MAX_SAFE_INTEGER),
    register: events,
    async close() {
      await ledger.close();
      await writerSql.end({ timeout: 5 });
      await database.close();
    },
  };
}

function newItem(itemId: string, ownerUid: string | null) {
  return {
    itemId,
    ownerUid,
    details: {
      itemName: "Desk lamp",
      listingTitle: "",
      barcode1: `B-${ownerUid ?? "own"}`,
      barcode2: "",
      location: "",
      link: "",
      imageUrl: "",
      asin: "",
    },
    quantity: 100_000,
    source: "manual" as const,
    happenedAt: "2024-01-01T00:00:00.000Z",
  };
}

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

function requestOf({ uid: consignorId, price: of, restock }: MoneyStep) {
  const method = restock ? ("venmo" as const) : ("cashapp" as const);
  const handle = { handleId: randomUUID(), handleHash: "0".repeat(64) };
  return { consignorId, amountCents: Math.ceil(of / 20), method, ...handle };
}

type Execute = <Command>(decider: Decider<Command, unknown>, command: Command) => Promise<void>;

function takeSteps(execute: Execute, itemOf: (ownerUid: string | null) => string) {
  const nextClosing = closings();
  const sales: string[] = [];
  const payouts: { readonly payoutId: string; readonly consignorId: string }[] = [];
  const madeUp = (list: string[]): string => {
    const id = randomUUID();
    list.unshift(id);
    return id;
  };
  return async (step: MoneyStep): Promise<void> => {
    const happenedAt = new Date(Date.UTC(2024, 5, 30) - step.daysAgo * 86_400_000).toISOString();
    const common = { happenedAt, noteId: null, expectedVersion: null };
    const saleId = sales[step.pick] ?? randomUUID();
    const settled = payouts[step.pick] ?? { payoutId: randomUUID(), consignorId: step.uid };
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
        payouts.unshift({ payoutId, consignorId: step.uid });
        return execute(requestPayout, { ...requestOf(step), payoutId, happenedAt });
      }
      case "pay":
        return execute(markPayoutPaid, { ...settled, happenedAt });
      case "delete":
        return execute(deletePayout, { ...settled, happenedAt });
      case "return":
        return execute(returnPayout, { ...settled, happenedAt, noteId: randomUUID() });
      case "set-balance": {
        const balanceCents = step.price - 2000;
        const { uid: whose } = step;
        return execute(setBalance, { uid: whose, balanceCents, expectedCents: null, ...common });
      }
      case "trade":
        return execute(settleTrade, { cents: step.price, happenedAt });
      case "close":
        return execute(closeMonth, nextClosing());
    }
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
