// Whatever admins do, in any order, no unit is lost or created, and a barcode leads to one item of an owner.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewEvent } from "#ledger/event.ts";
import { addItem } from "#features/inventory/decider.ts";
import { itemHolding } from "#features/inventory/streams.ts";
import { idOf, noon, StockRoom } from "#testing/shop/stock-room.ts";
import { pick, runStep, type Step, step, unknownItemId } from "#testing/shop/stock-steps.ts";

function run(room: StockRoom, next: Step, seed: number): void {
  runStep(next, {
    itemIds: room.itemIds(),
    ownerOf: (itemId) => room.item(itemId).state.ownerUid,
    seed,
    prefix: "",
    execute: (decider, command) => {
      room.when(decider, command);
    },
  });
}

/** Units by holding, summed from the movements alone. */
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
  test("received and found units are on hand or went somewhere else: none is lost", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const room = play(steps);
        const held = holdingsOf(room.events);
        const onHand = room.itemIds().map((itemId) => room.item(itemId).state.quantity);
        const elsewhere = [...held].flatMap(([name, units]) =>
          itemHolding.is(name) ? [] : [units],
        );
        expect([...onHand, ...elsewhere].reduce((sum, units) => sum + units, 0)).toBe(0);
        for (const itemId of room.itemIds()) {
          expect(room.item(itemId).state.quantity).toBe(held.get(`item:${itemId}`) ?? 0);
          expect(room.item(itemId).state.quantity).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("no holding of the store gives units that nobody put there", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const held = [...holdingsOf(play(steps).events)];
        const owing = held.filter(([name, units]) => units < 0 && !name.startsWith("world:"));
        expect(owing, "a command lets more units out than went in").toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("an archived item has no units, and restoring gives back what archiving took", () => {
    fc.assert(
      fc.property(history, pick, (steps, picked) => {
        const room = play(steps);
        const itemId = room.itemIds()[picked % (room.itemIds().length + 1)] ?? unknownItemId;
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
