// The store with a primary and a real hot standby: reads go to the standby, and to the primary when they must.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { z } from "zod";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { parseConfig } from "#config";
import { watchStandby, type Standby } from "#db/standby.ts";
import {
  cancelHeldRead,
  endHeldReads,
  heldRead,
  liveProgress,
  pauseReplay,
  resumeReplay,
  SOON_MS,
  standbyPosition,
} from "#testing/standby/standby-acts.ts";
import {
  openStandbyPair,
  type StandbyPair,
  type TwinDatabase,
} from "#testing/standby/standby-pair.ts";
import { standbyRoutes } from "#testing/standby/standby-routes.ts";
import { readPaths, tableScans } from "#testing/standby/witness.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarRoutes } from "#testing/jar/jar-routes.ts";
import { jarEvents, jarStreams } from "#testing/jar/jar.ts";
import { openStore } from "#process/open-store.ts";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import { noWebBuild } from "#http/web-build.ts";
import { events, features, projections, streams } from "./features.ts";

let pair: StandbyPair;
/** Reads from the standby however late it is, as long as it answers within a second. */
let patient: Standby;
let shop: TestApp;
/** Treats the standby as late after a fifth of a second. */
let strict: Standby;
let strictShop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  pair = await openStandbyPair();
  patient = watch(600_000);
  strict = watch(200);
  const parts = {
    routes: [jarRoutes, standbyRoutes],
    streams: jarStreams,
    events: jarEvents,
    projections: [jarBook],
  };
  const { database } = pair;
  shop = await openTestApp({ ...parts, on: { database, standby: patient, patienceMs: 1_000 } });
  strictShop = await openTestApp({ ...parts, on: { database, standby: strict, patienceMs: 100 } });
  boss = await shop.person("Boss", "admin");
  await following();
}, 60_000);

afterAll(async () => {
  await Promise.all([shop.close(), strictShop.close()]);
  await Promise.all([strict.close(), patient.close()]);
  await pair.close();
});

function watch(maxLagMs: number, { standbyUrl, database }: TwinDatabase = pair): Standby {
  return watchStandby({
    url: standbyUrl,
    primary: database.sql,
    applicationName: "test-standby",
    // One connection, so that a test can make it flush its counters.
    maxConnections: 1,
    statementTimeoutMs: 120_000,
    maxLagMs,
    onChange: () => undefined,
    lookEveryMs: 20,
  });
}

async function following(): Promise<void> {
  await vi.waitFor(() => {
    expect([strict.state().kind, patient.state().kind]).toEqual(["following", "following"]);
  }, SOON_MS);
}

/** Fills a jar without updating the read tables. */
async function fill(cents: number, jar: string): Promise<string> {
  const answer = await shop.call("POST", `/api/jars/${jar}/fill`, { as: boss, body: { cents } });
  expect(answer.status).toBe(200);
  return answer.headers.get("Ledger-Position") ?? "none";
}

/** Fills a jar and waits until the standby shows it, without any other commit that could help it. */
async function fillBoth(cents: number, jar: string): Promise<string> {
  const position = await fill(cents, jar);
  await shop.runner.catchUp();
  await vi.waitFor(async () => expect(await standbyPosition(pair)).toBe(Number(position)), 5_000);
  return position;
}

const read = (path: string, position?: string, app = shop) =>
  app.call("GET", `/api${path}`, {
    as: boss,
    ...(position === undefined ? {} : { headers: { "Ledger-Position": position } }),
  });

