// Fundings equal a queue of money by hand: every cent of each payout is covered once, by the oldest money that was left.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { readsOver, readsThrough } from "#http/reads.ts";
import type { FundingResponse } from "#features/accounts/contract-funding.ts";
import type { FundingDeps } from "#features/accounts/queries-flows.ts";
import { readFunding } from "#features/accounts/queries-funding.ts";
import { readPaidBy } from "#features/accounts/queries-paid-by.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { explanations } from "../../features.ts";
import { foldAccount } from "#testing/shop/account-fold.ts";
import type { QueueResult } from "#testing/shop/money-queue.ts";
import { queueMoney } from "#testing/shop/money-queue.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE, moneyStep, ordinaryDays, plainStep } from "#testing/shop/money-steps.ts";
import { sized } from "#testing/trial/size.ts";

let shop: MoneyShop;
let pool: Sql;
let deps: FundingDeps;

beforeAll(async () => {
  shop = await openMoneyShop();
  pool = connect(shop.database.appUrl, { applicationName: "reads", maxConnections: 2 });
  deps = { ...readsOver(pool), explanations, readEvent: createReadEvent(shop.register) };
});

afterAll(async () => {
  await pool.end();
  await shop.close();
});

const cents = (dollars: number) => Math.round(dollars * 100);

async function funding(uid: string, line: number, head: number, limit: number) {
  const first = await readFunding(deps, uid, line, head, { limit });
  if (first === undefined) {
    throw new Error(`Line ${line} took no money`);
  }
  const sources = [...first.sources];
  for (let cursor: FundingResponse["nextCursor"] = first.nextCursor; cursor !== null;) {
    const next = await readFunding(deps, uid, line, head, { limit, cursor });
    sources.push(...(next?.sources ?? []));
    cursor = next?.nextCursor ?? null;
  }
  return { ...first, sources };
}

/** Every line that took money, against the queue. */
async function expectFundings(uid: string, events: readonly StoredEvent[], limit: number) {
  const head = events.at(-1)?.position ?? 0;
  const lines = foldAccount(events, uid);
  const queue = queueMoney(lines);
  let deleted = 0;
  for (const { line, available, type } of lines.filter((each) => each.available < 0)) {
    const found = await funding(uid, line, head, limit);
    expect(found, `line ${line}`).toMatchObject({
      isBalanced: true,
      summed: -available / 100,
      ownSale: (queue.own.get(line) ?? 0) / 100,
      uncovered: (queue.owed.get(line) ?? 0) / 100,
    });
    expect(new Map(found.sources.map((source) => [source.line, cents(source.amount)]))).toEqual(
      queue.paid.get(line) ?? new Map(),
    );
    expect(found.sourceCount).toBe(found.sources.length);
    // A payout never takes more than there is.
    expect({
      isPayout: found.payoutID !== null,
      owes: found.ownSale + found.uncovered > 0,
    }).not.toEqual({ isPayout: true, owes: true });
    expect(found.payoutID !== null).toBe(type === "PayoutRequested");
    deleted += found.sources.filter(({ origin }) => origin === "returned").length;
  }
  return { queue, lines, deleted };
}

/** Every sale of a person, against the queue turned around. */
async function expectUses(uid: string, events: readonly StoredEvent[], queue: QueueResult) {
  const head = events.at(-1)?.position ?? 0;
  const credits = foldAccount(events, uid).filter(({ available }) => available > 0);
  const bySale = Map.groupBy(credits, ({ event }) => String(Object(event.data).saleId));
  const sumOver = (own: typeof credits, by: ReadonlyMap<number, number>) =>
    own.reduce((sum, { line }) => sum + (by.get(line) ?? 0), 0) / 100;
  for (const [saleID, own] of bySale) {
    if (saleID === "undefined") {
      continue;
    }
    const found = await readPaidBy(deps, { saleID, consignorID: uid, itemID: null }, head);
    expect(found).toMatchObject({
      isBalanced: true,
      credited: own.reduce((sum, { available }) => sum + available, 0) / 100,
      reduced: sumOver(own, queue.reduced),
      remaining: sumOver(own, queue.left),
    });
    const uses = new Map<number, number>();
    for (const [debit, parts] of queue.paid) {
      const sum = own.reduce((total, { line }) => total + (parts.get(line) ?? 0), 0);
      if (sum > 0) {
        uses.set(debit, sum);
      }
    }
    expect(new Map(found.uses.map((use) => [use.line, cents(use.amount)]))).toEqual(uses);
  }
}

