// Specs of allocation, copies, receipts and mass input: units come from somewhere and go to one item.
import { describe, expect, test } from "vitest";
import { addItem, editItem } from "#features/inventory/decider.ts";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { allocateUnits, copyToConsignor, receiveUnits } from "#features/inventory/decider-fill.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { avery, blake, detailsOf, idOf, noon, StockRoom } from "#testing/shop/stock-room.ts";

const masterId = idOf(1);
const averysId = idOf(2);
const newItemId = idOf(9);

const allocating = {
  masterItemId: masterId,
  ownerUid: avery,
  units: 2,
  location: "",
  newItemId,
  happenedAt: noon,
};

const copying = {
  sourceOwnerUid: avery,
  sourceItemId: averysId,
  ownerUid: blake,
  units: 4,
  location: "",
  newItemId,
  happenedAt: noon,
};

function add(
  room: StockRoom,
  itemId: string,
  ownerUid: string | null,
  quantity: number,
): StockRoom {
  const details = detailsOf("B-1", { location: "A-1", itemName: `Lamp of ${ownerUid ?? "store"}` });
  room.when(addItem, { itemId, ownerUid, details, quantity, source: "manual", happenedAt: noon });
  return room;
}

describe("allocating units of a master item", () => {
  test("a consignor without the item gets one, and a second event moves the units", () => {
    const room = add(new StockRoom(), masterId, null, 5);
    const { added, ...decision } = room.when(allocateUnits, { ...allocating, location: "C-3" });
    expect(added).toMatchObject([
      {
        type: "ItemAdded",
        data: {
          itemId: newItemId,
          ownerUid: avery,
          after: detailsOf("B-1", { location: "C-3", itemName: "Lamp of store" }),
          source: "allocation",
          fromItemId: masterId,
        },
        streams: [`item-${newItemId}`, `barcode-${avery}-B-1`],
        movements: [],
      },
      {
        type: "UnitsAllocated",
        data: { masterItemId: masterId, itemId: newItemId, ownerUid: avery, units: 2 },
        streams: [`item-${masterId}`, `item-${newItemId}`],
        movements: [{ from: `item:${masterId}`, to: `item:${newItemId}`, units: 2 }],
      },
    ]);
    expect(decision).toMatchObject({
      answer: { id: newItemId, version: 2, quantity: 2, created: true },
    });
    expect(room.item(masterId)).toMatchObject({ version: 2, state: { quantity: 3 } });
    expect(room.item(newItemId)).toMatchObject({ version: 2, state: { quantity: 2 } });
  });

  test("a consignor's item of the same barcode is filled and keeps its description", () => {
    const room = add(add(new StockRoom(), masterId, null, 5), averysId, avery, 1);
    const { added, ...decision } = room.when(allocateUnits, allocating);
    expect(added.map(({ type }) => type)).toEqual(["UnitsAllocated"]);
    expect(decision).toMatchObject({
      answer: { id: averysId, version: 2, quantity: 3, created: false },
    });
    expect(room.item(averysId).state.details.itemName).toBe(`Lamp of ${avery}`);
  });

  test("a given location moves the filled item", () => {
    const room = add(add(new StockRoom(), masterId, null, 5), averysId, avery, 1);
    const { added } = room.when(allocateUnits, { ...allocating, location: "C-3" });
    expect(added.map(({ type }) => type)).toEqual(["ItemEdited", "UnitsAllocated"]);
    expect(room.item(averysId)).toMatchObject({
      version: 3,
      state: { quantity: 3, details: { location: "C-3" } },
    });
  });

  test("more than the master item has is refused, and the message says how many there are", () => {
    const room = add(new StockRoom(), masterId, null, 5);
    expect(room.when(allocateUnits, { ...allocating, units: 6 })).toMatchObject({
      status: 409,
      code: "not_enough_stock",
      message: "Only 5 available in inventory",
      added: [],
    });
    expect(room.when(allocateUnits, { ...allocating, units: 5 }).kind).toBe("accepted");
  });

  test("only an existing master item can be allocated", () => {
    const room = add(new StockRoom(), averysId, avery, 5);
    const notMaster = { ...allocating, masterItemId: averysId };
    expect(room.when(allocateUnits, notMaster)).toMatchObject({ code: "item_not_found" });
    expect(room.when(allocateUnits, allocating)).toMatchObject({ code: "item_not_found" });
    add(room, masterId, null, 5).when(archiveItem, {
      itemId: masterId,
      ownerUid: null,
      happenedAt: noon,
    });
    expect(room.when(allocateUnits, allocating)).toMatchObject({ code: "item_archived" });
  });
});

