// Verify checks what people see: a view that shows anything but its live table is reported by name.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { events, projections, streams } from "./features.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { checkViews } from "#ledger/verify/views.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openOrdinaryShop, shopChecks } from "#testing/shop/ordinary-shop.ts";

let shop: MoneyShop;
const tables = projections.flatMap((projection) => projection.tables.map(({ name }) => name));

beforeAll(async () => {
  shop = await openOrdinaryShop();
});

afterAll(() => shop.close());

async function found(of = projections): Promise<string[]> {
  const messages: string[] = [];
  for (const projection of of) {
    messages.push(
      ...(await checkViews(shop.database.sql, projection)).map(({ message }) => message),
    );
  }
  return messages;
}

/** Replaces a view with something else, and restores the view afterwards. */
async function foundWith(
  view: string,
  instead: readonly string[],
  of = projections,
): Promise<string[]> {
  const { sql } = shop.database;
  await sql.unsafe(`drop view read.${view}`);
  for (const statement of instead) {
    await sql.unsafe(statement);
  }
  const messages = await found(of);
  const [{ kind } = { kind: null }] = await sql<{ kind: string | null }[]>`
    select relkind as kind from pg_class where oid = to_regclass(${`read.${view}`})`;
  const drops: Record<string, string> = { r: "table", m: "materialized view", v: "view" };
  if (kind !== null) {
    await sql.unsafe(`drop ${drops[kind]} read.${view}`);
  }
  await sql.unsafe(`create view read.${view} as select * from read.${view}_g1`);
  return messages;
}

describe("views that nobody touched", () => {
  it("show every table of the store unchanged", async () => {
    expect(await found()).toEqual([]);
  });
});

describe("a view that was changed", () => {
  it.each(tables)("is found: read.%s is gone", async (table) => {
    const owner = projections.filter(({ tables }) => tables.some(({ name }) => name === table));
    expect(await foundWith(table, [], owner)).toEqual([
      `read.${table} is missing: it should show read.${table}_g1`,
    ]);
  });

  it.each([
    [
      "shows other prices",
      "create view read.sales as select * from (select s.*, price_cents * 2 as twice from read.sales_g1 s) t",
    ],
    [
      "leaves rows out",
      "create view read.sales as select * from read.sales_g1 where price_cents > 5",
    ],
    ["shows only some rows", "create view read.sales as select * from read.sales_g1 limit 5"],
    [
      "shows rows twice",
      "create view read.sales as select * from read.sales_g1 union all select * from read.sales_g1",
    ],
    [
      "shows a row once that is there twice",
      "create view read.sales as select distinct * from read.sales_g1",
    ],
    ["shows the rows of an earlier time", "create table read.sales as select * from read.sales_g1"],
    [
      "shows the rows of its last refresh",
      "create materialized view read.sales as select * from read.sales_g1",
    ],
    ["shows only some columns", "create view read.sales as select sale_id from read.sales_g1"],
  ])("is found where it %s", async (_what, instead) => {
    const messages = await foundWith("sales", [instead]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^read\.sales (?:does not show read\.sales_g1 as it is: SELECT|is a (?:table|materialized view), not the view of read\.sales_g1)/u,
    );
  });

  it("is found where every amount is doubled under the same names", async () => {
    const columns = await shop.database.sql<{ name: string; type: string }[]>`
      select attname as name, atttypid::regtype::text as type from pg_attribute
      where attrelid = 'read.sales_g1'::regclass and attnum > 0 order by attnum`;
    const list = columns.map(({ name, type }) =>
      name.endsWith("cents") && type === "bigint" ? `"${name}" * 2 as "${name}"` : `"${name}"`,
    );
    const [message, ...others] = await foundWith("sales", [
      `create view read.sales as select ${list.join(", ")} from read.sales_g1`,
    ]);
    expect(others).toEqual([]);
    expect(message).toContain("read.sales does not show read.sales_g1 as it is");
    expect(message).toContain("* 2");
  });

  it("is found where two columns changed names", async () => {
    const { sql } = shop.database;
    await sql.unsafe("alter view read.balances rename column balance_cents to other");
    const messages = await found();
    await sql.unsafe("alter view read.balances rename column other to balance_cents");
    expect(messages).toEqual([
      expect.stringContaining("read.balances does not show read.balances_g1 as it is"),
    ]);
    expect(await found()).toEqual([]);
  });

  it("is found where it shows a copy of the live table", async () => {
    await shop.database.sql.unsafe("create table read.sales_copy as select * from read.sales_g1");
    const messages = await foundWith("sales", [
      "create view read.sales as select * from read.sales_copy",
    ]);
    await shop.database.sql.unsafe("drop table read.sales_copy");
    expect(messages).toEqual([expect.stringContaining("read.sales_copy")]);
  });
});

describe("the proof of the books", () => {
  const books = (withoutReplay: boolean) => ({
    sql: shop.database.sql,
    events,
    streams,
    projections,
    checks: shopChecks,
    heads: [],
    withoutReplay,
  });

  it("reports a missing view and checks everything else", async () => {
    await shop.database.sql.unsafe("drop view read.sales; drop view read.balances");
    const { problems } = await verifyBooks(books(false));
    await shop.database.sql.unsafe(
      "create view read.sales as select * from read.sales_g1; create view read.balances as select * from read.balances_g1",
    );
    expect(problems.map(({ check, message }) => `${check}: ${message}`)).toEqual([
      'balances: The contents of a feature\'s tables cannot be checked: relation "read.balances" does not exist',
      'balances: The contents of a feature\'s tables cannot be checked: relation "read.balances" does not exist',
      'balances: The contents of a feature\'s tables cannot be checked: relation "read.sales" does not exist',
      "views: read.balances is missing: it should show read.balances_g1",
      "views: read.sales is missing: it should show read.sales_g1",
    ]);
    expect((await verifyBooks(books(false))).problems).toEqual([]);
  });

  it("finds nothing wrong with views that a rebuild switches to other tables during the check", async () => {
    const balances = projections.filter(({ name }) => name === "balances");
    const state = { rebuilding: true };
    const rebuilds = Promise.all(
      [...balances, ...balances, ...balances].map((each) =>
        rebuildProjection(shop.database.sql, each, { events }),
      ),
    ).finally(() => {
      state.rebuilding = false;
    });
    const messages: string[] = [];
    while (state.rebuilding) {
      messages.push(...(await found()));
    }
    await rebuilds;
    expect(messages).toEqual([]);
    expect((await verifyBooks(books(true))).problems).toEqual([]);
  });
});