test("each line that took money is paid for once, and each sale's money goes somewhere", async () => {
  let returned = 0;
  let reduced = 0;
  const day = fc.array(moneyStep, { minLength: 20, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(day, fc.integer({ min: 1, max: 9 }), async (steps: MoneyStep[], limit) => {
      for (const step of [...steps, ...ordinaryDays.flat()]) {
        await shop.take(step);
      }
      await shop.runner.catchUp();
      const events = await shop.events();
      for (const uid of [AVERY, BLAKE]) {
        const { queue, deleted } = await expectFundings(uid, events, limit);
        await expectUses(uid, events, queue);
        returned += deleted;
        reduced += [...queue.own.values()].filter((own) => own > 0).length;
      }
    }),
    {
      ...sized<{ readonly numRuns: number; readonly seed?: number }>(
        { seed: 3, numRuns: 2 },
        { numRuns: 6 },
      ),
      endOnFailure: true,
    },
  );
  // There were enough of the unusual cases for a meaningful comparison.
  expect(Math.min(returned, reduced)).toBeGreaterThan(0);
}, 240_000);

describe("by example", () => {
  const CARA = "cara-0000000000000003";
  const act = (step: Partial<MoneyStep>) => shop.take({ ...plainStep, uid: CARA, ...step });
  const ofLine = async (line: number) => {
    await shop.runner.catchUp();
    const head = (await shop.events()).at(-1)?.position ?? 0;
    const { sources, ownSale, uncovered } = await funding(CARA, line, head, 50);
    return { ownSale, uncovered, sources: sources.map(({ line: from, amount }) => [from, amount]) };
  };

  test("a payout takes the oldest money, a refund the money of its own sale, a deleted payout is new money", async () => {
    // Lines 1 to 3: sales of $10, $20 and $30.
    for (const price of [1000, 2000, 3000]) {
      await act({ act: "custom", price });
    }
    // Line 4: $5 of the second sale go back; lines 5 and 6: $15 are requested, and deleted again.
    await act({ act: "refund", pick: 1, name: "Lamp", price: 5000 });
    await act({ act: "request", price: 30_000 });
    await act({ act: "delete" });
    // Line 7: $50.
    await act({ act: "request", price: 100_000 });
    expect(await ofLine(4)).toEqual({ ownSale: 5, uncovered: 0, sources: [] });
    expect(await ofLine(5)).toMatchObject({
      sources: [
        [1, 10],
        [2, 5],
      ],
    });
    expect(await ofLine(7)).toMatchObject({
      sources: [
        [2, 10],
        [3, 30],
        [6, 10],
      ],
    });
  });

  test("a refund of money that was paid out is paid for by what comes next", async () => {
    // Line 8: all of the first sale's $10 go back, $5 of which are there; line 9: the next $7.
    await act({ act: "refund", pick: 2 });
    expect(await ofLine(8)).toEqual({ ownSale: 0, uncovered: 5, sources: [[6, 5]] });
    await act({ act: "custom", price: 700 });
    expect(await ofLine(8)).toEqual({
      ownSale: 0,
      uncovered: 0,
      sources: [
        [6, 5],
        [9, 5],
      ],
    });
  });

  test("a payout that came back is new money", async () => {
    // Lines 10 and 11: the $50 of line 7 are paid, and come back.
    await act({ act: "pay" });
    await act({ act: "return" });
    await act({ act: "request", price: 104_000 });
    const sources = [
      [9, 2],
      [11, 50],
    ];
    expect(await ofLine(12)).toEqual({ ownSale: 0, uncovered: 0, sources });
  });

  test("a page with one source reads no more rows than there are on it, however many credits paid", async () => {
    const DANA = "dana-0000000000000004";
    for (let sale = 0; sale < 40; sale += 1) {
      await shop.take({ ...plainStep, uid: DANA, act: "custom", price: 100 });
    }
    await shop.take({ ...plainStep, uid: DANA, act: "request", price: 80_000 });
    await shop.runner.catchUp();
    const head = (await shop.events()).at(-1)?.position ?? 0;
    let rowsRead = 0;
    const counting = readsThrough(async (work) => {
      const result = await work(pool);
      const rows: unknown = Reflect.get(Object(result), "rows");
      rowsRead += Array.isArray(rows) ? rows.length : 0;
      return result;
    });
    const counted = { ...deps, ...counting };
    const found = await readFunding(counted, DANA, 41, head, { limit: 1 });
    expect(found).toMatchObject({ isBalanced: true, sourceCount: 40, summed: 40 });
    expect(found?.sources).toHaveLength(1);
    expect(rowsRead).toBeLessThan(20);
  });
});
