// Specs of adding, editing, archiving and restoring an item: given what happened, when a command, then what.
import { describe, expect, test } from "vitest";
import { addItem, type AddItem, editItem, type EditItem } from "#features/inventory/decider.ts";
import { archiveItem, removeUnits, restoreItem } from "#features/inventory/decider-archive.ts";
import { avery, blake, detailsOf, idOf, noon, StockRoom } from "#testing/shop/stock-room.ts";

const itemId = idOf(1);
const otherId = idOf(2);

function adding(given: Partial<AddItem> = {}): AddItem {
  return {
    itemId,
    ownerUid: null,
    details: detailsOf("B-1", { location: "A-1" }),
    quantity: 3,
    source: "manual",
    happenedAt: noon,
    ...given,
  };
}

function editing(given: Partial<EditItem> = {}): EditItem {
  return {
    itemId,
    ownerUid: null,
    changes: {},
    quantity: null,
    reason: null,
    expectedVersion: null,
    happenedAt: noon,
    ...given,
  };
}

/** A stock room with one master item: barcode B-1, three units. */
function withItem(): StockRoom {
  const room = new StockRoom();
  room.when(addItem, adding());
  return room;
}

const naming = { itemId, ownerUid: null, happenedAt: noon };

describe("adding an item", () => {
  test("its first units are received from the world", () => {
    const { added, ...decision } = new StockRoom().when(addItem, adding());
    expect(decision).toEqual({
      kind: "accepted",
      events: added,
      answer: { id: itemId, version: 1, quantity: 3 },
    });
    expect(added).toMatchObject([
      {
        type: "ItemAdded",
        data: {
          itemId,
          ownerUid: null,
          after: detailsOf("B-1", { location: "A-1" }),
          source: "manual",
          fromItemId: null,
        },
        streams: [`item-${itemId}`, "barcode-master-B-1"],
        postings: [],
        movements: [{ from: "world:received", to: `item:${itemId}`, units: 3 }],
        happenedAt: noon,
      },
    ]);
  });

  test("an item without units moves nothing", () => {
    const { added } = new StockRoom().when(addItem, adding({ quantity: 0 }));
    expect(added[0]?.movements).toEqual([]);
  });

  test("a second item of the same owner and barcode is refused and names the first", () => {
    expect(withItem().when(addItem, adding({ itemId: otherId }))).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "duplicate_barcode",
      current: { id: itemId, barcode1: "B-1" },
      added: [],
    });
  });

  test("another owner may have the same barcode, and barcodes differ by case", () => {
    const room = withItem();
    const consigned = room.when(addItem, adding({ itemId: otherId, ownerUid: avery }));
    const lowerCase = room.when(addItem, adding({ itemId: idOf(3), details: detailsOf("b-1") }));
    expect([consigned.kind, lowerCase.kind]).toEqual(["accepted", "accepted"]);
  });

  test("an id is used once", () => {
    expect(withItem().when(addItem, adding({ details: detailsOf("B-2") }))).toMatchObject({
      status: 409,
      code: "item_exists",
    });
  });
});

