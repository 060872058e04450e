// Specs of tag prices: set with an item, changed alone, and for many at once from the prices that were seen.
import { describe, expect, test } from "vitest";
import { addItem, editItem } from "#features/inventory/decider.ts";
import { archiveItem, restoreItem } from "#features/inventory/decider-archive.ts";
import { allocateUnits, copyToConsignor } from "#features/inventory/decider-fill.ts";
import { changePrices, type ChangePrices } from "#features/inventory/decider-prices.ts";
import { priceAfter } from "#features/inventory/contract-prices.ts";
import { avery, blake, detailsOf, idOf, noon, StockRoom } from "#testing/shop/stock-room.ts";

const [lampId, rugId, plainId] = [idOf(1), idOf(2), idOf(3)];
const lamp = { itemId: lampId, ownerUid: null, happenedAt: noon };

/** A lamp of the store at $20.00, a rug of Avery at $99.99, and a vase of the store without a tag price. */
function priced(): StockRoom {
  const room = new StockRoom();
  const item = { quantity: 3, source: "manual", happenedAt: noon } as const;
  const added = { ...item, itemId: lampId, ownerUid: null, details: detailsOf("L") };
  room.when(addItem, { ...added, tagPriceCents: 2000 });
  const rug = { ...item, itemId: rugId, ownerUid: avery, details: detailsOf("R") };
  room.when(addItem, { ...rug, tagPriceCents: 9999 });
  room.when(addItem, { ...item, itemId: plainId, ownerUid: null, details: detailsOf("V") });
  return room;
}

const seen = (itemId: string, seenCents: number | null) => ({ itemId, seenCents });

function quarterOff(...items: ChangePrices["items"]): ChangePrices {
  return { items, rule: { kind: "percent-off", percent: 25 }, happenedAt: noon };
}

const editing = { ...lamp, changes: {}, quantity: null, reason: null, expectedVersion: null };

describe("an item's tag price", () => {
  test("comes with the item, and is left out where there is none", () => {
    const room = priced();
    expect(room.events.map(({ data }) => Reflect.get(Object(data), "tagPriceCents"))).toEqual([
      2000,
      9999,
      undefined,
    ]);
    expect(room.item(lampId).state.tagPriceCents).toBe(2000);
    expect(room.item(plainId).state.tagPriceCents).toBe(null);
  });

  test("is changed and taken off by an edit, which moves no money and no units", () => {
    const room = priced();
    const { added } = room.when(editItem, { ...editing, tagPriceCents: 1800 });
    expect(added).toMatchObject([
      {
        type: "ItemPriced",
        data: {
          itemId: lampId,
          ownerUid: null,
          beforeCents: 2000,
          afterCents: 1800,
          change: { kind: "set" },
        },
        streams: [`item-${lampId}`],
        postings: [],
        movements: [],
        happenedAt: noon,
      },
    ]);
    room.when(editItem, { ...editing, tagPriceCents: null });
    expect(room.item(lampId)).toMatchObject({ version: 3, state: { tagPriceCents: null } });
  });

  test("stays if an edit leaves it out or repeats it", () => {
    const room = priced();
    expect(room.when(editItem, editing).added).toEqual([]);
    expect(room.when(editItem, { ...editing, tagPriceCents: 2000 }).added).toEqual([]);
  });

  test("is told to a form that was loaded before it changed", () => {
    const room = priced();
    room.when(editItem, { ...editing, tagPriceCents: 1800 });
    expect(room.when(editItem, { ...editing, expectedVersion: 1 })).toMatchObject({
      code: "item_changed",
      current: { tagPriceCents: 1800 },
    });
  });

  test("goes along with an allocation and a copy to a new item, and an existing item keeps its own", () => {
    const room = priced();
    const to = { ownerUid: blake, units: 1, location: "", happenedAt: noon };
    room.when(allocateUnits, { ...to, masterItemId: lampId, newItemId: idOf(8) });
    const source = { sourceItemId: rugId, sourceOwnerUid: avery };
    room.when(copyToConsignor, { ...to, ...source, newItemId: idOf(9) });
    expect(room.item(idOf(8)).state.tagPriceCents).toBe(2000);
    expect(room.item(idOf(9)).state.tagPriceCents).toBe(9999);
    room.when(editItem, { ...editing, tagPriceCents: 1 });
    room.when(allocateUnits, { ...to, masterItemId: lampId, newItemId: idOf(7) });
    expect(room.item(idOf(8)).state).toMatchObject({ quantity: 2, tagPriceCents: 2000 });
  });

  test("is still there when a deleted item comes back", () => {
    const room = priced();
    room.when(archiveItem, lamp);
    room.when(restoreItem, lamp);
    expect(room.item(lampId).state.tagPriceCents).toBe(2000);
  });
});

describe("changing many tag prices at once", () => {
  test("marks each one down and says by how much", () => {
    const room = priced();
    const decided = room.when(changePrices, quarterOff(seen(lampId, 2000), seen(rugId, 9999)));
    const change = { kind: "percent-off", percent: 25 };
    expect(decided.added).toMatchObject([
      { data: { ownerUid: null, beforeCents: 2000, afterCents: 1500, change }, postings: [] },
      { data: { ownerUid: avery, beforeCents: 9999, afterCents: 7499, change }, postings: [] },
    ]);
    expect(decided).toMatchObject({
      answer: { changed: 2, items: [{ id: lampId, version: 2, tagPriceCents: 1500 }, {}] },
    });
  });

  test("gives every item the same price, also one without a price, and none to one that has it", () => {
    const room = priced();
    const items = [seen(lampId, 2000), seen(plainId, null)];
    const rule = { kind: "set", tagPriceCents: 2000 } as const;
    const { added } = room.when(changePrices, { items, rule, happenedAt: noon });
    expect(added).toMatchObject([{ data: { itemId: plainId, afterCents: 2000 } }]);
  });

  test.each([
    ["an unknown item", seen(idOf(5), null), "item_not_found"],
    ["a price that somebody has changed since", seen(lampId, 2100), "price_changed"],
    ["an item without a tag price", seen(plainId, null), "no_tag_price"],
  ])("%s refuses all of it", (_name, refused, code) => {
    const room = priced();
    const decided = room.when(changePrices, quarterOff(seen(rugId, 9999), refused));
    expect(decided).toMatchObject({ kind: "rejected", code, added: [] });
  });

  test("a deleted item and an amount above the price refuse all of it", () => {
    const room = priced();
    const items = [seen(rugId, 9999), seen(lampId, 2000)];
    const rule = { kind: "amount-off", cents: 2000 } as const;
    expect(room.when(changePrices, { items, rule, happenedAt: noon })).toMatchObject({
      code: "price_too_low",
      current: { id: lampId },
    });
    room.when(archiveItem, lamp);
    expect(room.when(changePrices, quarterOff(...items))).toMatchObject({
      code: "item_archived",
      current: { id: lampId },
    });
  });

  test("half a cent is rounded up, and no price falls below one cent", () => {
    const off = (percent: number, cents: number) =>
      priceAfter({ kind: "percent-off", percent }, cents);
    expect(off(50, 1999)).toEqual({ kind: "priced", cents: 1000 });
    expect(off(99, 49)).toEqual({ kind: "too-low" });
    expect(priceAfter({ kind: "amount-off", cents: 5 }, 6)).toEqual({ kind: "priced", cents: 1 });
  });
});
