// The backfill gives pictures to items one at a time, whatever happens to the workers that do it, and whoever starts it.
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { backfillResponse, COULD_NOT_EXTRACT } from "#features/images/contract-backfill.ts";
import { nextStepOf, stepBackfill, type StepDeps } from "#features/images/backfill-step.ts";
import { countBackfill } from "#features/images/backfill-counts.ts";
import { createFindPicture } from "#features/images/find-picture.ts";
import type { Retailer } from "#http/retailer.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import {
  linkTo,
  type RetailerStandIn,
  startRetailer,
  WITHOUT_PICTURE,
} from "#testing/service/retailer-stand-in.ts";

const PACE_MS = 2_000;
const HELD_MS = 30_000;
let shop: TestApp;
let standIn: RetailerStandIn;
let admin: TestPerson;
let avery: TestPerson;
let elapsed = 0;

beforeAll(async () => {
  standIn = await startRetailer();
  shop = await openTestApp({ retailer: standIn.retailer });
  admin = await shop.person("Robin", "admin");
  avery = await shop.person("Avery");
});
beforeEach(async () => {
  standIn.mood = "kind";
  await shop.database.sql`delete from store.image_backfills`;
  await shop.database.sql`delete from files.image_lookups`;
  const { sql } = shop.database;
  const left = await sql<{ id: string; owner_uid: string | null }[]>`
    select id, owner_uid from read.inventory_items where image_url = ''`;
  for (const { id, owner_uid: consignorUID } of left) {
    const body = { itemUID: id, consignorUID, imageUrl: "https://m.media-amazon.com/other.jpg" };
    await shop.call("POST", "/api/admin/update-item-image", { as: admin, body });
  }
  await shop.runner.catchUp();
});
afterAll(async () => {
  await shop.close();
  await standIn.close();
});

/** A clock of the worker: time passes without tokens getting old. */
const clock = (): Date => new Date(shop.deps.clock().getTime() + elapsed);

function worker(given: Partial<StepDeps> = {}): StepDeps {
  const { sql, ledger } = shop.deps;
  const { retailer } = standIn;
  const findPicture = createFindPicture({ sql, clock, retailer });
  return { sql, ledger, clock, hosts: retailer.hosts, findPicture, ...given };
}

async function step(given: Partial<StepDeps> = {}): Promise<boolean> {
  elapsed += PACE_MS;
  const did = await stepBackfill(worker(given));
  await shop.runner.catchUp();
  return did;
}

async function act(what = "", as = admin, body?: object) {
  const path = `/api/admin/image-backfill${what === "" ? "" : `/${what}`}`;
  const method = what === "" ? "GET" : "POST";
  const answer = await shop.call(method, path, { as, ...(body === undefined ? {} : { body }) });
  return backfillResponse.parse(answer.body);
}

let made = 0;
async function newItem(asin: string): Promise<string> {
  made += 1;
  const body = {
    consignorID: avery.uid,
    itemName: `Thing ${made}`,
    barcode1: `backfill-${made}`,
    quantity: 1,
    link: linkTo(asin),
  };
  const answer = await shop.call("POST", "/api/inventory/consignor", { as: admin, body });
  await shop.runner.catchUp();
  return z.object({ id: z.string() }).parse(answer.body).id;
}

async function pictureOf(id: string): Promise<string> {
  const { body } = await shop.call("GET", `/api/inventory/items/${id}`, { as: admin });
  return z.object({ item: z.object({ imageUrl: z.string() }) }).parse(body).item.imageUrl;
}

async function edits(id: string): Promise<number> {
  const { sql } = shop.database;
  const rows = await sql`
    select from log.events where type = 'ItemEdited' and data ->> 'itemId' = ${id}`;
  return rows.count;
}

