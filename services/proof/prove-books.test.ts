// The nightly proof: once a night however many workers there are, and it finds drift in every read table.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { events, projections } from "../features.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { readProof } from "#features/alerts/proof-now.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { readHead } from "#ledger/log/read.ts";
import { readState } from "#ledger/log/read-state.ts";
import { readLive } from "#ledger/projection/generation.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { FoundDifferences } from "#ledger/verify/replay.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { proofDepsOf } from "#testing/service/proof-deps.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";
import { sized } from "#testing/trial/size.ts";
import { BLOCK_EVENTS } from "#features/accounts/projection-blocks.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { reportDrift } from "./drift.ts";
import { proveAccounts } from "./prove-accounts.ts";
import type { BooksProof, NightlyDeps } from "./prove-books.ts";
import { lastDue, proveBooksIfDue } from "./prove-books.ts";

const DAY_MS = 86_400_000;

let market: TradeShop;
let pools: readonly Sql[] = [];
/** Two workers on the same store. */
let deps: NightlyDeps;
let other: NightlyDeps;
let now = new Date("2026-11-21T10:00:00.000Z");
let avery: TestPerson;
const more: Problem[] = [];
let isReplaying = false;

/** The replays of `npm run verify` where a test is about them, without its other checks. */
async function prove(): Promise<BooksProof> {
  const { sql } = market.shop.database;
  const differences: FoundDifferences[] = [];
  const problems = [...more];
  const replayedProjections: string[] = [];
  for (const projection of isReplaying ? projections : []) {
    const onDifferences = (found: FoundDifferences) => void differences.push(found);
    const replay = await checkReplay(sql, projection, { events, onDifferences });
    problems.push(...replay.problems);
    replayedProjections.push(...(replay.isReplayed ? [projection.name] : []));
  }
  const { position } = await readHead(sql);
  return { report: { position, problems, unlistedProblems: 0, replayedProjections }, differences };
}

/** So many sales that a block of the store's accounts is whole. */
async function fillBlock(ledger: Ledger, consignorId: string): Promise<void> {
  const happenedAt = "2026-11-20T10:00:00.000Z";
  const sell = (index: number) => {
    const saleId = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const context = { actor: "system:test", scope: "store", key: saleId, requestHash: "00" };
    const sale = { saleId, consignorId, itemName: "Rug", amountCents: 1, happenedAt };
    return ledger.execute(recordCustomSale, sale, context);
  };
  await Promise.all(Array.from({ length: BLOCK_EVENTS }, (_, index) => sell(index)));
}

beforeAll(async () => {
  market = await openTradeShop();
  const { shop, admin } = market;
  await market.accepted();
  avery = await shop.person("Avery");
  const call = async (path: string, as: TestPerson, body: unknown) => {
    const answer = await shop.call("POST", `/api${path}`, { as, body });
    expect(answer.status).toBeLessThan(300);
    return Object(answer.body) as Readonly<Record<string, unknown>>;
  };
  const rug = { consignorID: avery.uid, itemName: "Rug", amount: 90 };
  const sold = await call("/sales/custom", admin, rug);
  await call(`/sales/${String(sold["saleID"])}/refund`, admin, {
    quantity: 1,
    restock: false,
    reason: "Came back",
  });
  await call("/sales/custom", admin, rug);
  await call("/till/days", admin, { day: "2025-11-20", openingAmount: 50, countedAmount: 50 });
  await call(`/payouts/${avery.uid}/request`, avery, {
    amount: 5,
    method: "venmo",
    paymentUsername: "@avery-rugs",
  });
  const parcel = { carrier: "UPS", trackingNumber: "1Z999AA1" };
  const { id: shipmentId } = await call(`/shipments/${avery.uid}`, avery, parcel);
  const goods = { itemName: "Bowl", barcodes: "bowl-1\nbowl-1", consignorID: avery.uid };
  await call("/inventory/consignor/mass-input", admin, { ...goods, shipmentId });
  const stock = {
    consignorID: avery.uid,
    itemName: "Vase",
    barcode1: "vase-1",
    // Enough for what else a recipe does with it.
    quantity: 9,
    tagPriceCents: 4_000,
  };
  const { id: itemID } = await call("/inventory/consignor", admin, stock);
  await call("/inventory/remove", admin, { itemID, quantity: 1, reason: "damaged" });
  const own = { itemName: "Tray", barcode1: "tray-1", quantity: 2 };
  const { id: masterItemID } = await call("/inventory/master", admin, own);
  await call("/inventory/master/sale", admin, { masterItemID, quantitySold: 1 });
  await fillBlock(shop.deps.ledger, avery.uid);
  await shop.runner.catchUp();
  const { appUrl } = shop.database;
  pools = ["first", "second"].map((name) =>
    connect(appUrl, { applicationName: `proof-${name}`, maxConnections: 2 }),
  );
  const made = proofDepsOf(shop, { clock: () => now });
  deps = {
    ...made,
    proofSql: pools[0] ?? made.proofSql,
    proofTime: "03:00",
    timeZone: () => Promise.resolve("America/Chicago"),
    prove,
  };
  other = { ...deps, proofSql: pools[1] ?? made.proofSql };
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
  await market.close();
});

