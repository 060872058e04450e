// Specs of shipments: announced, changed until they arrive, marked by admins, and never lost in between.
import { describe, expect, test } from "vitest";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import type { MarkShipment } from "#features/shipments/decider-store.ts";
import { changeShipment, deleteShipment, submitShipment } from "#features/shipments/decider.ts";
import { markShipment, uploadShipmentLabel } from "#features/shipments/decider-store.ts";
import { MAX_OPEN_SHIPMENTS } from "#features/shipments/found-shipment.ts";
import { shipmentStream, shipmentStreamId, versionOfSaid } from "#features/shipments/streams.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
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

const openOf = (books: MemoryBooks, uid = avery) =>
  books.stream(userStream, userStreamId(uid)).state.openShipments;

describe("submitting", () => {
  test("is a fact of the shipment and of its consignor, and the shipment is open", () => {
    const books = memoryBooks();
    const { added, ...decision } = books.when(submitShipment, submitting());
    expect(decision).toEqual({ kind: "accepted", events: added, answer: { shipmentId } });
    expect(added).toMatchObject([
      {
        type: "ShipmentSubmitted",
        data: { shipmentId, consignorId: avery, after: said, boxOf: null },
        streams,
        postings: [],
        movements: [],
        happenedAt: noon,
      },
    ]);
    expect(openOf(books)).toEqual([shipmentId]);
  });

  test("of a sender whom nobody knows is a fact of the shipment alone", () => {
    const { added } = memoryBooks().when(submitShipment, submitting({ consignorId: null }));
    expect(added).toMatchObject([{ streams: [shipmentStreamId(shipmentId)] }]);
  });

  test("the same shipment twice is refused", () => {
    expect(booksWith().when(submitShipment, submitting())).toMatchObject({
      status: 409,
      code: "shipment_exists",
      added: [],
    });
  });

  test("somebody who has left sends nothing", () => {
    const books = memoryBooks();
    books.when(deactivateUser, { uid: avery, itemIds: [], noteId: null, happenedAt: noon });
    expect(books.when(submitShipment, submitting())).toMatchObject({
      status: 404,
      code: "consignor_not_found",
    });
  });

  test("nobody has more than 200 on the way at once", () => {
    const books = memoryBooks();
    for (let number = 1; number <= MAX_OPEN_SHIPMENTS; number += 1) {
      books.when(submitShipment, submitting({ shipmentId: idOf(number) }));
    }
    const another = submitting({ shipmentId: idOf(999) });
    expect(books.when(submitShipment, another)).toMatchObject({ code: "too_many_shipments" });
    books.when(markShipment, marking({ processed: true }));
    expect(books.when(submitShipment, another).kind).toBe("accepted");
  });
});

