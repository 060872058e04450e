// Workers of the image backfill are killed by the system in the middle of items: the next one goes on, and no item gets its picture twice.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { backfillResponse } from "#features/images/contract-backfill.ts";
import type { RetailerStandIn } from "#testing/service/retailer-stand-in.ts";
import { linkTo, startRetailer } from "#testing/service/retailer-stand-in.ts";
import { compiledModules } from "#testing/service/service-process.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { sized } from "#testing/trial/size.ts";

const ITEMS = sized(3, 24);
/** A worker asks the retailer three times for an item. Each worker is killed at another point of an item. */
const ASKS_BEFORE_KILLS = sized([5], [1, 2, 3, 4, 5, 6, 7, 8]);
const HELD_MS = 30_000;

let shop: TestApp;
let standIn: RetailerStandIn;
let admin: TestPerson;
let clock: Date;

beforeAll(async () => {
  standIn = await startRetailer();
  shop = await openTestApp({ retailer: standIn.retailer });
  admin = await shop.person("Robin", "admin");
  const avery = await shop.person("Avery");
  for (let made = 0; made < ITEMS; made += 1) {
    await shop.call("POST", "/api/inventory/consignor", {
      as: admin,
      body: {
        consignorID: avery.uid,
        itemName: `Thing ${made}`,
        barcode1: `killed-${made}`,
        quantity: 1,
        link: linkTo(`B0PICTURE${String.fromCodePoint(65 + made)}`),
      },
    });
  }
  await shop.runner.catchUp();
  clock = shop.deps.clock();
});

afterAll(async () => {
  await shop.close();
  await standIn.close();
});

const child = fileURLToPath(new URL("../../testing/service/backfill-child.ts", import.meta.url));

/** A worker that is killed as soon as `isOver`. */
async function workUntil(isOver: () => Promise<boolean>): Promise<void> {
  const { hosts, imageHosts } = standIn.retailer;
  const lists = [[...hosts].join(","), [...imageHosts].join(",")];
  const worker = spawn(
    process.execPath,
    [child, shop.database.appUrl, standIn.url, ...lists, clock.toISOString()],
    {
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        NODE_COMPILE_CACHE: compiledModules,
      },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const ended = once(worker, "exit");
  while (worker.exitCode === null && !(await isOver())) {
    await delay(10);
  }
  worker.kill("SIGKILL");
  expect(await ended, "it was killed, and did not end by itself").toEqual([null, "SIGKILL"]);
  // Longer than it could have worked, and longer than its lease of an item.
  clock = new Date(clock.getTime() + 20 * 60_000 + HELD_MS);
  await shop.runner.catchUp();
}

async function backfill(method = "GET", what = "") {
  const answer = await shop.call(method, `/api/admin/image-backfill${what}`, { as: admin });
  return backfillResponse.parse(answer.body).backfill;
}

it("goes on after each kill where the killed worker was, and gives every item its picture once", async () => {
  expect(await backfill("POST", "/start")).toMatchObject({ state: "running", total: ITEMS });
  const { sql } = shop.database;
  for (const asks of ASKS_BEFORE_KILLS) {
    const until = standIn.asked.length + asks;
    await workUntil(() => Promise.resolve(standIn.asked.length >= until));
  }
  expect((await backfill())?.state).toBe("running");
  await workUntil(async () => {
    const [run] = await sql<{ state: string }[]>`select state from store.image_backfills`;
    return run?.state === "finished";
  });
  expect(await backfill()).toMatchObject({ updated: ITEMS, failed: 0, skipped: 0 });
  const edits = await sql<{ times: number }[]>`
    select count(*) as times from log.events where type = 'ItemEdited' group by data ->> 'itemId'`;
  expect(edits.map(({ times }) => times)).toEqual(Array.from({ length: ITEMS }, () => 1));
  const [kept] = await sql<{ count: number }[]>`
    select count(*) as count from read.inventory_items i join files.images p
      on i.image_url = '/api/images/' || p.id and p.kept_at is not null`;
  expect(kept?.count).toBe(ITEMS);
}, 120_000);
