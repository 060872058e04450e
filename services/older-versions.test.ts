// A sale that was recorded in an older version reads like a new one: on screens, in files, in every table, after repairs.
import { readParts } from "#features/reports/queries-month.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookChecks, events, explanations, projections, streams } from "./features.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent } from "#ledger/event.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { accountRoutes } from "#features/accounts/routes.ts";
import { inventoryRoutes } from "#features/inventory/routes.ts";
import { SaleRecorded } from "#features/sales/events.ts";
import { saleRoutes } from "#features/sales/routes.ts";
import { userRoutes } from "#features/users/routes.ts";
import type { Shape } from "#testing/shop/older-events.ts";
import { foldingOlder, writingShapes } from "#testing/shop/older-events.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

/** How an older program stored a sale: as a list of its fields. It knows none of them, so they may change. */
const firstShape = (data: unknown) => ({ fields: Object.entries(Object(data)) });

const secondShape = (data: unknown): unknown =>
  Object.fromEntries((Object(data) as ReturnType<typeof firstShape>).fields);

/** The next version, after all upcasts that the sale really has. */
const next = SaleRecorded.schemaVersion + 1;
const second = defineEvent("SaleRecorded", next, SaleRecorded.schema, {
  ...SaleRecorded.upcasts,
  [SaleRecorded.schemaVersion]: secondShape,
});
const register: ReadonlyMap<string, EventDefinition> = new Map([...events, [second.type, second]]);

/** How events read to people, with the sale in this register's shape. */
const explained = new Map(
  [...explanations].map(([type, entry]) => [
    type,
    type === second.type ? { ...entry, definition: second } : entry,
  ]),
);

const OLD: Shape = { schemaVersion: SaleRecorded.schemaVersion, dataOf: firstShape };
const NEW: Shape = { schemaVersion: next, dataOf: (data) => data };

let shape = NEW;
let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;
let blake: TestPerson;
/** The values that differ between the two, such as their ids, each with the placeholder that replaces it. */
const names = new Map<string, string>();

async function post(
  path: string,
  body: unknown,
  method = "POST",
): Promise<Record<string, unknown>> {
  const answer = await shop.call(method, `/api${path}`, { as: boss, body });
  expect(answer).toMatchObject({ status: expect.toSatisfy((status) => Number(status) < 300) });
  return Object(answer.body) as Record<string, unknown>;
}

/** The same days for both: an item and three sales, one corrected, one refunded. */
async function trade(person: TestPerson): Promise<void> {
  const consignorID = person.uid;
  const item = { itemName: "Desk lamp", barcode1: "B-1", quantity: 20 };
  const { id } = await post("/inventory/consignor", { ...item, consignorID });
  names.set(String(id), "item");
  names.set(person.uid, "person");
  const sold = { consignorID, itemUID: id, barcode1: "B-1", shippingCost: 5, quantitySold: 2 };
  const sales: string[] = [];
  for (const salePrice of [40, 50, 60]) {
    const sale = await post("/sales/record", { ...sold, salePrice, consignorPercentage: 50 });
    sales.push(String(sale["saleID"]));
    names.set(String(sale["saleID"]), `sale ${sales.length}`);
  }
  const [saleOne, saleTwo] = sales;
  await post(`/sales/${saleOne}`, { salePrice: 44, reason: "Typo" }, "PUT");
  await post(`/sales/${saleTwo}/refund`, { quantity: 1, restock: true, reason: "Bent" });
}

beforeAll(async () => {
  shop = await openTestApp({
    routes: [
      saleRoutes,
      (deps) => accountRoutes(deps, explained, readParts),
      (deps) => inventoryRoutes(deps, explained),
      (deps) => userRoutes(deps, explained),
    ],
    streams: foldingOlder(streams, register),
    events: register,
    projections,
    ledgerOver: (ledger) => writingShapes(ledger, () => new Map([[second.type, shape]])),
  });
  boss = await shop.person("Boss", "admin");
  avery = await shop.person("Avery");
  blake = await shop.person("Blake");
  shape = OLD;
  await trade(avery);
  shape = NEW;
  await trade(blake);
  await shop.runner.catchUp();
}, 60_000);

afterAll(() => shop.close());

/** An answer in which the consignor's own ids, names and positions are replaced by placeholders. */
function alike(body: unknown): string {
  let text = typeof body === "string" ? body : JSON.stringify(body);
  for (const [id, name] of names) {
    text = text.replaceAll(id, `<${name}>`);
  }
  return (
    text
      .replaceAll(/Avery|Blake|avery|blake/gu, "<name>")
      .replaceAll(
        /"(?:position|version|freshTo|chainHead|subject|sub)":(?:\d+|"[^"]*")/gu,
        "<place>",
      )
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gu, "<id>")
      .replaceAll(/[\da-f]{64}/gu, "<hash>")
      // It covers the bytes of the file, and so the ids in it.
      .replaceAll(/Signature,[\w.-]+/gu, "Signature,<signature>")
      .replaceAll(/"(?:happenedAt|recordedAt)":"[^"]*"/gu, "<time>")
      // In files: when a line was recorded, and its position.
      .replaceAll(
        /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,\d+,(?=(?:\d{4}-\d\d,)?Sale)/gu,
        "<place>,",
      )
      .replaceAll(/,\d+,\d{4}-\d\d-\d\dT[^,]+,(?=[^,]+,Sale)/gu, ",<place>,")
  );
}