describe("editing an item", () => {
  test("a changed description is an edit with what it was and what it is", () => {
    const room = withItem();
    const { added, ...decision } = room.when(
      editItem,
      editing({ changes: { itemName: "Lamp" }, quantity: 3, expectedVersion: 1 }),
    );
    expect(decision).toMatchObject({ answer: { id: itemId, version: 2, quantity: 3 } });
    const before = detailsOf("B-1", { location: "A-1" });
    expect(added).toMatchObject([
      {
        type: "ItemEdited",
        data: { itemId, ownerUid: null, before, after: { ...before, itemName: "Lamp" } },
        streams: [`item-${itemId}`],
        movements: [],
      },
    ]);
    expect(room.item(itemId).state.details.itemName).toBe("Lamp");
  });

  test.each([
    [5, "world:adjusted", `item:${itemId}`, 2],
    [0, `item:${itemId}`, "world:adjusted", 3],
  ])("counting %i units is an adjustment with the default reason", (quantity, from, to, units) => {
    const room = withItem();
    const { added } = room.when(editItem, editing({ quantity }));
    expect(added).toMatchObject([
      {
        type: "ItemCountAdjusted",
        data: { itemId, quantityBefore: 3, quantityAfter: quantity, reason: "Manual edit" },
        movements: [{ from, to, units }],
      },
    ]);
    expect(room.item(itemId).state.quantity).toBe(quantity);
  });

  test("a given reason is kept, and a form with two changes appends two events", () => {
    const { added, ...decision } = withItem().when(
      editItem,
      editing({ changes: { location: "C-9" }, quantity: 4, reason: "Found one" }),
    );
    expect(added.map(({ type }) => type)).toEqual(["ItemEdited", "ItemCountAdjusted"]);
    expect(added[1]?.data).toMatchObject({ reason: "Found one" });
    expect(decision).toMatchObject({ answer: { version: 3, quantity: 4 } });
  });

  test("a form that changes nothing appends no event", () => {
    const { added, ...decision } = withItem().when(
      editItem,
      editing({ changes: detailsOf("B-1", { location: "A-1" }), quantity: 3 }),
    );
    expect(added).toEqual([]);
    expect(decision).toMatchObject({ kind: "accepted", answer: { version: 1, quantity: 3 } });
  });

  test("a form with an older version is refused and gets the current item", () => {
    const room = withItem();
    room.when(editItem, editing({ quantity: 1 }));
    expect(
      room.when(editItem, editing({ changes: { itemName: "Lamp" }, expectedVersion: 1 })),
    ).toMatchObject({
      status: 409,
      code: "item_changed",
      current: { ...detailsOf("B-1", { location: "A-1" }), id: itemId, version: 2, quantity: 1 },
      added: [],
    });
  });
});

describe("which items may be edited, and to which barcode", () => {
  test("a new barcode frees the old one", () => {
    const room = withItem();
    const { added } = room.when(editItem, editing({ changes: { barcode1: "B-2" } }));
    expect(added[0]?.streams).toEqual([
      `item-${itemId}`,
      "barcode-master-B-1",
      "barcode-master-B-2",
    ]);
    expect(room.when(addItem, adding({ itemId: otherId })).kind).toBe("accepted");
    const third = adding({ itemId: idOf(3), details: detailsOf("B-2") });
    expect(room.when(addItem, third)).toMatchObject({ current: { id: itemId } });
  });

  test("another item's barcode is refused", () => {
    const room = withItem();
    room.when(addItem, adding({ itemId: otherId, details: detailsOf("B-2") }));
    expect(room.when(editItem, editing({ changes: { barcode1: "B-2" } }))).toMatchObject({
      code: "duplicate_barcode",
      current: { id: otherId, barcode1: "B-2" },
    });
  });

  test.each([
    ["an unknown item", editing({ itemId: otherId })],
    ["an item of another owner", editing({ ownerUid: blake })],
  ])("%s is not found", (_case, command) => {
    expect(withItem().when(editItem, command)).toMatchObject({
      status: 404,
      code: "item_not_found",
    });
  });

  test("an archived item is refused", () => {
    const room = withItem();
    room.when(archiveItem, naming);
    expect(room.when(editItem, editing({ quantity: 1 }))).toMatchObject({
      status: 409,
      code: "item_archived",
    });
  });
});

describe("units that another feature moves", () => {
  test("an event of any type counts by its movements, and raises the item's version", () => {
    const room = withItem().given({
      type: "SaleRecorded",
      schemaVersion: 1,
      data: {},
      streams: [`item-${itemId}`],
      postings: [],
      movements: [{ from: `item:${itemId}`, to: "world:sold", units: 2 }],
      happenedAt: noon,
    });
    expect(room.item(itemId)).toMatchObject({ version: 2, state: { quantity: 1 } });
    const { added } = room.when(archiveItem, naming);
    expect(added).toMatchObject([{ movements: [{ to: "world:removed", units: 1 }] }]);
  });
});

