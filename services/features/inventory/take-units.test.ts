// The check before units leave an item, and that every decider uses it.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { States } from "#ledger/decider.ts";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { addItem } from "#features/inventory/decider.ts";
import { avery, blake, detailsOf, idOf, noon, StockRoom } from "#testing/shop/stock-room.ts";
import { itemStream, itemStreamId, takeUnits } from "#features/inventory/streams.ts";
import { SOLD } from "#features/sales/streams.ts";

const lampId = idOf(1);
const named = { itemId: lampId, ownerUid: avery, happenedAt: noon };
const wanted = { itemId: lampId, ownerUid: avery, units: 3, to: SOLD };

function roomWithLamps(quantity: number): StockRoom {
  const room = new StockRoom();
  room.when(addItem, { ...named, details: detailsOf("B-1"), quantity, source: "manual" });
  return room;
}

/** The states that a decider would get. */
function statesOf(room: StockRoom): States {
  return {
    has: () => true,
    get: (definition, streamId) => {
      const state = streamId === itemStreamId(lampId) ? room.item(lampId) : undefined;
      return { version: state?.version ?? 0, state: (state?.state ?? definition.initial) as never };
    },
  };
}

describe("units that leave an item", () => {
  it("go where the command says if there are enough", () => {
    const states = statesOf(roomWithLamps(3));
    expect(takeUnits(states, wanted)).toEqual({
      kind: "taken",
      version: 1,
      item: states.get(itemStream, itemStreamId(lampId)).state,
      movements: [{ from: `item:${lampId}`, to: "world:sold", units: 3 }],
    });
  });

  it("stay if there are too few, and the rejection says how many there are", () => {
    expect(takeUnits(statesOf(roomWithLamps(2)), wanted)).toMatchObject({
      code: "not_enough_stock",
      message: "Only 2 available in inventory",
      current: { available: 2 },
    });
  });

  it("do not leave another owner's item, an unknown one or a deleted one", () => {
    const room = roomWithLamps(3);
    const states = statesOf(room);
    expect(takeUnits(states, { ...wanted, ownerUid: blake })).toMatchObject({
      status: 404,
      code: "item_not_found",
    });
    expect(takeUnits(states, { ...wanted, itemId: idOf(2) })).toMatchObject({
      status: 404,
      code: "item_not_found",
    });
    room.when(archiveItem, named);
    expect(takeUnits(statesOf(room), wanted)).toMatchObject({ code: "item_archived" });
  });

  it("make no movement if a command takes none", () => {
    expect(takeUnits(statesOf(roomWithLamps(0)), { ...wanted, units: 0 })).toMatchObject({
      kind: "taken",
      movements: [],
    });
  });
});

const features = new URL("../", import.meta.url);
const sources = globSync("**/*.ts", { cwd: features.pathname })
  // The rules of `checks.ts` only say what events move: they take nothing.
  .filter((path) => !/\.test\.ts$|\/checks\.ts$/u.test(path) && path !== "inventory/streams.ts")
  .map((path) => [path, readFileSync(new URL(path, features), "utf8")] as const);

it("are taken by takeUnits alone, in every decider", () => {
  const outOfItem = /moveUnits\(\s*itemHolding\.of\(|\bfrom: itemHolding\.of\(/u;
  expect(sources.filter(([, text]) => outOfItem.test(text)).map(([path]) => path)).toEqual([]);
  expect(sources.filter(([, text]) => text.includes("takeUnits(")).map(([path]) => path)).toEqual(
    expect.arrayContaining([
      "inventory/decider-archive.ts",
      "inventory/decider-fill.ts",
      "inventory/decider.ts",
      "sales/decider-correct.ts",
      "sales/decider-record.ts",
    ]),
  );
});