const openAlerts = async () => (await readState(market.shop.deps, alertsStream, ALERTS)).open;
const openHolds = async () => (await readState(market.shop.deps, holdsStream, HOLDS)).open;
const subjects = async () => (await openAlerts()).map(({ subject }) => subject).toSorted();

function nextNight(): void {
  now = new Date(now.getTime() + DAY_MS);
}

test("is due at three in the morning of the store's time zone, also when its clocks change", async () => {
  const due = (at: string, timeZone = "America/Chicago") =>
    lastDue(market.shop.database.sql, { now: new Date(at), time: "03:00", timeZone });
  // The clocks went back at two on November 1.
  expect(await due("2026-10-31T20:00:00Z")).toEqual(new Date("2026-10-31T08:00:00Z"));
  expect(await due("2026-11-01T08:59:59Z")).toEqual(new Date("2026-10-31T08:00:00Z"));
  expect(await due("2026-11-01T09:00:00Z")).toEqual(new Date("2026-11-01T09:00:00Z"));
  expect(await due("2026-11-01T23:00:00Z", "UTC")).toEqual(new Date("2026-11-01T03:00:00Z"));
});

test("runs once a night, however many workers look", async () => {
  const looks = () => Promise.all([proveBooksIfDue(deps), proveBooksIfDue(other)]);
  expect((await looks()).filter(Boolean)).toHaveLength(1);
  expect((await looks()).filter(Boolean)).toHaveLength(0);
  const { position } = await readHead(market.shop.database.sql);
  expect(await readProof(market.shop.database.sql)).toMatchObject({
    provedAt: now,
    position,
    findings: 0,
  });
  nextNight();
  expect((await looks()).filter(Boolean)).toHaveLength(1);
});

test("that was interrupted is due again", async () => {
  nextNight();
  const lost = { ...deps, prove: () => Promise.reject(new Error("the process was killed")) };
  await expect(proveBooksIfDue(lost)).rejects.toThrow("the process was killed");
  expect(await proveBooksIfDue(deps)).toBe(true);
});

test("runs at once when an admin asks, and the screen says what it found", async () => {
  const { shop, admin } = market;
  now = new Date(now.getTime() + 60_000);
  await shop.database.sql`update read.proof set asked_at = ${now}`;
  const proof = () => shop.call("GET", "/api/proof", { as: admin });
  now = new Date(now.getTime() + 60_000);
  expect((await proof()).body).toMatchObject({ isAsked: true });
  expect(await proveBooksIfDue(deps)).toBe(true);
  expect((await proof()).body).toMatchObject({
    isAsked: false,
    last: { at: now.toISOString(), findings: 0 },
    openAlerts: 0,
  });
});