async function metric(app: TestApp, name: string): Promise<number> {
  const text = await (await app.app.request("/metrics")).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

/** What `/readyz` of a ready store says about the standby. */
async function condition(app: TestApp): Promise<{ state: string; message: string } | undefined> {
  const { status, body } = await app.call("GET", "/readyz");
  expect(status).toBe(200);
  return readyzSchema.parse(body).conditions.find(({ name }) => name === "standby");
}

const readyzSchema = z.object({
  status: z.literal("ready"),
  conditions: z.array(z.object({ name: z.string(), state: z.string(), message: z.string() })),
});

const fromStandby = { status: 200, body: { place: "standby" } };
const fromPrimary = { status: 200, body: { place: "primary" } };

afterEach(async () => {
  await resumeReplay(pair);
  await following();
});

test("people read their own writes from the standby, with and without the position, and never from the primary", async () => {
  const position = await fillBoth(5, "own");
  const before = await tableScans(shop, pair);
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await read("/jars/own", turn % 2 === 0 ? position : undefined);
    expect(answer).toMatchObject({ status: 200, body: { cents: 5 } });
    expect(answer.headers.get("Ledger-Fresh-To")).toBe(position);
  }
  const after = await tableScans(shop, pair);
  expect(after.onStandby - before.onStandby).toBe(5);
  expect(after.onPrimary - before.onPrimary).toBe(0);
});

test("a position that the standby does not reach soon is read from the primary, and live events wait for the standby", async () => {
  const shown = await fillBoth(1, "late");
  await pauseReplay(pair);
  const position = await fill(1, "late");
  const answers = await Promise.all([
    read("/jars/late", position),
    read("/jars-place", position),
    read("/jars-place"),
  ]);
  expect(answers).toMatchObject([{ body: { cents: 2 } }, fromPrimary, fromPrimary]);
  // This read needs no more than the standby has, but others have already seen more than that.
  expect(await read("/jars-place", shown)).toMatchObject(fromPrimary);
  expect(await metric(shop, 'ledger_reads_on_primary_total{reason="late"}')).toBe(4);
  expect(await liveProgress(shop, boss.uid)).toEqual({ projections: { jar_book: Number(shown) } });
  await resumeReplay(pair);
  await vi.waitFor(async () => expect(await standbyPosition(pair)).toBe(Number(position)), SOON_MS);
  expect(await read("/jars-place", shown)).toMatchObject(fromStandby);
  await vi.waitFor(async () => {
    expect(await liveProgress(shop, boss.uid)).toEqual({
      projections: { jar_book: Number(position) },
    });
  }, SOON_MS);
});

test("a standby that stays behind is reported, its reads go to the primary, and later return to it", async () => {
  expect(await metric(strictShop, "ledger_standby_following")).toBe(1);
  const position = await fillBoth(1, "behind");
  await pauseReplay(pair);
  await fill(1, "behind");
  await vi.waitFor(
    async () => expect(await condition(strictShop)).toMatchObject({ state: "warning" }),
    5_000,
  );
  expect((await condition(strictShop))?.message).toMatch(
    /^The standby is \d+\.\d s behind; reads go to the primary until it has caught up$/,
  );
  expect(await metric(strictShop, "ledger_standby_following")).toBe(0);
  expect(await metric(strictShop, "ledger_standby_lag_seconds")).toBeGreaterThan(0.2);
  const before = await metric(strictShop, 'ledger_reads_on_primary_total{reason="behind"}');
  expect(await read("/jars-place", undefined, strictShop)).toMatchObject(fromPrimary);
  expect(await read("/jars-place", position, strictShop)).toMatchObject(fromPrimary);
  expect(await metric(strictShop, 'ledger_reads_on_primary_total{reason="behind"}')).toBe(
    before + 2,
  );
  await resumeReplay(pair);
  await following();
  expect(await condition(strictShop)).toMatchObject({
    state: "ok",
    message: "The standby follows the primary",
  });
  expect(await metric(strictShop, "ledger_standby_lag_seconds")).toBeLessThan(0.2);
  await vi.waitFor(async () => {
    expect(await read("/jars-place", undefined, strictShop)).toMatchObject(fromStandby);
  }, SOON_MS);
});

