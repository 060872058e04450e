// The import on a real database: every balance, history and count compared with books computed from the file alone.
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ledger } from "#ledger/log/ledger.ts";
import { readHead } from "#ledger/log/read.ts";
import type { ImportDesk } from "#testing/shop/import-desk.ts";
import { openImportDesk } from "#testing/shop/import-desk.ts";
import type { ExpectedBooks } from "#testing/shop/retail-books.ts";
import { expectBooks } from "#testing/shop/retail-books.ts";
import { makeRetailFile, RETAIL_NOW } from "#testing/shop/retail-file.ts";
import type { ImportResult } from "./import-file.ts";
import { sized } from "#testing/trial/size.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { events } from "../../features.ts";
import { feedNotifications, registerKinds } from "../../notify/feed.ts";

let desk: ImportDesk;

beforeEach(async () => {
  desk = await openImportDesk();
});

afterEach(() => desk.close());

/** The ledger of a process that dies: commits succeed but their answers are lost, then nothing is sent anymore. */
function dyingAfter(commands: number): (ledger: Ledger) => Ledger {
  let sent = 0;
  return (ledger) => ({
    execute: async (decider, command, context) => {
      sent += 1;
      const number = sent;
      const outcome =
        number <= commands + 100 ? await ledger.execute(decider, command, context) : undefined;
      if (outcome === undefined || number > commands) {
        throw new Error("killed");
      }
      return outcome;
    },
  });
}

/** A ledger in which the first line is contended until the line after it was decided. */
function overtaking(ledger: Ledger): Ledger {
  const overtaken = Promise.withResolvers<void>();
  let sent = 0;
  return {
    execute: async (decider, command, context) => {
      sent += 1;
      const [isFirst, isSecond] = [sent === 2, sent === 3];
      if (isFirst) {
        await overtaken.promise;
        return { kind: "contended" };
      }
      const outcome = await ledger.execute(decider, command, context);
      if (isSecond) {
        overtaken.resolve();
      }
      return outcome;
    },
  };
}

/** Everything in the log and the read tables, without ids and times that differ between runs. */
async function everything(): Promise<unknown> {
  await desk.catchUp();
  const { sql } = desk;
  return {
    events: await sql`
      select position, type, data, actor, command_key, happened_at from log.events order by position`,
    postings: await sql`select * from log.postings order by position, ordinal`,
    movements: await sql`select * from log.movements order by position, ordinal`,
    streams: await sql`select id, version, state from log.streams order by id`,
    people: await sql`select uid, display_name, role from identity.profiles order by uid`,
  };
}

/** The worker reads everything that was imported as if it happened today. */
async function expectNobodyTold(): Promise<void> {
  const { sql } = desk;
  const parts = { sql, readEvent: createReadEvent(events), clock: () => RETAIL_NOW };
  expect(await feedNotifications({ ...parts, hasDiscord: true })).toBe(0);
  const [reached] = await sql`select distinct position from store.notification_kinds`;
  expect(reached).toEqual({ position: (await readHead(sql)).position });
}

async function expectBooksOf(path: string, result: ImportResult): Promise<void> {
  const text = await readFile(path, "utf8");
  const expected = expectBooks(text, 40, RETAIL_NOW);
  const plan = await desk.plan(path);
  expect(plan.refused.map(({ line, reason }) => [line, reason])).toEqual(expected.refused);
  expect(result.refused).toEqual([]);
  expect(result.imported + result.repeated).toBe(expected.sales.length + expected.refunds);
  await desk.catchUp();
  await expectAccounts(expected);
  await expectStock(expected);
  await expectSales(expected);
  expect((await desk.verify()).problems).toEqual([]);
}

async function expectAccounts(expected: ExpectedBooks): Promise<void> {
  const { sql } = desk;
  const balances = await sql<{ account: string; balance_cents: number }[]>`
    select account, balance_cents from read.balances where balance_cents <> 0`;
  const wanted: [string, number][] = [
    ...[...expected.accounts].map(([uid, lines]): [string, number] => [
      `consignor:${uid}:available`,
      lines.at(-1)?.afterCents ?? 0,
    ]),
    ["store:revenue", expected.revenueCents],
    ["world:customers", expected.customersCents],
  ];
  expect(new Map(balances.map((row) => [row.account, row.balance_cents]))).toEqual(
    new Map(wanted.filter(([, cents]) => cents !== 0)),
  );
  const history = await sql<{ uid: string; at: Date; delta: number; after: number }[]>`
    select h.uid, e.happened_at as at, h.available_delta_cents as delta,
      h.available_after_cents as after
    from read.account_history h join log.events e on e.position = h.position
    order by h.uid, h.line`;
  const lines = Map.groupBy(history, (row) => row.uid);
  expect([...lines.keys()].sort()).toEqual([...expected.accounts.keys()].sort());
  for (const [uid, wantedLines] of expected.accounts) {
    expect(
      lines.get(uid)?.map((row) => ({
        at: row.at.toISOString(),
        deltaCents: row.delta,
        afterCents: row.after,
      })),
    ).toEqual(wantedLines);
  }
  const people = await sql<{ uid: string; display_name: string }[]>`
    select uid, display_name from identity.profiles order by uid`;
  expect(people.map((row) => row.uid)).toEqual([...expected.accounts.keys()].sort());
  expect(people[0]?.display_name).toMatch(/^Import consignor \d\d$/);
}