/** Every read table, with one of its columns that hold a number. */
async function tablesNow() {
  const { sql } = market.shop.database;
  const found: { projection: string; table: string; column: string }[] = [];
  for (const { name, tables } of projections) {
    const live = await readLive(sql, name);
    for (const table of tables) {
      const physical = `read.${table.name}_g${live?.generation}`;
      const [row] = await sql.unsafe<{ rows: number }[]>(
        `select count(*) as rows from ${physical}`,
      );
      expect(
        row?.rows,
        `${physical} has rows: add a call that makes one to beforeAll of services/proof/prove-books.test.ts, and one to \`sellFor\` of scripts/tamper/fill.ts`,
      ).toBeGreaterThan(0);
      const [number] = await sql<{ column: string }[]>`
        select attname as column from pg_attribute
        where attrelid = ${physical}::regclass and attnum > 0 and attgenerated = ''
          and atttypid = 'bigint'::regtype
        order by attname like '%cents%' desc, attnotnull desc, attname limit 1`;
      if (number === undefined) {
        throw new Error(`${physical} has no column with a number`);
      }
      found.push({ projection: name, table: physical, column: number.column });
    }
  }
  return found;
}

type Place = Awaited<ReturnType<typeof tablesNow>>[number];

const ONE = (table: string) => `ctid = (select min(ctid) from ${table})`;

/** What somebody does to one row of a table. */
const damages: Readonly<Record<string, (place: Place) => string>> = {
  // A table without cents has another number changed, so far that it meets no other row's.
  "a changed cent": ({ table, column }) => `
    update ${table} set "${column}" = coalesce("${column}", 0) + ${column.includes("cents") ? 1 : 1_000_000}
    where ${ONE(table)}`,
  "a lost row": ({ table }) => `delete from ${table} where ${ONE(table)}`,
  "a doubled row": ({ table }) => `
    do $$ declare c text; begin
      for c in select conname from pg_constraint where conrelid = '${table}'::regclass and contype in ('p', 'u')
      loop execute format('alter table ${table} drop constraint %I', c); end loop;
      for c in select indexrelid::regclass::text from pg_index where indrelid = '${table}'::regclass and indisunique
      loop execute format('drop index %s', c); end loop;
      select string_agg(quote_ident(attname), ', ') into c from pg_attribute
        where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '';
      execute format('insert into ${table} (%s) select %s from ${table} where ${ONE(table)}', c, c);
    end $$`,
};

/** At the small size one night has all three, each in every third table; `npm run trial` has each in all tables. */
const nights = sized<readonly (readonly [string, (place: Place, index: number) => string])[]>(
  [
    [
      "a changed cent, a lost row or a doubled row",
      (place, index) => Object.values(damages)[index % 3]?.(place) ?? "",
    ],
  ],
  Object.entries(damages),
);

