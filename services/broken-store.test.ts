// Verify goes on when projections cannot be folded: each of them is a finding, and the rest is compared.
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, projections, streams } from "./features.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY } from "#testing/shop/money-steps.ts";
import { openOrdinaryShop, shopChecks } from "#testing/shop/ordinary-shop.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openOrdinaryShop();
});

afterAll(() => shop.close());

it.each([2, 9])(
  "finds postings that were inserted past the append function at position %i, and also a changed row",
  async (position) => {
    const { ownerSql, sql } = shop.database;
    await ownerSql`
      insert into log.postings values
        (${position}, 90, ${`consignor:${AVERY}:available`}, 'store:revenue', 5),
        (${position}, 91, 'world:customers', 'consignor:somebody-0000000000000:payouts', 7)`;
    await sql`update read.sales_g1 set price_cents = price_cents + 1`;
    const { problems } = await verifyBooks({
      sql,
      events,
      streams,
      projections,
      checks: shopChecks,
      heads: [],
    });
    await sql`update read.sales_g1 set price_cents = price_cents - 1`;
    await ownerSql`delete from log.postings where ordinal >= 90`;
    expect(problems[0]).toMatchObject({ check: "chain", position });
    expect(problems).toContainEqual({
      check: "projection",
      position: expect.any(Number),
      message: expect.stringMatching(/^sales: \d+ rows differ/u),
    });
  },
);