describe("changing and deleting", () => {
  const own = {
    shipmentId,
    of: { consignorId: avery },
    expected: { textId: said.textId, labelId: null },
    expectedVersion: null,
    happenedAt: noon,
  } as const;
  const after = { ...said, textId: idOf(3), declaredUnits: null };

  test("keeps what was said before", () => {
    const { added } = booksWith().when(changeShipment, { ...own, said: after });
    expect(added).toMatchObject([
      {
        type: "ShipmentChanged",
        data: { shipmentId, consignorId: avery, before: said, after },
        streams,
      },
    ]);
  });

  test("the same again is accepted and makes no event", () => {
    expect(booksWith().when(changeShipment, { ...own, said })).toMatchObject({
      kind: "accepted",
      added: [],
    });
  });

  test.each([
    [{ delivered: true }, "This shipment was marked as delivered and can no longer be changed"],
    [{ processed: true }, "This shipment was marked as processed and can no longer be changed"],
  ])("is refused once a flag is set (%j)", (flag, message) => {
    const books = booksWith();
    books.when(markShipment, marking(flag));
    const locked = { status: 409, code: "shipment_locked", message, added: [] };
    expect(books.when(changeShipment, { ...own, said: after })).toMatchObject(locked);
    expect(books.when(changeShipment, { ...own, of: "anybody", said: after })).toMatchObject(
      locked,
    );
    expect(books.when(deleteShipment, own)).toMatchObject(locked);
  });

  test("is possible again once the flag was taken back", () => {
    const books = booksWith();
    books.when(markShipment, marking({ delivered: true }));
    books.when(markShipment, marking({ delivered: false }));
    expect(books.when(changeShipment, { ...own, said: after }).kind).toBe("accepted");
  });

  test("is refused to somebody who has not seen the last change, or the label", () => {
    const books = booksWith();
    books.when(changeShipment, { ...own, said: after });
    const changed = { status: 409, code: "shipment_changed", added: [] };
    const later = { ...after, textId: idOf(4) };
    expect(books.when(changeShipment, { ...own, said: later })).toMatchObject(changed);
    const other = { ...own, expected: { labelId: idOf(8) } };
    expect(books.when(deleteShipment, other)).toMatchObject(changed);
  });

  test("is refused to a form that was filled before the last change, whichever field it was", () => {
    const books = booksWith();
    const [expectedVersion, recounted] = [versionOfSaid(said), { ...said, declaredUnits: 7 }];
    expect(books.when(changeShipment, { ...own, expectedVersion, said: recounted })).toMatchObject({
      kind: "accepted",
    });
    const older = { ...own, expectedVersion, said: { ...said, textId: idOf(4) } };
    expect(books.when(changeShipment, older)).toMatchObject({
      status: 409,
      code: "shipment_changed",
      added: [],
    });
    const newer = { ...older, expectedVersion: versionOfSaid(recounted) };
    expect(books.when(changeShipment, newer).kind).toBe("accepted");
  });

  test("says nothing new of somebody who has left", () => {
    const books = booksWith();
    books.when(markShipment, marking({ processed: true }));
    books.when(deactivateUser, { uid: avery, itemIds: [], noteId: null, happenedAt: noon });
    books.when(markShipment, marking({ processed: false }));
    expect(books.when(changeShipment, { ...own, of: "anybody", said: after })).toMatchObject({
      code: "consignor_not_found",
      added: [],
    });
    const recounted = { ...said, declaredUnits: 7 };
    expect(books.when(changeShipment, { ...own, of: "anybody", said: recounted }).kind).toBe(
      "accepted",
    );
  });

  test("somebody else's shipment is not there", () => {
    const other = { ...own, of: { consignorId: blake } };
    const missing = { status: 404, code: "shipment_not_found" };
    expect(booksWith().when(changeShipment, { ...other, said: after })).toMatchObject(missing);
    expect(booksWith().when(deleteShipment, other)).toMatchObject(missing);
    expect(memoryBooks().when(deleteShipment, own)).toMatchObject(missing);
  });

  test("a deleted shipment is closed, and nothing happens to it any more", () => {
    const books = booksWith();
    expect(books.when(deleteShipment, own).added).toMatchObject([{ type: "ShipmentDeleted" }]);
    expect(openOf(books)).toEqual([]);
    const gone = { status: 409, code: "shipment_deleted", added: [] };
    expect(books.when(deleteShipment, own)).toMatchObject(gone);
    expect(books.when(changeShipment, { ...own, said: after })).toMatchObject(gone);
    expect(books.when(markShipment, marking({ delivered: true }))).toMatchObject(gone);
  });

  test("an admin deletes one that has arrived", () => {
    const books = booksWith();
    books.when(markShipment, marking({ delivered: true, processed: true }));
    expect(books.when(deleteShipment, { ...own, of: "anybody" }).kind).toBe("accepted");
  });
});

describe("marking", () => {
  const counts = { receivedUnits: 10, refusedUnits: 2, noteId: idOf(5) };

  test("both flags stand apart, and each can be taken back", () => {
    const books = booksWith();
    const types = (given: Partial<MarkShipment>) =>
      books.when(markShipment, marking(given)).added.map(({ type }) => type);
    expect(types({ processed: true })).toEqual(["ShipmentProcessed"]);
    expect(openOf(books)).toEqual([]);
    expect(types({ delivered: true, processed: false })).toEqual([
      "ShipmentDelivered",
      "ShipmentReopened",
    ]);
    expect(openOf(books)).toEqual([shipmentId]);
    expect(types({ delivered: false })).toEqual(["ShipmentDeliveryReverted"]);
  });

  test("what is so already is accepted and makes no event", () => {
    const books = booksWith();
    books.when(markShipment, marking({ delivered: true, processed: true, counts }));
    const again = { kind: "accepted", added: [] };
    expect(books.when(markShipment, marking({ delivered: true }))).toMatchObject(again);
    expect(books.when(markShipment, marking({ processed: true }))).toMatchObject(again);
    expect(books.when(markShipment, marking({ processed: true, counts }))).toMatchObject(again);
  });

  test("counts are kept with the processing, and can be counted again", () => {
    const books = booksWith();
    expect(books.when(markShipment, marking({ processed: true, counts })).added).toMatchObject([
      { type: "ShipmentProcessed", data: { ...counts, consignorId: avery }, streams },
    ]);
    const recounted = { ...counts, receivedUnits: 11 };
    expect(
      books.when(markShipment, marking({ processed: true, counts: recounted })).added,
    ).toMatchObject([{ type: "ShipmentProcessed", data: recounted }]);
    expect(books.stream(shipmentStream, shipmentStreamId(shipmentId)).state).toMatchObject({
      processed: recounted,
    });
  });
});