describe.each(nights)("%s in each read table", (_what, damage) => {
  test("is found in all of them, and nobody else's payouts are held", async () => {
    isReplaying = true;
    const { sql, ownerSql } = market.shop.database;
    // The alerts of the night before are events too.
    await market.shop.runner.catchUp();
    const places = await tablesNow();
    const kept = places.map(({ table }, index) => ({ table, kept: `public.kept_${index}` }));
    for (const { table, kept: copy } of kept) {
      await ownerSql.unsafe(`create table ${copy} as select * from ${table}`);
    }
    for (const [index, place] of places.entries()) {
      await ownerSql.unsafe(damage(place, index));
    }
    nextNight();
    expect(await proveBooksIfDue(deps)).toBe(true);
    // No key explains a wrong sum of rows that show money, so it is a finding of its own.
    const hasSums = projections.some(({ money, derived }) => money && derived);
    expect([...new Set(await subjects())]).toEqual(
      [...projections.map(({ name }) => name), ...(hasSums ? ["projection"] : [])].toSorted(),
    );
    const concerned = new Set((await openAlerts()).flatMap(({ rowKey }) => rowKey ?? []));
    const held = await openHolds();
    expect(held.length).toBeGreaterThan(0);
    for (const { uid, cause, rowKey } of held) {
      expect({ uid: uid !== null, cause }).toEqual({ uid: true, cause: "proof" });
      expect(concerned).toContain(rowKey);
    }
    for (const { table, kept: copy } of kept) {
      const [columns] = await sql<{ list: string }[]>`
        select string_agg(quote_ident(attname), ', ') as list from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
      await ownerSql.unsafe(
        `delete from ${table}; insert into ${table} (${columns?.list}) select ${columns?.list} from ${copy}; drop table ${copy}`,
      );
    }
    nextNight();
    await proveBooksIfDue(deps);
    expect(await openAlerts()).toEqual([]);
    expect(await openHolds()).toEqual([]);
  });
});

test("ends no hold of a row that went wrong after it was compared, or in tables that were not compared", async () => {
  const balances = projections.find(({ name }) => name === "balances");
  if (balances === undefined) {
    throw new Error("There is no projection of balances");
  }
  const report = { position: 1, problems: [], unlistedProblems: 0 };
  const finds = (replayedProjections: readonly string[]) => async () => ({
    report: { ...report, replayedProjections },
    differences: [],
  });
  const wrong = { drifted: [`consignor:${avery.uid}`], position: 1 };
  nextNight();
  await proveBooksIfDue({
    ...deps,
    prove: async () => {
      const books = await finds(["balances"])();
      await reportDrift(deps, balances, wrong);
      return books;
    },
  });
  expect([await subjects(), (await openHolds()).length]).toEqual([["balances"], 1]);
  nextNight();
  await proveBooksIfDue({ ...deps, prove: finds([]) });
  expect([await subjects(), (await openHolds()).length]).toEqual([["balances"], 1]);
  nextNight();
  await proveBooksIfDue({ ...deps, prove: finds(["balances"]) });
  expect([await subjects(), await openHolds()]).toEqual([[], []]);
});

test("a row whose key is too long for an alert keeps its alert while the row is there", async () => {
  const { sql, ownerSql } = market.shop.database;
  const balances = projections.find(({ name }) => name === "balances");
  const live = await readLive(sql, "balances");
  // The cut must not split a character: no event can hold half of one.
  const madeUp = `consignor:${avery.uid}:`.padEnd(299, "x") + "🪔 and more";
  const table = `read.balances_g${live?.generation}`;
  const report = { position: 1, problems: [], unlistedProblems: 0, replayedProjections: [] };
  const differences = [{ projection: "balances", tables: 1, rows: 1, keys: [madeUp] }];
  const night = async () => {
    nextNight();
    await proveBooksIfDue({ ...deps, prove: () => Promise.resolve({ report, differences }) });
    return (await openAlerts()).map(({ subject, episode }) => ({ subject, episode }));
  };
  await ownerSql.unsafe(`insert into ${table} values ($1, 5, 1)`, [madeUp]);
  expect(await night()).toEqual([{ subject: "balances", episode: 1 }]);
  expect(await night()).toEqual([{ subject: "balances", episode: 1 }]);
  await proveAccounts({ ...deps, projections: balances === undefined ? [] : [balances] });
  expect(await subjects(), "the beginning of a key is no row of its own").toEqual(["balances"]);
  await ownerSql.unsafe(`delete from ${table} where account = $1`, [madeUp]);
  expect(await night()).toEqual([]);
});

test("other findings are one alert for each check, until a later night finds nothing", async () => {
  isReplaying = false;
  more.push(
    { check: "chain", position: 7, message: "broken" },
    { check: "chain", position: 8, message: "broken" },
  );
  for (let night = 1; night <= 2; night += 1) {
    nextNight();
    await proveBooksIfDue(deps);
    expect(await openAlerts()).toMatchObject([
      { kind: "books", subject: "chain", count: 2, atPosition: 7, episode: 1 },
    ]);
  }
  expect(await openHolds()).toEqual([]);
  more.length = 0;
  nextNight();
  await proveBooksIfDue(deps);
  expect(await openAlerts()).toEqual([]);
});
