// Verify checks the read tables too: a row that somebody changed is reported by its key, and nothing else is.
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, projections, streams } from "./features.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY } from "#testing/shop/money-steps.ts";
import { openOrdinaryShop, shopChecks, takeOrdinaryDays } from "#testing/shop/ordinary-shop.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openOrdinaryShop();
});

afterAll(() => shop.close());

async function rebuild(name: string): Promise<void> {
  const projection = projections.find((entry) => entry.name === name);
  await (projection && rebuildProjection(shop.database.sql, projection, { events }));
}

async function problems() {
  const { sql } = shop.database;
  const books = { sql, events, streams, projections, checks: shopChecks, heads: [] };
  return (await verifyBooks({ ...books, withoutReplay: true })).problems;
}

const avery = `consignor:${AVERY}:available`;

it("finds nothing wrong with correct rows, also while they are behind the log", async () => {
  expect(await problems()).toEqual([]);
  await takeOrdinaryDays(shop);
  expect(await problems()).toEqual([]);
  await shop.runner.catchUp();
  expect(await problems()).toEqual([]);
});

it.each([
  {
    what: "a balance that is one cent off",
    projection: "balances",
    tamper: `update read.balances set balance_cents = balance_cents + 1 where account = '${avery}'`,
    found: [
      { check: "balances", message: `read.balances, row ${avery}: ` },
      { check: "balances", message: "sum to 1 cents, not to zero" },
    ],
  },
  {
    what: "two balances that are one cent off each, with the same sum",
    projection: "balances",
    tamper: `update read.balances set balance_cents = balance_cents
      + case account when '${avery}' then 1 else -1 end
      where account in ('${avery}', 'store:revenue')`,
    found: [
      { check: "balances", message: `read.balances, row ${avery}: ` },
      { check: "balances", message: "read.balances, row store:revenue: " },
    ],
  },
  {
    what: "a missing balance",
    projection: "balances",
    tamper: "delete from read.balances where account = 'world:customers'",
    found: [
      { check: "balances", message: "read.balances, row world:customers: missing" },
      { check: "balances", message: "not to zero" },
    ],
  },
  {
    what: "a running balance",
    projection: "account_history",
    tamper: `update read.account_history set available_after_cents = available_after_cents - 1
      where uid = '${AVERY}' and line = (select max(line) from read.account_history where uid = '${AVERY}')`,
    found: [{ check: "balances", message: `read.account_history, last line of ${avery}: ` }],
  },
  {
    what: "a quantity",
    projection: "inventory",
    tamper: "update read.inventory_items set quantity = quantity - 1 where owner_uid is null",
    found: [{ check: "units", message: "read.inventory_items, row " }],
  },
  {
    what: "a missing item",
    projection: "inventory",
    tamper: "delete from read.inventory_items where owner_uid is null",
    found: [{ check: "units", message: ": missing, but its movements sum to " }],
  },
  {
    what: "a sum of sales",
    projection: "sales",
    tamper: `update read.sales_sums set price_cents = price_cents + 1
      where (uid, since, kind, channel, status) =
        (select uid, since, kind, channel, status from read.sales_sums order by 1, 2, 3, 4, 5 limit 1)`,
    found: [{ check: "balances", message: "read.sales_sums, all sales since " }],
  },
])("finds $what and names the row", async ({ projection, tamper, found }) => {
  const { sql } = shop.database;
  expect((await sql.unsafe(tamper)).count).toBeGreaterThan(0);
  const expected = found.map(({ check, message }) => ({
    check,
    message: expect.stringContaining(message),
    position: expect.any(Number),
  }));
  const seen = await problems();
  expect(seen).toEqual(expect.arrayContaining(expected));
  expect(seen.slice(expected.length), "no other finding").toEqual([]);
  await rebuild(projection);
  expect(await problems()).toEqual([]);
});

it.each([
  ["BalanceSet", "afterCents"],
  ["SaleRecorded", "payoutCents"],
  ["CustomSaleRecorded", "amountCents"],
  ["PayoutRequested", "amountCents"],
  ["PayoutPaid", "amountCents"],
  ["PayoutDeleted", "amountCents"],
])("finds a %s that does not post what it says", async (type, field) => {
  const { ownerSql } = shop.database;
  const add = (cents: number, position?: number) => ownerSql<{ position: number }[]>`
    update log.events
    set data = jsonb_set(data, array[${field}]::text[], to_jsonb((data ->> ${field})::bigint + ${cents}))
    where position = coalesce(${position ?? null},
      (select min(position) from log.events where type = ${type}))
    returning position`;
  const [changed] = await add(1);
  expect(await problems()).toContainEqual({
    check: "balances",
    position: changed?.position,
    message: expect.stringMatching(new RegExp(`^${type} says \\d+ cents from .+, but posts`, "u")),
  });
  await add(-1, changed?.position);
});

it("finds a BalanceSet that says another balance than there was", async () => {
  const { ownerSql } = shop.database;
  const add = (cents: number) => ownerSql`
    update log.events
    set data = data || jsonb_build_object('beforeCents', (data ->> 'beforeCents')::bigint + ${cents}::bigint,
      'afterCents', (data ->> 'afterCents')::bigint + ${cents}::bigint)
    where position = (select min(position) from log.events where type = 'BalanceSet')`;
  await add(500);
  expect(await problems()).toContainEqual(
    expect.objectContaining({
      check: "balances",
      message: expect.stringMatching(
        /^BalanceSet does not follow from consignor-\S+ before it: it says beforeCents -?\d+ instead of/u,
      ),
    }),
  );
  await add(-500);
});