describe("archiving and restoring an item", () => {
  test("archiving removes the units, frees the barcode and keeps the description", () => {
    const room = withItem();
    const { added, ...decision } = room.when(archiveItem, naming);
    expect(decision).toMatchObject({ answer: { id: itemId, version: 2, quantity: 0 } });
    expect(added).toMatchObject([
      {
        type: "ItemArchived",
        streams: [`item-${itemId}`, "barcode-master-B-1"],
        movements: [{ from: `item:${itemId}`, to: "world:removed", units: 3 }],
      },
    ]);
    expect(room.item(itemId).state).toMatchObject({ archived: true, quantity: 0, exists: true });
    expect(room.when(addItem, adding({ itemId: otherId })).kind).toBe("accepted");
  });

  test("restoring brings back exactly the units that archiving took", () => {
    const room = withItem();
    room.when(archiveItem, naming);
    const { added, ...decision } = room.when(restoreItem, naming);
    expect(added).toMatchObject([
      { movements: [{ from: "world:removed", to: `item:${itemId}`, units: 3 }] },
    ]);
    expect(decision).toMatchObject({ answer: { version: 3, quantity: 3 } });
    expect(room.item(itemId).state).toMatchObject({ archived: false, quantity: 3 });
    expect(room.when(addItem, adding({ itemId: otherId }))).toMatchObject({
      code: "duplicate_barcode",
    });
  });

  test("a reason stands on both, and an item without units needs none", () => {
    const room = withItem();
    room.when(archiveItem, { ...naming, reason: "donated" });
    const { added } = room.when(restoreItem, naming);
    expect(added).toMatchObject([{ type: "ItemRestored", data: { reason: "donated" } }]);
    room.when(editItem, editing({ quantity: 0 }));
    const emptied = room.when(archiveItem, { ...naming, reason: "lost" });
    expect(emptied.added.map(({ data }) => Object.keys(Object(data)))).toEqual([
      ["itemId", "ownerUid", "after"],
    ]);
  });

  test("an item whose barcode was taken by another item is not restored", () => {
    const room = withItem();
    room.when(archiveItem, naming);
    room.when(addItem, adding({ itemId: otherId }));
    expect(room.when(restoreItem, naming)).toMatchObject({
      status: 409,
      code: "duplicate_barcode",
      current: { id: otherId },
    });
  });

  test("an item is archived once and restored once", () => {
    const room = withItem();
    expect(room.when(restoreItem, naming)).toMatchObject({ code: "item_not_archived" });
    room.when(archiveItem, naming);
    expect(room.when(archiveItem, naming)).toMatchObject({ code: "item_archived" });
  });

  test.each([{ itemId: otherId }, { ownerUid: avery }])("%o is not found", (other) => {
    const room = withItem();
    const command = { ...naming, ...other };
    expect(room.when(archiveItem, command)).toMatchObject({ code: "item_not_found" });
    expect(room.when(restoreItem, command)).toMatchObject({ code: "item_not_found" });
  });
});

describe("removing units", () => {
  const removing = { itemId, units: 2, reason: "damaged", happenedAt: noon } as const;

  test("takes them out with the reason, and the item stays, also without units", () => {
    const room = withItem();
    const { added, ...decision } = room.when(removeUnits, removing);
    expect(added).toMatchObject([
      {
        type: "UnitsRemoved",
        data: { itemId, ownerUid: null, units: 2, reason: "damaged" },
        streams: [`item-${itemId}`],
        postings: [],
        movements: [{ from: `item:${itemId}`, to: "world:removed", units: 2 }],
      },
    ]);
    expect(decision).toMatchObject({ answer: { id: itemId, version: 2, quantity: 1 } });
    expect(room.when(removeUnits, { ...removing, units: 1 })).toMatchObject({
      answer: { version: 3, quantity: 0 },
    });
  });

  test("more than there are, of an unknown or of a deleted item is refused", () => {
    const room = withItem();
    expect(room.when(removeUnits, { ...removing, units: 4 })).toMatchObject({
      code: "not_enough_stock",
      current: { available: 3 },
    });
    expect(room.when(removeUnits, { ...removing, itemId: otherId })).toMatchObject({
      status: 404,
      code: "item_not_found",
    });
    room.when(archiveItem, naming);
    expect(room.when(removeUnits, removing)).toMatchObject({ code: "item_archived" });
  });
});
