// What can happen to money in tests of its read tables: steps for generated days, and ordinary days with one of each.
import * as fc from "fast-check";

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
    ...(["tender", "refund-tender", "return", "claim", "release", "correct-handle"] as const),
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
 * part, one corrected; pending, claimed, corrected, paid, withdrawn and returned payouts. Some are settled on the same day, some on the next. A month is
 * closed, and a sale is dated into it.
 */
export const ordinaryDays: readonly (readonly MoneyStep[])[] = [
  [
    { ...plainStep, act: "set-balance", price: 9000 },
    { ...plainStep, act: "request" },
    { ...plainStep, act: "claim" },
    { ...plainStep, act: "pay", name: "Lamp" },
    { ...plainStep, act: "request" },
    { ...plainStep, act: "correct-handle", restock: false },
    { ...plainStep, act: "claim" },
    { ...plainStep, act: "release" },
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
    // Paid back to a card, and not corrected later.
    { ...back, units: 1, name: "Lamp" },
    { ...plainStep, act: "delete" },
    { ...plainStep, act: "request", restock: false },
    { ...plainStep, act: "claim" },
    { ...plainStep, act: "request" },
    { ...plainStep, act: "pay" },
    { ...plainStep, act: "return" },
    { ...plainStep, act: "trade" },
  ],
];