test("held rows are those of the server that is read: the notice matches the tables", async () => {
  const position = await fillBoth(1, "held");
  await pauseReplay(pair);
  await pair.database.ownerSql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select name, generation, 'jar-held', position, 'a test' from read.projections
    where name = ${jarBook.name} and state = 'live'`;
  expect(await read("/jars/held", position)).toMatchObject({ body: { cents: 1 } });
  expect((await read("/jars/held", position)).body).not.toHaveProperty("held");
  await resumeReplay(pair);
  await vi.waitFor(async () => {
    const answer = await read("/jars/held", position);
    expect(answer.body).toMatchObject({ held: 1 });
  }, SOON_MS);
  await pauseReplay(pair);
  await pair.database.ownerSql`delete from read.quarantine`;
  expect((await read("/jars/held", position)).body).toMatchObject({ held: 1 });
  expect(await read("/jars-place", position)).toMatchObject(fromStandby);
});

test("a request that changes something reads the primary", async () => {
  const answer = await shop.call("PUT", "/api/jars-place", { as: boss });
  expect(answer).toMatchObject(fromPrimary);
  expect(await read("/jars-place")).toMatchObject(fromStandby);
});

test("a query that writes is refused, and not tried on the primary", async () => {
  await fillBoth(7, "kept");
  expect((await read("/jars-that-write")).status).toBe(500);
  expect((await read("/jars/kept")).body).toEqual({ cents: 7 });
});

test("a read that replay cancels on the standby is repeated on the primary, also in the middle of a file", async () => {
  await fillBoth(1, "conflict");
  await pair.standby`alter system set max_standby_streaming_delay = 0`;
  await pair.standby`select pg_reload_conf()`;
  const before = await metric(shop, 'ledger_reads_on_primary_total{reason="conflict"}');
  const list = read("/held-jars");
  await cancelHeldRead(pair);
  expect(await list).toMatchObject({ status: 200, body: { jars: 1 } });
  const file = read("/held-jars/file");
  await cancelHeldRead(pair);
  expect((await file).body).toBe("Line,On the standby\r\n1,true\r\n2,true\r\n3,false\r\n");
  expect(await metric(shop, 'ledger_reads_on_primary_total{reason="conflict"}')).toBe(before + 2);
  expect(shop.errorLines.filter((line) => line.includes("conflict"))).toEqual([]);
  await pair.standby`alter system reset max_standby_streaming_delay`;
  await pair.standby`select pg_reload_conf()`;
});

test("reads survive the end of the standby, also those under way, and it is used again once it is back", async () => {
  await fillBoth(1, "gone");
  const underWay = read("/held-jars");
  await heldRead(pair);
  await pair.killStandby();
  expect(await underWay).toMatchObject({ status: 200, body: { jars: 1 } });
  const position = await fill(1, "gone");
  expect(await read("/jars/gone", position)).toMatchObject({ status: 200, body: { cents: 2 } });
  expect(await read("/jars-place")).toMatchObject(fromPrimary);
  expect(await condition(shop)).toMatchObject({
    state: "warning",
    message: expect.stringMatching(/^The standby is not read from: it cannot be reached \(\w+\)/),
  });
  expect(await metric(shop, 'ledger_reads_on_primary_total{reason="lost"}')).toBe(1);
  expect(await metric(shop, 'ledger_reads_on_primary_total{reason="away"}')).toBeGreaterThan(0);
  await pair.startStandby();
  await vi.waitFor(async () => {
    expect(await read("/jars-place", position)).toMatchObject(fromStandby);
  }, SOON_MS);
  expect(await condition(shop)).toMatchObject({ state: "ok" });
});

test("reads stop using a standby that no longer answers within moments, also those that wait for it", async () => {
  await fillBoth(1, "hung");
  const underWay = read("/held-jars");
  await heldRead(pair);
  const thaw = await pair.freezeStandby();
  try {
    expect(await underWay).toMatchObject({ status: 200, body: { jars: 1 } });
    expect(await condition(shop)).toMatchObject({
      state: "warning",
      message: expect.stringContaining("The standby is not read from: it does not answer"),
    });
    expect(await read("/jars-place")).toMatchObject(fromPrimary);
  } finally {
    thaw();
    await endHeldReads(pair);
  }
  await vi.waitFor(async () => {
    expect(await read("/jars-place")).toMatchObject(fromStandby);
  }, SOON_MS);
});

test("every list, history, search and file of the features does not touch the primary's read tables", async () => {
  const twin = await pair.newDatabase("features");
  const standby = watch(600_000, twin);
  const routes = features.flatMap((feature) => feature.routes);
  const on = { database: twin.database, standby, patienceMs: 5_000 };
  const store = await openTestApp({ routes, streams, events, projections, on });
  try {
    const admin = await store.person("Admin", "admin");
    const avery = await store.person("Avery");
    const blake = await store.person("Blake");
    const post = async (path: string, body: object, as = admin) => {
      const answer = await store.call("POST", path, { as, body });
      expect(answer.status).toBe(200);
    };
    const consignorID = avery.uid;
    const lamp = { itemName: "Lamp", barcode1: "lamp-1", quantity: 5, location: "A-1" };
    await post("/api/inventory/consignor", { ...lamp, consignorID });
    await post("/api/sales/custom", { consignorID, itemName: "Lamp", amount: 12 });
    const payout = { amount: 2, method: "venmo", paymentUsername: "@avery-b" };
    await post(`/api/payouts/${consignorID}/request`, payout);
    await post(`/api/shipments/${consignorID}`, { carrier: "UPS", trackingNumber: "1" });
    await post("/api/inventory/consignor", { ...lamp, consignorID: blake.uid });
    await store.runner.catchUp();
    const [street, city, state, zip] = ["1 Elm Street", "Austin", "TX", "73301"];
    const trade = { itemName: "Lamp", itemBarcode: "lamp-1", quantity: 1, pricePerItem: 100 };
    const shippingAddress = { name: "Avery", street, city, state, zip };
    await post("/api/trades/request", { ...trade, shippingAddress }, avery);
    await store.runner.catchUp();
    await vi.waitFor(() => expect(standby.state().kind).toBe("following"), SOON_MS);
    const paths = await readPaths(store, admin, avery.uid);
    expect(paths.length).toBeGreaterThan(25);
    const before = await tableScans(store, twin);
    for (const path of paths) {
      const { status } = await store.call("GET", path, { as: admin });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    const after = await tableScans(store, twin);
    expect(after.onPrimary - before.onPrimary).toBe(0);
    expect(after.onStandby - before.onStandby).toBeGreaterThanOrEqual(paths.length);
    expect(await metric(store, "ledger_reads_on_standby_total")).toBe(paths.length);
  } finally {
    await Promise.all([store.close(), standby.close()]);
  }
}, 60_000);

test("a store whose standby is down starts, says so, and reads there as soon as it is up", async () => {
  const { database, standbyUrl } = await pair.newDatabase("store");
  await pair.killStandby();
  const dataDir = await mkdtemp(join(tmpdir(), "standby-store-"));
  const store = await openStore({
    config: parseConfig({
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      READ_DATABASE_URL: standbyUrl,
      DATA_DIR: dataDir,
      PORT: "0",
    }),
    logger: pino({ level: "silent" }),
    name: "standby-test",
    works: true,
  });
  try {
    const worker = await startWorker(store);
    const api = await startApi(store, noWebBuild);
    const get = async (path: string) => (await fetch(`${api.server.url}${path}`)).text();
    await vi.waitFor(async () => {
      expect(await get("/readyz")).toContain("The standby is not read from");
    }, SOON_MS);
    expect(JSON.parse(await get("/readyz"))).toMatchObject({ status: "ready" });
    expect((await store.reading.freshness.wait(["sales"])).source).toBe("primary");
    await pair.startStandby();
    await vi.waitFor(async () => {
      expect(await get("/readyz")).toContain("The standby follows the primary");
    }, SOON_MS);
    await vi.waitFor(async () => {
      expect((await store.reading.freshness.wait(["sales"])).source).toBe("standby");
    }, SOON_MS);
    expect(await get("/metrics")).toContain("ledger_reads_on_standby_total 1");
    await api.close();
    await worker.close();
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);
