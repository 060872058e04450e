// Every version of every event that was ever stored is folded by every projection: nothing is held back, and verify passes.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, features, projections, streams } from "./features.ts";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { peopleIn } from "#features/audit/named-in.ts";
import { namedPeople } from "#features/audit/projection.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { renderSources } from "#ledger/projection/sources.ts";
import { readingAnyVersion } from "#ledger/projection/upcasts.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { EventFixture } from "#testing/shop/event-fixtures.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";
import { expectNothingHeld } from "#testing/shop/nothing-held.ts";
import { foldingOlder } from "#testing/shop/older-events.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

const fixtures = features.flatMap(({ name }) =>
  eventFixtures(new URL(`./features/${name}/fixtures/`, import.meta.url)),
);

/** The streams that an event with this data extends, found by the names of its fields. */
const STREAM_OF: Readonly<Record<string, string>> = {
  saleId: "sale",
  itemId: "item",
  masterItemId: "item",
  payoutId: "payout",
  consignorId: "consignor",
  ownerUid: "consignor",
  uid: "user",
  tradeId: "trade",
  buyerUid: "trader",
  sellerUid: "trader",
  day: "till",
};

/** Each fixture has its own sale or payout: other versions and types are not about the same one. */
function ownFact({ data }: EventFixture, index: number): Record<string, unknown> {
  const text = JSON.stringify(data);
  const own = text.replaceAll(
    /[\da-f]{8}-([\da-f]{4}-){3}/gu,
    (id) => `${String(index).padStart(8, "0")}${id.slice(8)}`,
  );
  return JSON.parse(own) as Record<string, unknown>;
}

const append: Decider<{ readonly fixture: EventFixture; readonly index: number }, null> = {
  type: "Append",
  streams: ({ fixture, index }) => streamsOf(fixture.type, ownFact(fixture, index)),
  decide: ({ fixture, index }) => {
    const data = ownFact(fixture, index);
    const { type, version: schemaVersion } = fixture;
    const facts = { streams: streamsOf(type, data), postings: [], movements: [] };
    const happenedAt = "2026-11-21T10:00:00.000Z";
    return accept([{ type, schemaVersion, data, ...facts, happenedAt }], null);
  },
};

/** The streams of which there is one that take events of this type. */
function onlyStreamsOf(type: string): string[] {
  return [...streams.values()].flatMap(({ onlyId, extendedBy }) =>
    onlyId !== undefined && extendedBy?.includes(type) === true ? [onlyId] : [],
  );
}

function streamsOf(type: string, data: Record<string, unknown>): string[] {
  const named = Object.entries(STREAM_OF).flatMap(([field, category]) =>
    typeof data[field] === "string" ? [`${category}-${data[field]}`] : [],
  );
  const { shipmentId } = data;
  // A shipment of an unknown sender names nobody. Its own stream would have this version alone.
  const parcel = typeof shipmentId === "string" ? [`user-${shipmentId}`] : [];
  return named.length === 0 ? [...onlyStreamsOf(type), ...parcel] : named;
}

let database: TestDatabase;
let sql: Sql;
let ledger: LedgerWriter;

/** Appends it; where it fails, what an older version becomes is the most likely cause. */
async function appendFixture(fixture: EventFixture, index: number): Promise<void> {
  const { file, type } = fixture;
  const context = { actor: "system:test", scope: "store", key: file, requestHash: "00" };
  try {
    await ledger.execute(append, { fixture, index }, context);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isOften = (events.get(type)?.schemaVersion ?? 1) > 1;
    const first = isOften
      ? `look first at the upcasts of ${type} in its events.ts, and at this fixture: `
      : "";
    throw new Error(`fixtures/${file} cannot be appended: ${first}${reason}`, { cause });
  }
}

beforeAll(async () => {
  database = await readableDatabase();
  sql = connect(database.appUrl, { applicationName: "fixtures", maxConnections: 1 });
  ledger = openLedger({
    sql,
    streams: foldingOlder(streams, events),
    events,
    newId: randomUUID,
  });
  for (const [index, fixture] of fixtures.entries()) {
    await appendFixture(fixture, index);
  }
  await createRunner({ sql: database.sql, projections, events }).catchUp();
});

afterAll(async () => {
  await ledger.close();
  await sql.end();
  await database.close();
});

it("is appended in the version that its fixture has", async () => {
  const rows = await database.sql<{ file: string }[]>`
    select type || '.v' || schema_version || '.json' as file from log.events order by position`;
  expect(rows.map(({ file }) => file)).toEqual(fixtures.map(({ file }) => file));
});

it("is named first, with the upcasts, where it cannot be appended", async () => {
  const data = { saleId: randomUUID() };
  const broken = { file: "SaleRecorded.v1.json", type: "SaleRecorded", version: 1, data };
  await expect(appendFixture(broken, fixtures.length)).rejects.toThrow(
    /^fixtures\/SaleRecorded\.v1\.json cannot be appended: .* the upcasts of SaleRecorded .*: evolve of sale failed/su,
  );
});

it.each(projections.map((projection) => [projection.name, projection] as const))(
  "is folded by %s live and in a replay, and nothing is held back",
  async (name, projection) => {
    await expectNothingHeld(database.sql, name);
    const rebuilt = await rebuildProjection(database.sql, projection, { events, chunk: 1 });
    await expectNothingHeld(database.sql, name);
    expect(rebuilt).toMatchObject({
      projection: name,
      flipped: true,
      differences: [],
      heldCount: 0,
    });
  },
);

it("passes verify", async () => {
  const books = { sql: database.sql, events, streams, projections, heads: [], checks: [] };
  expect((await verifyBooks(books)).problems).toEqual([]);
});

it("is found by the audit's person filter for everybody whom its fields name", async () => {
  const reading = readingAnyVersion(events);
  const select = (text: string) => renderSources(text, reading);
  const stored = await database.sql.unsafe<{ position: number; type: string; data: Fields }[]>(
    select("select e.position, e.type, e.data from {events} e"),
  );
  const found = await database.sql.unsafe<{ uid: string | null; position: number }[]>(
    select(`select n.uid, n.position from (${namedPeople}) n (uid, position)`),
    [0, stored.length],
  );
  const missed = stored.flatMap(({ position, type, data }) =>
    peopleIn(data)
      .filter((uid) => !found.some((row) => row.position === position && row.uid === uid))
      .map((uid) => `${type} names ${uid}`),
  );
  expect(missed).toEqual([]);
});

it("is in the read tables in its current shape", async () => {
  const [sales] = await database.sql`select count(*) as rows from read.sales`;
  const [payouts] = await database.sql`select count(*) as rows from read.payouts`;
  const [items] = await database.sql`select count(*) as rows from read.inventory_items`;
  const ofType = (pattern: RegExp) => fixtures.filter(({ type }) => pattern.test(type)).length;
  expect(sales).toEqual({ rows: ofType(/SaleRecorded$/u) });
  expect(payouts).toEqual({ rows: ofType(/^PayoutRequested$/u) });
  expect(items).toEqual({ rows: ofType(/^ItemAdded$/u) });
});