describe("a prepaid label", () => {
  const asking = { ...said, carrier: null, needsLabel: true };
  const uploading = {
    shipmentId,
    labelId: idOf(6),
    carrier: "FEDEX",
    textId: idOf(7),
    expected: { textId: said.textId, labelId: null },
    happenedAt: noon,
  } as const;

  test("gives the shipment its carrier and number", () => {
    const { added } = booksWith({ said: asking }).when(uploadShipmentLabel, uploading);
    expect(added).toMatchObject([
      {
        type: "ShipmentLabelUploaded",
        data: {
          labelId: uploading.labelId,
          replacesLabelId: null,
          before: asking,
          after: { ...asking, carrier: "FEDEX", textId: uploading.textId },
        },
        streams,
      },
    ]);
  });

  test("is replaced by a newer one, of two uploads at once by one only", () => {
    const books = booksWith({ said: asking });
    books.when(uploadShipmentLabel, uploading);
    expect(books.when(uploadShipmentLabel, { ...uploading, labelId: idOf(8) })).toMatchObject({
      code: "shipment_changed",
      added: [],
    });
    const expected = { textId: uploading.textId, labelId: uploading.labelId };
    const newer = { ...uploading, labelId: idOf(8), textId: idOf(9), expected };
    expect(books.when(uploadShipmentLabel, newer).added).toMatchObject([
      { data: { labelId: idOf(8), replacesLabelId: uploading.labelId } },
    ]);
  });

  test("is refused where nobody asked, for an unknown sender, and once the shipment arrived", () => {
    const refused = { status: 409, code: "label_not_requested" };
    expect(booksWith().when(uploadShipmentLabel, uploading)).toMatchObject(refused);
    const unknown = booksWith({ said: asking, consignorId: null });
    expect(unknown.when(uploadShipmentLabel, uploading)).toMatchObject(refused);
    const arrived = booksWith({ said: asking });
    arrived.when(markShipment, marking({ delivered: true }));
    expect(arrived.when(uploadShipmentLabel, uploading)).toMatchObject({ code: "shipment_locked" });
    expect(memoryBooks().when(uploadShipmentLabel, uploading)).toMatchObject({
      code: "shipment_not_found",
    });
  });
});

describe("taking goods in", () => {
  const input = {
    ownerUid: avery,
    shipmentId,
    itemName: "Lamp",
    location: "",
    barcodes: ["1", "1", "2"],
    newItemIds: [idOf(11), idOf(12)],
    happenedAt: noon,
  };

  test("items name the shipment, new ones and those that get more units", () => {
    const books = booksWith();
    expect(books.when(massInput, input).added).toMatchObject([
      { type: "ItemAdded", data: { shipmentId }, streams: expect.arrayContaining([streams[0]]) },
      { type: "ItemAdded", data: { shipmentId } },
    ]);
    expect(books.when(massInput, input).added).toMatchObject([
      { type: "UnitsReceived", data: { shipmentId, units: 2 } },
      { type: "UnitsReceived", data: { shipmentId, units: 1 } },
    ]);
  });

  test("without a shipment nothing names one", () => {
    const { added } = booksWith().when(massInput, { ...input, shipmentId: null });
    expect(added.some(({ data }) => Object.hasOwn(Object(data), "shipmentId"))).toBe(false);
  });

  test("goods of an unknown sender become the store's", () => {
    const books = booksWith({ consignorId: null });
    expect(books.when(massInput, { ...input, ownerUid: null }).added).toMatchObject([
      { data: { ownerUid: null, shipmentId } },
      { data: { ownerUid: null, shipmentId } },
    ]);
  });

  test("another consignor's shipment, a deleted one and an unknown one are refused", () => {
    const books = booksWith();
    expect(books.when(massInput, { ...input, ownerUid: blake })).toMatchObject({
      status: 409,
      code: "other_consignor",
      added: [],
    });
    books.when(deleteShipment, {
      shipmentId,
      of: "anybody",
      expected: { labelId: null },
      happenedAt: noon,
    });
    expect(books.when(massInput, input)).toMatchObject({ code: "shipment_deleted" });
    expect(memoryBooks().when(massInput, input)).toMatchObject({ code: "shipment_not_found" });
  });
});

test("a consignor who was deleted gets no label, but what came is still marked", () => {
  const books = booksWith({ said: { ...said, carrier: null, needsLabel: true } });
  books.when(markShipment, marking({ processed: true }));
  books.when(deactivateUser, { uid: avery, itemIds: [], noteId: null, happenedAt: noon });
  expect(books.when(markShipment, marking({ processed: false })).added).toHaveLength(1);
  const label = {
    shipmentId,
    labelId: idOf(6),
    carrier: "FEDEX",
    textId: idOf(7),
    expected: { textId: said.textId, labelId: null },
    happenedAt: noon,
  } as const;
  expect(books.when(uploadShipmentLabel, label)).toMatchObject({
    status: 404,
    code: "consignor_not_found",
    added: [],
  });
});

test("a consignor with an open shipment is not deleted, and the refusal names it", () => {
  const books = booksWith();
  const leaving = { uid: avery, itemIds: [], noteId: null, happenedAt: noon };
  expect(books.when(deactivateUser, leaving)).toMatchObject({
    status: 409,
    code: "user_not_settled",
    message: "This user cannot be deleted yet: open shipment 00000001 left",
    current: { shipmentIds: [shipmentId] },
  });
  books.when(markShipment, marking({ processed: true }));
  expect(books.when(deactivateUser, leaving).kind).toBe("accepted");
});
