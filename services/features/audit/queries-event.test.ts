// The states around an event: also in long streams, where sums come from read tables, they are those of the fold.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { streams } from "../../features.ts";
import {
  findEvent,
  positionsOfCall,
  stateAround,
  streamsOf,
} from "#features/audit/queries-event.ts";
import { editItem } from "#features/inventory/decider.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { readsOver } from "#http/reads.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { readStream, toCurrent } from "#ledger/log/read.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, plainStep } from "#testing/shop/money-steps.ts";

const admin = { uid: "", isAdmin: true };
const sale: MoneyStep = { ...plainStep, act: "sell", price: 700, percentage: 50 };

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
  for (let sales = 0; sales < 105; sales += 1) {
    await shop.take({ ...sale, price: 100 + sales });
  }
  await shop.take({ ...plainStep, act: "refund", restock: true });
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

/** Categories of the long streams of some events, each with the states that a fold of all its events gives. */
async function longStreamsOf(positions: readonly number[]): Promise<ReadonlySet<string>> {
  const { sql } = shop.database;
  const { reads } = readsOver(sql);
  const fold = { reads, readEvent: createReadEvent(shop.register), streams };
  const long = new Set<string>();
  for (const position of positions) {
    const event = await findEvent(reads, admin, [], position);
    if (event === undefined) {
      throw new Error(`There is no event ${position}`);
    }
    for (const row of await streamsOf(reads, admin, position)) {
      const definition = streams.get(row.stream.split("-")[0] ?? "");
      const events = (await readStream(sql, row.stream)).slice(0, row.version);
      const states = events.reduce<unknown[]>(
        (all, one) => [
          ...all,
          definition?.evolve(all.at(-1), toCurrent(shop.register, one), row.stream),
        ],
        [definition?.initial],
      );
      const step = await stateAround(fold, event, row);
      expect(step).toEqual({ before: states.at(-2), after: states.at(-1) });
      if (row.version > 100) {
        long.add(row.stream.split("-")[0] ?? "");
      }
    }
  }
  return long;
}

test("every stream of a late event has the states that a fold of all its events gives", async () => {
  const head = (await shop.events()).length;
  const long = await longStreamsOf([head, head - 1, head - 3]);
  expect(long).toEqual(new Set(["consignor", "item"]));
});

test("a late change of an item has its owner, description and tag price from before", async () => {
  const edit = {
    itemId: shop.itemOf(AVERY),
    ownerUid: AVERY,
    changes: {},
    quantity: null,
    reason: null,
    expectedVersion: null,
    happenedAt: "2024-02-01T00:00:00.000Z",
  };
  await shop.execute(editItem, { ...edit, tagPriceCents: 500 });
  await shop.execute(editItem, { ...edit, changes: { itemName: "Brass lamp" } });
  await shop.execute(editItem, { ...edit, tagPriceCents: 700 });
  await shop.runner.catchUp();
  const head = (await shop.events()).length;
  expect(await longStreamsOf([head, head - 1])).toEqual(new Set(["item"]));
});

test("the first event of a call and the last one name all of its events, however many", async () => {
  const { reads } = readsOver(shop.database.sql);
  const before = (await shop.events()).length;
  const barcodes = Array.from({ length: 300 }, (_, index) => `mass-${index}`);
  await shop.execute(massInput, {
    ownerUid: AVERY,
    shipmentId: null,
    itemName: "Bowl",
    location: "",
    barcodes,
    newItemIds: barcodes.map(() => randomUUID()),
    happenedAt: "2024-03-01T00:00:00.000Z",
  });
  const all = barcodes.map((_, index) => before + 1 + index);
  for (const position of [before + 1, before + 300]) {
    const event = await findEvent(reads, admin, [], position);
    expect(event && (await positionsOfCall(reads, event))).toEqual(all);
  }
});
