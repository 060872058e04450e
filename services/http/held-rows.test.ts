// What people see of rows that could not be folded: lists say that rows are missing, and single reads never answer 404.
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { events, projections } from "../features.ts";
import { readTablesCheck } from "#http/read-tables-check.ts";
import { observeTables } from "#http/table-metrics.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

/** The store's projections, with a step for sales that cannot fold an item of this name. */
const broken: readonly Projection[] = projections.map((projection) =>
  projection.name === "sales"
    ? {
        ...projection,
        step: projection.step.map((text) =>
          text.replace(
            "r.sale_id::uuid, r.kind",
            "r.sale_id::uuid, case when r.item_name = 'Broken' then null else r.kind end",
          ),
        ),
      }
    : projection,
);

let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;
let blake: TestPerson;
let heldSale = "";

beforeAll(async () => {
  shop = await openTestApp({ projections: broken });
  boss = await shop.person("Boss", "admin");
  avery = await shop.person("Avery");
  blake = await shop.person("Blake");
  await sell(avery, "Lamp");
  heldSale = await sell(avery, "Broken");
  await sell(blake, "Rug");
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

async function sell(consignor: TestPerson, itemName: string): Promise<string> {
  const answer = await shop.call("POST", "/api/sales/custom", {
    as: boss,
    body: { consignorID: consignor.uid, itemName, amount: 12 },
  });
  expect(answer.status).toBeLessThan(300);
  const [row] = await shop.database.sql<{ id: string }[]>`
    select data ->> 'saleId' as id from log.events order by position desc limit 1`;
  return row?.id ?? "";
}

const get = (path: string, as: TestPerson) => shop.call("GET", `/api${path}`, { as });

describe("while a sale is held back", () => {
  test("every list that it belongs to says that a row is missing, and no other", async () => {
    expect(await get("/sales", boss)).toMatchObject({ status: 200, body: { held: 1 } });
    expect(await get(`/sales/history/${avery.uid}`, avery)).toMatchObject({ body: { held: 1 } });
    expect(await get(`/sales/history/${avery.uid}`, boss)).toMatchObject({ body: { held: 1 } });
    expect((await get(`/sales/history/${blake.uid}`, blake)).body).not.toHaveProperty("held");
    expect((await get(`/sales/ledger/${avery.uid}`, avery)).body).not.toHaveProperty("held");
  });

  test("reading it answers that it is held back, not that it does not exist", async () => {
    for (const person of [boss, avery]) {
      const answer = await get(`/sales/${heldSale}`, person);
      expect(answer).toMatchObject({ status: 503, body: { error: "held_back" } });
      expect(answer.headers.get("Retry-After")).toBe("60");
    }
    expect(await get(`/sales/${heldSale}`, blake)).toMatchObject({
      status: 404,
      body: { error: "sale_not_found" },
    });
  });

  test("an exported list says so in a header, from which the file's name is made", async () => {
    expect((await get("/sales/export", boss)).headers.get("Ledger-Held")).toBe("1");
  });

  test("readiness warns but the service stays ready", async () => {
    expect(await readTablesCheck(shop.database.sql, projections, events).look()).toMatchObject({
      state: "warning",
      message: "1 rows of sales are held back. `npm run status` shows details",
    });
  });

  test("the metrics count it", async () => {
    const answer = await (await shop.app.request("/metrics")).text();
    expect(answer).toContain('ledger_held_keys{projection="sales"} 1');
    // Every metric is there at the first scrape.
    expect(answer).toContain('ledger_projection_position{projection="sales"} 4');
  });
});

test("readiness tells a table that is not fed from one that is filled for the first time, although none of its rows are held back", async () => {
  const { sql } = shop.database;
  await sql`update read.projections set position = 0 where name = 'payouts' and state = 'live'`;
  await shop.database
    .ownerSql`update log.events set recorded_at = now() - interval '1 minute' where position = 1`;
  // It was made after that event.
  const { message } = await readTablesCheck(sql, projections, events).look();
  expect(message).toMatch(/payouts is being filled for the first time: 0 %, position 0 of 4;/u);
  expect(message).not.toContain("behind");
  const series = 'ledger_rebuild_position{projection="payouts",tables="shown"} 0';
  const registry = new Registry();
  observeTables(registry, sql);
  expect(await registry.metrics()).toContain(series);

  await sql`
    update read.projections set flipped_at = now() - interval '1 hour'
    where name = 'payouts' and state = 'live'`;
  expect(await registry.metrics()).not.toContain(series);
  expect((await readTablesCheck(sql, projections, events).look()).message).toMatch(
    /payouts is at position 0, 6\d s behind the log/u,
  );
  const ofOlderProgram = await readTablesCheck(sql, projections, new Map()).look();
  expect(ofOlderProgram.message).toMatch(
    /Event 1 is .+, which this program does not know: .+ of the program\. `npm run status`/u,
  );
  expect(ofOlderProgram.message).not.toContain("behind the log");
  await sql`update read.projections set position = 4 where name = 'payouts' and state = 'live'`;
});

test("readiness names tables that are gone as a whole, which no row tells", async () => {
  const { sql, ownerSql } = shop.database;
  const messageNow = async () => (await readTablesCheck(sql, projections, events).look()).message;
  await sql`update read.projections set state = 'previous' where name = 'shipments'`;
  expect(await messageNow()).toContain(
    "shipments has no live row in read.projections, so nothing says which of its tables are shown, and how far they are: `npm run rebuild` makes new ones",
  );
  await sql`update read.projections set state = 'live' where name = 'shipments'`;
  const [table] = await sql<{ name: string }[]>`
    select 'read.payouts_g' || generation as name from read.projections
    where name = 'payouts' and state = 'live'`;
  const name = table?.name ?? "";
  await ownerSql.unsafe(`alter table ${name} rename to payouts_gone`);
  expect(await messageNow()).toContain(`The table ${name}, which payouts shows, is missing`);
  await ownerSql.unsafe(`alter table read.payouts_gone rename to ${name.replace("read.", "")}`);
  expect(await messageNow()).not.toContain("missing");
  await ownerSql`alter view read.payouts rename to payouts_gone`;
  expect(await messageNow()).toContain(
    "The view read.payouts, through which payouts is read, is missing: `npm run rebuild` makes new ones",
  );
  await ownerSql`alter view read.payouts_gone rename to payouts`;
  expect(await messageNow()).not.toContain("missing");
});

test("a fixed step shows the sale at once, in the running service", async () => {
  const repaired = await refoldHeld(shop.database.sql, projections, events);
  expect(repaired).toEqual({ refolded: 1, failed: [] });
  expect(await get(`/sales/${heldSale}`, avery)).toMatchObject({ status: 200 });
  expect((await get("/sales", boss)).body).not.toHaveProperty("held");
  expect(await readTablesCheck(shop.database.sql, projections, events).look()).toMatchObject({
    state: "ok",
  });
});