const itemOf = (person: TestPerson) => {
  const entries = [...names.entries()];
  const at = entries.findIndex(([id]) => id === person.uid);
  return entries[at - 1]?.[0] ?? "";
};
const saleOf = (person: TestPerson) => {
  const entries = [...names.entries()];
  const at = entries.findIndex(([id]) => id === person.uid);
  return entries[at + 1]?.[0] ?? "";
};

const PAGES: readonly (readonly [string, (person: TestPerson) => string])[] = [
  ["the list of sales", ({ uid }) => `/sales?consignor=${uid}`],
  ["a consignor's sales", ({ uid }) => `/sales/history/${uid}`],
  ["a consignor's sales as a file", ({ uid }) => `/sales/history/${uid}/export`],
  ["one sale", (person) => `/sales/${saleOf(person)}`],
  ["the ledger", ({ uid }) => `/sales/ledger/${uid}`],
  ["the ledger as a file", ({ uid }) => `/sales/ledger/${uid}/export`],
  ["the balance", ({ uid }) => `/sales/balance/${uid}`],
  ["the tiles of the dashboard", ({ uid }) => `/accounts/${uid}/summary`],
  ["a statement", ({ uid }) => `/accounts/${uid}/statement?from=2026-01-01&to=2026-12-31`],
  [
    "a statement as a file",
    ({ uid }) => `/accounts/${uid}/statement?from=2026-01-01&to=2026-12-31&format=csv`,
  ],
  ["an item's history", (person) => `/inventory/items/${itemOf(person)}/timeline`],
  ["an item", (person) => `/inventory/items/${itemOf(person)}`],
];

async function pagesOf(person: TestPerson): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const [what, pathOf] of PAGES) {
    const answer = await shop.call("GET", `/api${pathOf(person)}`, { as: boss });
    expect({ what, ...answer }).toMatchObject({ status: 200 });
    pages[what] = alike(answer.body);
  }
  const own = await shop.call("GET", "/api/auth/me/export", { as: person });
  pages["one's own data"] = alike(Object(own.body).ledger);
  return pages;
}

const problems = async () => {
  const { sql } = shop.database;
  const books = { sql, events: register, streams, projections, checks: bookChecks, heads: [] };
  return (await verifyBooks(books)).problems;
};

describe("sales of an older and of the newest version in one log", () => {
  it("are stored as they were written", async () => {
    const rows = await shop.database.sql`
      select schema_version as version, count(*) as sales, bool_or(data ? 'fields') as listed
      from log.events where type = 'SaleRecorded' group by 1 order by 1`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { version: SaleRecorded.schemaVersion, sales: 3, listed: true },
      { version: next, sales: 3, listed: false },
    ]);
  });

  it("read the same on every screen and in every file", async () => {
    const older = await pagesOf(avery);
    expect(older["the ledger"]).toContain("2 × Desk lamp sold");
    expect(older["an item's history"]).toContain('"itemName":"Desk lamp"');
    expect(older).toEqual(await pagesOf(blake));
  });

  it("read the same after a rebuild, which finds no difference", async () => {
    for (const projection of projections) {
      const options = { events: register, chunk: 3 };
      const rebuilt = await rebuildProjection(shop.database.sql, projection, options);
      expect(rebuilt).toMatchObject({ flipped: true, differences: [], heldCount: 0 });
    }
    expect(await pagesOf(avery)).toEqual(await pagesOf(blake));
  });

  it("read the same after every key was folded again, and after a held one was repaired", async () => {
    const { sql } = shop.database;
    const before = await pagesOf(avery);
    // Nothing in these days is about the others, nobody counted the till, and no block of events is whole.
    const others = new Set(["payouts", "shipments", "trades", "till-closings", "account_blocks"]);
    for (const projection of projections.filter(({ name }) => !others.has(name))) {
      const { keys } = await refoldEachKey(sql, projection, register, 0);
      expect(
        keys,
        `keys of ${projection.name}: add a call to \`trade\` that touches it, or list it in \`others\` (services/older-versions.test.ts)`,
      ).toBeGreaterThan(0);
    }
    expect(await pagesOf(avery)).toEqual(before);
    const sale = saleOf(avery);
    await sql`delete from read.sales where sale_id = ${sale}`;
    await sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select name, generation, ${sale}, 1, 'a step that is fixed now'
      from read.projections where name = 'sales' and state = 'live'`;
    expect(await refoldHeld(sql, projections, register)).toEqual({ refolded: 1, failed: [] });
    expect(await pagesOf(avery)).toEqual(before);
    expect(before).toEqual(await pagesOf(blake));
  });

  it("pass verify: streams, replays and stored states", async () => {
    expect(await problems()).toEqual([]);
  });
});
