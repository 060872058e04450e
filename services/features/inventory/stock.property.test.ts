// Whatever admins do in whatever order, no unit is lost or made up, and a barcode leads to one item of an owner.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewEvent } from "#ledger/event.ts";
import { addItem, editItem } from "#features/inventory/decider.ts";
import { archiveItem, restoreItem } from "#features/inventory/decider-archive.ts";
import { allocateUnits, copyToConsignor, receiveUnits } from "#features/inventory/decider-fill.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { avery, blake, detailsOf, idOf, noon, StockRoom } from "#features/inventory/stock-room.ts";

const barcode = fc.constantFrom("B-1", "B-2", "b-2", "2-B");
const owner = fc.constantFrom(null, avery, blake);
const consignor = fc.constantFrom(avery, blake);
/** Picks one of the items there are; an unknown one now and then. */
const pick = fc.nat({ max: 12 });
const units = fc.integer({ min: 1, max: 6 });
const location = fc.constantFrom("", "A-1", "B-2");

const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), owner, barcode, quantity: fc.nat({ max: 6 }) }),
  fc.record({
    kind: fc.constant("edit" as const),
    pick,
    barcode: fc.option(barcode, { nil: undefined }),
    quantity: fc.option(fc.nat({ max: 6 }), { nil: null }),
  }),
  fc.record({ kind: fc.constant("archive" as const), pick }),
  fc.record({ kind: fc.constant("restore" as const), pick }),
  fc.record({ kind: fc.constant("allocate" as const), pick, consignor, units, location }),
  fc.record({ kind: fc.constant("copy" as const), pick, consignor, units, location }),
  fc.record({ kind: fc.constant("receive" as const), pick, units }),
  fc.record({
    kind: fc.constant("mass-input" as const),
    consignor,
    location,
    barcodes: fc.array(barcode, { minLength: 1, maxLength: 8 }),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs one step; `seed` makes the ids of whatever it adds. */
function run(room: StockRoom, next: Step, seed: number): void {
  const happenedAt = noon;
  const newItemIds = [0, 1, 2, 3].map((offset) => idOf(seed * 10 + offset));
  const newItemId = idOf(seed * 10);
  const ids = room.itemIds();
  const itemId = "pick" in next ? (ids[next.pick] ?? idOf(999_999)) : newItemId;
  const { ownerUid } = room.item(itemId).state;
  switch (next.kind) {
    case "add": {
      const details = detailsOf(next.barcode);
      const { owner: ownerUid, quantity } = next;
      room.when(addItem, {
        itemId,
        ownerUid,
        details,
        quantity,
        source: "manual",
        happenedAt,
      });
      break;
    }
    case "edit": {
      const changes = next.barcode === undefined ? {} : { barcode1: next.barcode };
      const { quantity } = next;
      const asked = { reason: null, expectedVersion: null, happenedAt };
      room.when(editItem, { itemId, ownerUid, changes, quantity, ...asked });
      break;
    }
    case "archive":
      room.when(archiveItem, { itemId, ownerUid, happenedAt });
      break;
    case "restore":
      room.when(restoreItem, { itemId, ownerUid, happenedAt });
      break;
    case "allocate": {
      const { consignor: ownerUid, units, location } = next;
      const command = { masterItemId: itemId, ownerUid, units, location, newItemId, happenedAt };
      room.when(allocateUnits, command);
      break;
    }
    case "copy": {
      const { consignor, units, location } = next;
      room.when(copyToConsignor, {
        sourceOwnerUid: ownerUid ?? avery,
        sourceItemId: itemId,
        ownerUid: consignor,
        units,
        location,
        newItemId,
        happenedAt,
      });
      break;
    }
    case "receive": {
      const { units } = next;
      room.when(receiveUnits, { itemId, ownerUid, units, source: "manual", happenedAt });
      break;
    }
    case "mass-input": {
      const { consignor: ownerUid, location, barcodes } = next;
      const input = { ownerUid, itemName: "Toy", location, barcodes, newItemIds, happenedAt };
      room.when(massInput, input);
      break;
    }
  }
}

/** Units by holding, added up from the movements alone. */
function holdingsOf(events: readonly NewEvent[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { from, to, units } of events.flatMap(({ movements }) => movements)) {
    held.set(from, (held.get(from) ?? 0) - units);
    held.set(to, (held.get(to) ?? 0) + units);
  }
  return held;
}

function play(steps: readonly Step[]): StockRoom {
  const room = new StockRoom();
  for (const [index, next] of steps.entries()) {
    run(room, next, index + 1);
  }
  return room;
}

const history = fc.array(step, { maxLength: 30 });

describe("stock", () => {
  test("units received and adjusted in are on hand, adjusted out or removed: none is lost", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const room = play(steps);
        const held = holdingsOf(room.events);
        const onHand = room.itemIds().map((itemId) => room.item(itemId).state.quantity);
        const world = ["world:received", "world:adjusted", "world:removed"].map(
          (name) => held.get(name) ?? 0,
        );
        expect([...onHand, ...world].reduce((sum, units) => sum + units, 0)).toBe(0);
        for (const itemId of room.itemIds()) {
          expect(room.item(itemId).state.quantity).toBe(held.get(`item:${itemId}`) ?? 0);
          expect(room.item(itemId).state.quantity).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("an archived item has no units, and restoring gives back what archiving took", () => {
    fc.assert(
      fc.property(history, pick, (steps, picked) => {
        const room = play(steps);
        const itemId = room.itemIds()[picked] ?? idOf(999_999);
        const before = room.item(itemId).state;
        run(room, { kind: "archive", pick: picked }, 900);
        expect(room.item(itemId).state.quantity).toBe(0);
        run(room, { kind: "restore", pick: picked }, 901);
        const expected = before.exists && !before.archived ? before : room.item(itemId).state;
        expect(room.item(itemId).state).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("no two items of an owner share a barcode, and each barcode leads to its item", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const room = play(steps);
        const live = room.itemIds().filter((itemId) => !room.item(itemId).state.archived);
        const names = live.map((itemId) => {
          const { ownerUid, details } = room.item(itemId).state;
          return `${ownerUid} ${details.barcode1}`;
        });
        expect(new Set(names).size).toBe(names.length);
        for (const itemId of live) {
          const { ownerUid, details } = room.item(itemId).state;
          const again = room.when(addItem, {
            itemId: idOf(888_888),
            ownerUid,
            details,
            quantity: 0,
            source: "manual",
            happenedAt: noon,
          });
          expect(again).toMatchObject({ code: "duplicate_barcode", current: { id: itemId } });
        }
      }),
      { numRuns: 200 },
    );
  });
});