describe("copying an item to another consignor", () => {
  test("the copy has new units and the source keeps its own", () => {
    const room = add(new StockRoom(), averysId, avery, 5);
    const { added, ...decision } = room.when(copyToConsignor, copying);
    expect(added).toMatchObject([
      {
        type: "ItemAdded",
        data: { itemId: newItemId, ownerUid: blake, source: "copy", fromItemId: averysId },
        movements: [{ from: "world:received", to: `item:${newItemId}`, units: 4 }],
      },
    ]);
    expect(decision).toMatchObject({ answer: { version: 1, quantity: 4, created: true } });
    expect(room.item(averysId)).toMatchObject({ version: 1, state: { quantity: 5 } });
    expect(room.item(newItemId).state.details.location).toBe("A-1");
  });

  test("an item that the other consignor already has is filled", () => {
    const room = add(add(new StockRoom(), averysId, avery, 5), idOf(3), blake, 1);
    const { added, ...decision } = room.when(copyToConsignor, { ...copying, location: "D-4" });
    expect(added).toMatchObject([
      { type: "ItemEdited", data: { after: { location: "D-4" } } },
      { type: "UnitsReceived", data: { source: "copy", fromItemId: averysId, units: 4 } },
    ]);
    expect(decision).toMatchObject({ answer: { id: idOf(3), quantity: 5, created: false } });
  });

  test("a copy to the same consignor, or of an item that does not exist, is refused", () => {
    const room = add(new StockRoom(), averysId, avery, 5);
    expect(room.when(copyToConsignor, { ...copying, ownerUid: avery })).toMatchObject({
      code: "same_consignor",
    });
    expect(room.when(copyToConsignor, { ...copying, sourceOwnerUid: blake })).toMatchObject({
      code: "item_not_found",
    });
  });
});

describe("receiving units", () => {
  test("units come from the world into an existing item", () => {
    const room = add(new StockRoom(), averysId, avery, 5);
    const receiving = { itemId: averysId, ownerUid: avery, units: 7, happenedAt: noon };
    const { added, ...decision } = room.when(receiveUnits, { ...receiving, source: "import" });
    expect(added).toMatchObject([
      {
        type: "UnitsReceived",
        data: { units: 7, source: "import", fromItemId: null },
        movements: [{ from: "world:received", to: `item:${averysId}`, units: 7 }],
      },
    ]);
    expect(decision).toMatchObject({ answer: { version: 2, quantity: 12 } });
    const other = { ...receiving, ownerUid: blake, source: "manual" } as const;
    expect(room.when(receiveUnits, other)).toMatchObject({ code: "item_not_found" });
  });
});

describe("mass input", () => {
  const inputting = {
    ownerUid: avery,
    shipmentId: null,
    itemName: "Toy",
    location: "",
    barcodes: ["B-1", "X", "Y", "X"],
    newItemIds: [idOf(11), idOf(12), idOf(13)],
    happenedAt: noon,
  };

  test("equal barcodes are added up, existing items are filled, and the others are added", () => {
    const room = add(new StockRoom(), averysId, avery, 5);
    const { added, ...decision } = room.when(massInput, inputting);
    expect(added).toMatchObject([
      { type: "UnitsReceived", data: { itemId: averysId, units: 1, source: "mass-input" } },
      {
        type: "ItemAdded",
        data: { itemId: idOf(12), after: detailsOf("X", { itemName: "Toy" }) },
        movements: [{ from: "world:received", to: `item:${idOf(12)}`, units: 2 }],
      },
      { type: "ItemAdded", data: { itemId: idOf(13) }, movements: [{ units: 1 }] },
    ]);
    expect(decision).toMatchObject({
      answer: {
        unitsAdded: 4,
        itemsCreated: 2,
        items: [
          { id: averysId, barcode1: "B-1", unitsAdded: 1, version: 2, created: false },
          { id: idOf(12), barcode1: "X", unitsAdded: 2, version: 1, created: true },
          { id: idOf(13), barcode1: "Y", unitsAdded: 1, version: 1, created: true },
        ],
      },
    });
    expect(room.item(averysId).state.details.itemName).toBe(`Lamp of ${avery}`);
  });

  test("the same input again only adds units", () => {
    const room = new StockRoom();
    room.when(massInput, inputting);
    const { added } = room.when(massInput, { ...inputting, location: "E-5" });
    expect(new Set(added.map(({ type }) => type))).toEqual(
      new Set(["ItemEdited", "UnitsReceived"]),
    );
    expect(room.item(idOf(12)).state).toMatchObject({ quantity: 4, details: { location: "E-5" } });
  });

  test("a barcode that was freed by an edit makes a new item", () => {
    const room = add(new StockRoom(), averysId, avery, 5);
    room.when(editItem, {
      itemId: averysId,
      ownerUid: avery,
      changes: { barcode1: "B-2" },
      quantity: null,
      reason: null,
      expectedVersion: null,
      happenedAt: noon,
    });
    const { added } = room.when(massInput, { ...inputting, barcodes: ["B-1"] });
    expect(added).toMatchObject([{ type: "ItemAdded", data: { itemId: idOf(11) } }]);
  });
});
