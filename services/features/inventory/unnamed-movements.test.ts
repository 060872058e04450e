// An event that moves an item's units without extending the item's stream: its rows are held back, and no others.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projections } from "../../features.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { UnitsReceived } from "#features/inventory/events.ts";
import { itemHolding, itemStreamId, RECEIVED } from "#features/inventory/streams.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import { forge, saidAbout } from "#testing/shop/forge.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";

const happenedAt = "2026-11-28T10:00:00.000Z";
const held = ["inventory", "item_timeline", "marketplace"];

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

/** Puts three units into this item in the stream of another one. */
function received(ownerUid: string, itemId: string, extended: string): NewEvent {
  const said = { itemId, ownerUid, units: 3, source: "mass-input", fromItemId: null } as const;
  return emit(UnitsReceived, said, {
    streams: [itemStreamId(extended)],
    movements: moveUnits(RECEIVED, itemHolding.of(itemId), 3),
    happenedAt,
  });
}

const scan = (ownerUid: string) =>
  shop.execute(massInput, {
    ownerUid,
    shipmentId: null,
    itemName: "",
    location: "",
    barcodes: [`B-${ownerUid}`],
    newItemIds: [randomUUID()],
    happenedAt,
  });

const shown = () => shop.database.sql`
  select i.id, i.quantity::int, t.units_after::int as listed, m.units::int as offered
  from read.inventory_items i
  join lateral (
    select units_after from read.item_timeline t where t.item_id = i.id order by line desc limit 1) t on true
  join read.marketplace_items m on m.id = i.id`;

it("holds back the item alone, in every table that counts its units", async () => {
  const [averys, blakes] = [shop.itemOf(AVERY), shop.itemOf(BLAKE)];
  await shop.execute(forge, received(BLAKE, blakes, averys));
  await shop.runner.catchUp();
  expect(shop.quarantined.toSorted()).toEqual(held.map((name) => `${name} ${blakes}`));
  await scan(AVERY);
  await scan(BLAKE);
  await shop.runner.catchUp();
  expect(shop.quarantined).toHaveLength(held.length);
  const units = 100_001;
  const right = { id: averys, quantity: units, listed: units, offered: units };
  expect(await shown()).toContainEqual(right);
});

it("says which event is wrong, and why", async () => {
  const [averys, blakes] = [shop.itemOf(AVERY), shop.itemOf(BLAKE)];
  const reasons = await shop.database.sql<{ error: string }[]>`
    select distinct error from read.quarantine where key = ${blakes}`;
  const reason = new RegExp(`moves units of item ${blakes} without extending item-${blakes}`, "u");
  expect(reasons).toEqual([{ error: expect.stringMatching(reason) }]);
  expect(await saidAbout(shop, [received(BLAKE, blakes, averys)])).toMatchObject([
    expect.arrayContaining([expect.stringContaining(`does not extend item-${blakes}`)]),
  ]);
});

it("lets every read table be rebuilt, with the same item held back", async () => {
  const { sql } = shop.database;
  for (const projection of projections) {
    const { name } = projection;
    const result = await rebuildProjection(sql, projection, { events: shop.register });
    const keys = result.held.map(({ key }) => key);
    const expected = held.includes(name) ? [shop.itemOf(BLAKE)] : [];
    expect({ name, flipped: result.flipped, keys }).toEqual({
      name,
      flipped: true,
      keys: expected,
    });
  }
  await scan(AVERY);
  await shop.runner.catchUp();
  const units = 100_002;
  const right = { id: shop.itemOf(AVERY), quantity: units, listed: units, offered: units };
  expect(await shown()).toContainEqual(right);
});

it("does not show the item without the event when it is computed again", async () => {
  const again = await refoldHeld(shop.database.sql, projections, shop.register);
  expect(again.refolded).toBe(0);
  expect(new Set(again.failed.map(({ projection }) => projection))).toEqual(new Set(held));
});
