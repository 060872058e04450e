// Specs of boxes that are announced together, and of senders who were not known at first.
import { describe, expect, test } from "vitest";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { MarkShipment, SubmitShipment } from "#features/shipments/decider.ts";
import {
  assignShipment,
  deleteShipment,
  markShipment,
  submitShipment,
} from "#features/shipments/decider.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { userStream, userStreamId } from "#features/users/streams.ts";

const avery = "avery-000000000000001";
const blake = "blake-000000000000002";
const noon = "2026-11-20T12:00:00.000Z";

function idOf(number: number): string {
  return `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
}
const shipmentId = idOf(1);
const streams = [shipmentStreamId(shipmentId), userStreamId(avery)];
const said = { textId: idOf(2), carrier: "UPS", declaredUnits: 12, needsLabel: false } as const;

function submitting(given: Partial<SubmitShipment> = {}): SubmitShipment {
  return { shipmentId, consignorId: avery, said, boxOf: null, happenedAt: noon, ...given };
}

/** Books in which the shipment is on its way. */
function booksWith(given: Partial<SubmitShipment> = {}): MemoryBooks {
  const books = memoryBooks();
  expect(books.when(submitShipment, submitting(given)).kind).toBe("accepted");
  return books;
}

function marking(given: Partial<MarkShipment>): MarkShipment {
  return { shipmentId, delivered: null, processed: null, counts: null, happenedAt: noon, ...given };
}

const openOf = (books: MemoryBooks) =>
  books.stream(userStream, userStreamId(avery)).state.openShipments;

describe("several boxes", () => {
  const second = submitting({ shipmentId: idOf(5), boxOf: shipmentId });

  test("name the first one, also when it was deleted meanwhile", () => {
    const books = booksWith();
    expect(books.when(submitShipment, second)).toMatchObject({
      added: [{ data: { shipmentId: idOf(5), boxOf: shipmentId } }],
    });
    books.when(deleteShipment, { shipmentId, of: "anybody", happenedAt: noon });
    const third = submitting({ shipmentId: idOf(6), boxOf: shipmentId });
    expect(books.when(submitShipment, third).kind).toBe("accepted");
  });

  test("are not added to another consignor's shipment, an unknown one, or a second box", () => {
    const books = booksWith();
    books.when(submitShipment, second);
    for (const wrong of [
      { ...second, shipmentId: idOf(7), consignorId: blake },
      { ...second, shipmentId: idOf(7), boxOf: idOf(99) },
      { ...second, shipmentId: idOf(7), boxOf: idOf(5) },
    ]) {
      expect(books.when(submitShipment, wrong)).toMatchObject({
        code: "other_shipment",
        added: [],
      });
    }
  });
});

describe("a sender who was not known", () => {
  const assigning = {
    shipmentId,
    consignorId: avery,
    textId: idOf(8),
    expectedTextId: said.textId,
    happenedAt: noon,
  };

  test("is found out: the shipment is theirs from then on, and open until it is processed", () => {
    const books = booksWith({ consignorId: null });
    expect(openOf(books)).toEqual([]);
    expect(books.when(assignShipment, assigning)).toMatchObject({
      kind: "accepted",
      added: [
        {
          type: "ShipmentAssigned",
          data: {
            shipmentId,
            consignorId: avery,
            before: said,
            after: { ...said, textId: idOf(8) },
            isProcessed: false,
          },
          streams,
        },
      ],
    });
    expect(openOf(books)).toEqual([shipmentId]);
    const { added } = books.when(markShipment, marking({ processed: true }));
    expect(added).toMatchObject([{ data: { consignorId: avery }, streams }]);
    expect(openOf(books)).toEqual([]);
  });

  test("is not bound by a shipment that was processed before", () => {
    const books = booksWith({ consignorId: null });
    books.when(markShipment, marking({ processed: true }));
    expect(books.when(assignShipment, assigning).kind).toBe("accepted");
    expect(openOf(books)).toEqual([]);
  });

  test("is named once, and only for a shipment that is there", () => {
    const books = booksWith({ consignorId: null });
    expect(books.when(assignShipment, { ...assigning, shipmentId: idOf(99) })).toMatchObject({
      code: "shipment_not_found",
    });
    expect(books.when(assignShipment, { ...assigning, expectedTextId: idOf(98) })).toMatchObject({
      code: "shipment_changed",
    });
    expect(books.when(assignShipment, assigning).kind).toBe("accepted");
    for (const consignorId of [avery, blake]) {
      expect(books.when(assignShipment, { ...assigning, consignorId })).toMatchObject({
        code: "sender_known",
        added: [],
      });
    }
    expect(booksWith().when(assignShipment, assigning)).toMatchObject({ code: "sender_known" });
  });
});
