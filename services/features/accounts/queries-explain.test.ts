// Explaining a number: for any person, position and period it is what a fold of the log by hand says, line by line.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { readsOver } from "#http/reads.ts";
import type { ExplainedNumber, ExplainResponse } from "#features/accounts/contract-explain.ts";
import { explainLedgerNumber } from "#features/accounts/queries-explain.ts";
import { explanations } from "../../features.ts";
import type { FoldedLine } from "#testing/shop/account-fold.ts";
import { foldAccount, sumOf } from "#testing/shop/account-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE, moneyStep, ordinaryDays } from "#testing/shop/money-steps.ts";
import { sized } from "#testing/trial/size.ts";

type LedgerNumber = Exclude<ExplainedNumber, "heldForTrades">;

let shop: MoneyShop;
let pool: Sql;

beforeAll(async () => {
  shop = await openMoneyShop();
  pool = connect(shop.database.appUrl, { applicationName: "reads", maxConnections: 2 });
});

afterAll(async () => {
  await pool.end();
  await shop.close();
});

const isOfPaid = ({ type }: FoldedLine) => type === "PayoutPaid" || type === "PayoutReturned";
const isSale = ({ type }: FoldedLine) => type === "SaleRecorded" || type === "CustomSaleRecorded";

/** What a line adds to a number, in cents. */
const adds: Readonly<Record<LedgerNumber, (line: FoldedLine) => number>> = {
  available: ({ available }) => available,
  pendingPayouts: ({ inTransit }) => inTransit,
  totalPaid: (line) => (isOfPaid(line) ? -(line.inTransit + line.available) : 0),
  sales: (line) => (isSale(line) ? 1 : 0),
};

const unitOf = (number: LedgerNumber) => (number === "sales" ? 1 : 100);

const explain = (
  uid: string,
  position: number,
  number: LedgerNumber,
  more: Partial<Parameters<typeof explainLedgerNumber>[4]>,
): Promise<ExplainResponse> =>
  explainLedgerNumber(
    readsOver(pool),
    explanations,
    uid,
    { position, at: null },
    {
      at: undefined,
      from: undefined,
      to: undefined,
      kind: undefined,
      cursor: undefined,
      limit: 200,
      ...more,
      number,
    },
  );

const asked = fc.record({
  uid: fc.constantFrom(AVERY, BLAKE),
  number: fc.constantFrom<LedgerNumber[]>("available", "pendingPayouts", "totalPaid", "sales"),
  /** How far back in the log, as a share. */
  back: fc.double({ min: 0, max: 1, noNaN: true }),
  days: fc.option(fc.tuple(fc.nat({ max: 100 }), fc.nat({ max: 60 })), { nil: null }),
  limit: fc.integer({ min: 1, max: 40 }),
});

test("a number is the sum of its lines, for any person, position and period", async () => {
  const days = fc.sample(fc.array(moneyStep, { minLength: 40, maxLength: 60, size: "max" }), {
    numRuns: sized(2, 20),
    seed: 11,
  });
  for (const step of [...days, ...ordinaryDays].flat()) {
    await shop.take(step);
  }
  await shop.runner.catchUp();
  const events = await shop.events();
  const head = events.at(-1)?.position ?? 0;
  let periods = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ uid, number, back, days: period, limit }) => {
      const position = head - Math.floor(back * head);
      const [first, length] = period ?? [0, 0];
      const day = (index: number) => new Date(Date.UTC(2024, 3, 1 + index)).toISOString();
      const bounds = period === null ? {} : { from: day(first), to: day(first + length) };
      const known = foldAccount(events, uid).filter((line) => line.position <= position);
      const own = known.filter(
        ({ bookedAt }) =>
          period === null || (bookedAt >= day(first) && bookedAt < day(first + length)),
      );
      const earlier = period === null ? [] : known.filter(({ bookedAt }) => bookedAt < day(first));
      const counted = own.filter((line) => adds[number](line) !== 0 || isPaid(number, line));
      periods += period !== null && counted.length > 0 ? 1 : 0;

      const answer = await explain(uid, position, number, { ...bounds, limit });
      const shown = (value: number) => value / unitOf(number);
      expect(answer).toMatchObject({
        position,
        opening: shown(sumOf(earlier, adds[number])),
        closing: shown(sumOf([...earlier, ...own], adds[number])),
        summed: shown(sumOf([...earlier, ...own], adds[number])),
        isBalanced: true,
        lineCount: counted.length,
      });
      expect(answer.groups.reduce((sum, { lines }) => sum + lines, 0)).toBe(counted.length);

      const lines = [...answer.lines];
      for (let cursor = answer.nextCursor; cursor !== null;) {
        const next = await explain(uid, position, number, { ...bounds, limit, cursor });
        lines.push(...next.lines);
        cursor = next.nextCursor;
      }
      expect(lines.map((line) => [line.position, line.amount])).toEqual(
        counted.toReversed().map((line) => [line.position, shown(adds[number](line))]),
      );
      for (const { kind, lines: count, amount } of answer.groups) {
        const ofKind = lines.filter((line) => line.kind === kind);
        expect(ofKind).toHaveLength(count);
        expect(Math.round(ofKind.reduce((sum, line) => sum + line.amount, 0) * 100)).toBe(
          Math.round(amount * 100),
        );
      }
    }),
    sized<{ readonly numRuns: number; readonly seed?: number }>(
      { seed: 3, numRuns: 30 },
      { numRuns: 1000 },
    ),
  );
  expect(periods).toBeGreaterThan(0);
}, 240_000);

function isPaid(number: LedgerNumber, line: FoldedLine): boolean {
  return number === "totalPaid" && isOfPaid(line);
}

test("only the lines of one kind are listed where a kind is named, and the sums stay those of all", async () => {
  const position = (await shop.events()).at(-1)?.position ?? 0;
  const all = await explain(AVERY, position, "available", {});
  const refunds = await explain(AVERY, position, "available", { kind: "refund" });
  expect(refunds.lines.length).toBeGreaterThan(0);
  expect(new Set(refunds.lines.map(({ kind }) => kind))).toEqual(new Set(["refund"]));
  expect(refunds).toMatchObject({ groups: all.groups, closing: all.closing, summed: all.summed });
  // The settled trade of these books is an event that no feature explains.
  const others = await explain(AVERY, position, "available", { kind: "other" });
  expect(new Set(others.lines.map(({ type }) => type))).toEqual(new Set(["TradeSettled"]));
});

test("a read table that lost a cent does not balance, and both sums are shown", async () => {
  const position = (await shop.events()).at(-1)?.position ?? 0;
  const before = await explain(BLAKE, position, "available", {});
  const { sql } = shop.database;
  const account = `consignor:${BLAKE}:available`;
  await sql`update read.balances set balance_cents = balance_cents - 1 where account = ${account}`;
  const after = await explain(BLAKE, position, "available", {});
  expect(after).toMatchObject({ isBalanced: false, summed: before.summed });
  expect(Math.round((before.closing - after.closing) * 100)).toBe(1);
  await sql`update read.balances set balance_cents = balance_cents + 1 where account = ${account}`;
});