async function expectStock(expected: ExpectedBooks): Promise<void> {
  const { sql } = desk;
  const items = await sql<
    { id: string; owner: string; code: string; name: string; units: number }[]
  >`
    select id, owner_uid as owner, barcode1 as code, item_name as name, quantity as units
    from read.inventory_items where not archived`;
  const history = Map.groupBy(
    await sql<{ item_id: string; delta: number; after: number }[]>`
      select item_id, units_delta as delta, units_after as after
      from read.item_timeline order by item_id, line`,
    (row) => row.item_id,
  );
  const found = items.map(({ id, owner, code, name, units }) => [
    `${owner} ${code}`,
    {
      uid: owner,
      code,
      name,
      units,
      history: history.get(id)?.map(({ delta, after }) => ({ delta, after })),
    },
  ]);
  expect(new Map(found as [string, unknown][])).toEqual(expected.items);
  const [sums] = await sql<{ received: number; sold: number; others: number }[]>`
    select
      sum(case when from_holding = 'world:received' then units else 0 end)::bigint as received,
      sum(case when to_holding = 'world:sold' then units
        when from_holding = 'world:sold' then -units else 0 end)::bigint as sold,
      count(*) filter (where from_holding not like 'item:%' and to_holding not like 'item:%')
        as others
    from log.movements`;
  expect(sums).toEqual({
    received: expected.receivedUnits,
    sold: expected.soldUnits,
    others: 0,
  });
}

async function expectSales(expected: ExpectedBooks): Promise<void> {
  const { sql } = desk;
  const shown = await sql`
    select split_part(e.command_key, ':', 3)::int as line, s.consignor_id as uid,
      s.barcode1 as code, s.units, s.price_cents as price, s.payout_cents as payout,
      s.refunded_units as "refundedUnits", s.refunded_price_cents as "refundedPrice",
      s.refunded_payout_cents as "refundedPayout", s.sold_at as at
    from read.sales s join log.events e on e.position = s.position
    order by s.position`;
  expect(shown.map((row) => ({ ...row }))).toEqual(
    expected.sales.map((sale) => ({
      line: sale.line,
      uid: sale.uid,
      code: sale.code,
      units: sale.units,
      price: Number(sale.priceCents),
      payout: Number(sale.payoutCents),
      refundedUnits: sale.refundedUnits,
      refundedPrice: Number(sale.refundedPrice),
      refundedPayout: Number(sale.refundedPayout),
      at: new Date(sale.at),
    })),
  );
  const counts = await sql`select type, count(*) as count from log.events group by type`;
  expect(Object.fromEntries(counts.map((row) => [row["type"], row["count"]]))).toEqual({
    ItemAdded: expected.items.size,
    UnitsReceived: expected.sales.length,
    SaleRecorded: expected.sales.length,
    SaleRefunded: expected.refunds,
  });
}

/** It has each oddity once alone, and again among ordinary lines. */
const lines = sized(700, 3_200);
/** Commands after which the second import dies. */
const killedAfter = sized(270, 1_234);

const named = process.env["SALES_CSV"];
const files: readonly { readonly name: string; readonly path: () => Promise<string> }[] = [
  { name: "a file made with every oddity", path: () => desk.fileOf(makeRetailFile(2026, lines)) },
  ...(named === undefined || named === ""
    ? []
    : [{ name: "the file that SALES_CSV names", path: () => beginningOf(named) }]),
];

/** The file itself at full size, otherwise a file with its first lines. */
async function beginningOf(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  return sized(
    () => desk.fileOf(text.split("\n").slice(0, 1_000).join("\n")),
    () => Promise.resolve(path),
  )();
}

// The next test computes the books of every file too; this one takes as long again for the long file.
describe.each(sized(files.slice(0, 1), files))("importing $name", ({ path: pathOf }) => {
  it("gives the books computed from the file, also when it is imported again", async () => {
    const path = await pathOf();
    await registerKinds(desk.sql);
    const result = await desk.importOnce(path);
    await expectBooksOf(path, result);
    await expectNobodyTold();
    const before = await everything();

    const later = new Date(RETAIL_NOW.getTime() + 90 * 365 * 86_400_000);
    const again = await desk.importOnce(path, { now: later });
    expect(again).toMatchObject({ imported: 0, repeated: result.imported, refused: [] });
    expect(await everything()).toEqual(before);
  }, 240_000);
});

describe.each(files)("importing $name", ({ path: pathOf }) => {
  it("gives the same books when it is killed twice and run again", async () => {
    const path = await pathOf();
    for (const commands of [1, killedAfter]) {
      await expect(desk.importOnce(path, {}, dyingAfter(commands))).rejects.toThrow("killed");
    }
    expect((await readHead(desk.sql)).position).toBeGreaterThan(killedAfter / 2);
    const result = await desk.importOnce(path);
    expect(result.repeated).toBeGreaterThan(killedAfter / 2);
    await expectBooksOf(path, result);
  }, 240_000);
});

it("imports a refund although its sale has to be tried again", async () => {
  const path = await desk.fileOf(
    [
      "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country",
      "1,A,MUG,2,2010-12-01 08:26,2.55,17850,France",
      "C2,A,MUG,-1,2010-12-02 08:26,2.55,17850,France",
    ].join("\n"),
  );
  const result = await desk.importOnce(path, {}, overtaking);
  expect(result).toMatchObject({ imported: 2, refused: [] });
});
