// Specs of boxes that are announced together, and of senders who were not known at first.
import { describe, expect, test } from "vitest";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { deleteShipment, submitShipment } from "#features/shipments/decider.ts";
import { assignShipment, markShipment } from "#features/shipments/decider-store.ts";
import { userStream, userStreamId } from "#features/users/streams.ts";
import {
  avery,
  blake,
  booksWith,
  idOf,
  marking,
  noon,
  said,
  shipmentId,
  streams,
  submitting,
} from "#testing/shop/shipment-specs.ts";

const openOf = (books: MemoryBooks) =>
  books.stream(userStream, userStreamId(avery)).state.openShipments;

describe("several boxes", () => {
  const second = submitting({ shipmentId: idOf(5), boxOf: shipmentId });

  test("name the first one, also when it was deleted meanwhile", () => {
    const books = booksWith();
    expect(books.when(submitShipment, second)).toMatchObject({
      added: [{ data: { shipmentId: idOf(5), boxOf: shipmentId } }],
    });
    books.when(deleteShipment, {
      shipmentId,
      of: "anybody",
      expected: { labelId: null },
      happenedAt: noon,
    });
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
