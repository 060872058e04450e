// Things that a text means: of more than one text may mean, the newest, and the same ones on every page.
import { afterAll, beforeAll, expect, test } from "vitest";
import { byItem } from "#features/audit/search-text-things.ts";
import { itemStreamId } from "#features/inventory/streams.ts";
import { type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

test("a name that many items have means the newest of them", async () => {
  const ids: string[] = [];
  for (let added = 0; added < 27; added += 1) {
    ids.push((await desk.newItem(null, { itemName: "Lantern" })).id);
  }
  await desk.shop.runner.catchUp();
  expect(await byItem(desk.shop.deps, "lantern", null)).toEqual([
    { words: "25+ items", streams: ids.reverse().slice(0, 25).map(itemStreamId) },
  ]);
});