it("takes one item every two seconds, the newest first, and is finished after the last", async () => {
  const first = await newItem("B0PICTURE1");
  const hopeless = await newItem(WITHOUT_PICTURE);
  const last = await newItem("B0PICTURE2");
  expect((await act("start")).backfill).toMatchObject({ state: "running", total: 3, updated: 0 });
  const counts = () => countBackfill(shop.database.sql);
  expect(await counts()).toEqual({ state: "running", waiting: 3, failed: 0, done: 0 });
  expect(await step()).toBe(true);
  expect(await pictureOf(last)).toMatch(/^\/api\/images\//u);
  // Two seconds have not passed.
  expect(await nextStepOf(shop.database.sql, clock())).toBe("later");
  expect(await stepBackfill(worker())).toBe(false);
  expect(await step()).toBe(true);
  expect(await step()).toBe(true);
  const { backfill, failures } = await act();
  expect(backfill).toMatchObject({ state: "finished", updated: 2, failed: 1, current: null });
  expect(failures).toMatchObject([{ itemUID: hopeless, message: COULD_NOT_EXTRACT }]);
  expect(await counts()).toEqual({ state: "finished", waiting: 0, failed: 1, done: 2 });
  expect(await pictureOf(first)).toMatch(/^\/api\/images\//u);
  expect(await nextStepOf(shop.database.sql, clock())).toBe("none");
  expect(await step()).toBe(false);
});

it("is paused, resumed and ended by an admin, and goes on where it was", async () => {
  for (const asin of ["B0PICTURE3", "B0PICTURE4", "B0PICTURE5"]) {
    await newItem(asin);
  }
  await act("start");
  await step();
  expect((await act("pause")).backfill).toMatchObject({ state: "paused", updated: 1 });
  expect(await step()).toBe(false);
  expect((await act("resume")).backfill).toMatchObject({ state: "running" });
  expect(await step()).toBe(true);
  expect((await act("finish")).backfill).toMatchObject({ state: "finished", updated: 2, total: 3 });
  expect(await step()).toBe(false);
  // What it did not come to is noted by the next one.
  expect((await act("start")).backfill).toMatchObject({ state: "running", total: 1 });
});

it("starts once if two admins press Start at the same moment", async () => {
  await newItem("B0PICTURE6");
  const other = await shop.person("Sam", "admin");
  const answers = await Promise.all([act("start"), act("start", other), act("start")]);
  expect(answers.map(({ backfill }) => backfill?.total)).toEqual([1, 1, 1]);
  const runs = await shop.database.sql`select from store.image_backfills`;
  expect(runs.count).toBe(1);
});

it("goes on after a worker that was killed in the middle of an item, which gets its picture once", async () => {
  const id = await newItem("B0PICTURE7");
  await act("start");
  // This worker never comes back from the shop.
  void step({ findPicture: () => Promise.withResolvers<string | null>().promise });
  await expect.poll(async () => (await act()).backfill?.current?.itemUID).toBe(id);
  expect(await step()).toBe(false);
  elapsed += HELD_MS;
  expect(await step()).toBe(true);
  expect(await edits(id)).toBe(1);
  expect((await act()).backfill).toMatchObject({ state: "finished", updated: 1 });
});

it("searches again for a product whose search was left because its connection never ended", async () => {
  const { sql } = shop.deps;
  const fetch = vi.fn<Retailer["fetch"]>(() => Promise.withResolvers<never>().promise);
  const find = createFindPicture({ sql, clock, retailer: { ...standIn.retailer, fetch } });
  const product = { host: "www.amazon.com", asin: "B0NEVERSET" };
  const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  onTestFinished(() => limit.mockRestore());
  // Both in one search, or each in its own if the first one has ended already.
  expect(await Promise.all([find(product), find(product)])).toEqual([null, null]);
  const asked = fetch.mock.calls.length;
  expect(await find(product, { isAgain: true })).toBeNull();
  expect(fetch.mock.calls.length).toBeGreaterThan(asked);
});

it("gives a picture once if a worker was killed after the event and before it said so", async () => {
  const id = await newItem("B0PICTURE8");
  await act("start");
  const { sql } = shop.deps;
  const dying = Object.assign(sql.bind({}), sql, {
    begin: () => Promise.reject(new Error("killed")),
  });
  const { findPicture } = worker();
  await expect(step({ sql: dying, findPicture })).rejects.toThrow("killed");
  await shop.runner.catchUp();
  expect(await edits(id)).toBe(1);
  elapsed += HELD_MS;
  expect(await step()).toBe(true);
  expect(await edits(id)).toBe(1);
  expect((await act()).backfill).toMatchObject({ state: "finished", updated: 1 });
});

it("shares the items between workers that step at the same moment", async () => {
  const ids = [await newItem("B0PICTURE9"), await newItem("B0PICTUREA")];
  await act("start");
  for (const _turn of ids) {
    elapsed += PACE_MS;
    const did = await Promise.all([1, 2, 3].map(() => stepBackfill(worker())));
    expect(did.filter(Boolean)).toHaveLength(1);
    await shop.runner.catchUp();
  }
  expect(await Promise.all(ids.map(edits))).toEqual([1, 1]);
  expect((await act()).backfill).toMatchObject({ state: "finished", updated: 2 });
});

it("leaves an item alone that got a picture or was deleted meanwhile", async () => {
  const [pictured, deleted] = [await newItem("B0PICTUREB"), await newItem("B0PICTUREC")];
  await act("start");
  const imageUrl = "https://m.media-amazon.com/by-hand.jpg";
  const body = { consignorUID: avery.uid, itemUID: pictured, imageUrl };
  // The read tables do not know it yet when the worker looks.
  const findPicture: StepDeps["findPicture"] = async (product, options) => {
    await shop.call("POST", "/api/admin/update-item-image", { as: admin, body });
    return worker().findPicture(product, options);
  };
  await shop.call("DELETE", `/api/inventory/consignor/${avery.uid}/${deleted}`, { as: admin });
  await step();
  await step({ findPicture });
  expect(await pictureOf(pictured)).toBe(imageUrl);
  expect((await act()).backfill).toMatchObject({ state: "finished", updated: 0, skipped: 2 });
});

it("looks again for one failed item or for all, also when the failure was a moment ago", async () => {
  const [one, other] = [await newItem("B0PICTURED"), await newItem("B0PICTUREE")];
  standIn.mood = "busy";
  const noCopies = { ...standIn.retailer, imageHosts: new Set<string>() };
  const { sql } = shop.deps;
  const findPicture = createFindPicture({ sql, clock, retailer: noCopies });
  await act("start");
  await step({ findPicture });
  await step({ findPicture });
  expect((await act()).backfill).toMatchObject({ state: "finished", failed: 2 });
  standIn.mood = "kind";
  expect((await act("retry", admin, { itemUID: one })).backfill).toMatchObject({
    state: "running",
    failed: 1,
  });
  await step();
  expect((await act()).backfill).toMatchObject({ state: "finished", updated: 1, failed: 1 });
  expect((await act("retry", admin, {})).failures).toEqual([]);
  await step();
  expect((await act()).backfill).toMatchObject({ state: "finished", updated: 2, failed: 0 });
  expect([await pictureOf(one), await pictureOf(other)]).not.toContain("");
});

it("of a store where every item has a picture is finished at once", async () => {
  expect((await act("start")).backfill).toMatchObject({ state: "finished", total: 0 });
});
