// Verify names an event of a shipment that does not follow from what was known of it, whoever appended it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { UnitsReceived } from "#features/inventory/events.ts";
import { itemHolding, itemStreamId, RECEIVED } from "#features/inventory/streams.ts";
import { changeShipment, deleteShipment, submitShipment } from "#features/shipments/decider.ts";
import {
  assignShipment,
  markShipment,
  uploadShipmentLabel,
} from "#features/shipments/decider-store.ts";
import {
  ShipmentAssigned,
  ShipmentChanged,
  ShipmentDelivered,
  ShipmentDeliveryReverted,
  ShipmentLabelUploaded,
  ShipmentProcessed,
  ShipmentReopened,
  ShipmentSubmitted,
} from "#features/shipments/events.ts";
import { streamsOf } from "#features/shipments/found-shipment.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { userStreamId } from "#features/users/streams.ts";
import { emit } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import { saidAbout, wrongInLog } from "#testing/shop/forge.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import { marking, said, submitting } from "#testing/shop/shipment-specs.ts";

const happenedAt = "2026-11-28T10:00:00.000Z";
const asking = { ...said, carrier: null, needsLabel: true };

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
});

afterAll(() => shop.close());

/** A shipment that is on its way. */
async function sent(consignorId: string | null = AVERY, text: typeof said | typeof asking = said) {
  const shipmentId = randomUUID();
  const box = submitting({ shipmentId, consignorId, said: text, happenedAt });
  await shop.execute(submitShipment, box);
  const named = { shipmentId, consignorId };
  return { named, facts: { streams: streamsOf(named), happenedAt } };
}

const mark = (shipmentId: string, given: Parameters<typeof marking>[0]) =>
  shop.execute(markShipment, { ...marking(given), shipmentId, happenedAt });

const remove = (shipmentId: string) =>
  shop.execute(deleteShipment, {
    shipmentId,
    of: "anybody",
    expected: { labelId: null },
    happenedAt,
  });

/** Three units of the consignor's item, said to be out of this shipment. */
function takenOut(shipmentId: string, ownerUid = AVERY) {
  const itemId = shop.itemOf(ownerUid);
  return emit(
    UnitsReceived,
    { itemId, ownerUid, units: 3, source: "mass-input", fromItemId: null, shipmentId },
    {
      streams: [itemStreamId(itemId), shipmentStreamId(shipmentId)],
      movements: moveUnits(RECEIVED, itemHolding.of(itemId), 3),
      happenedAt,
    },
  );
}

const saysOf = (reason: string) => [expect.stringContaining(reason)];

it("finds nothing wrong with what deciders wrote", async () => {
  const { named } = await sent(null);
  const { shipmentId } = named;
  const boxes = submitting({ shipmentId: randomUUID(), boxOf: shipmentId, consignorId: null });
  await shop.execute(submitShipment, { ...boxes, happenedAt });
  const input = { shipmentId, itemName: "Lamp", location: "", barcodes: ["1"], happenedAt };
  await shop.execute(massInput, { ...input, ownerUid: null, newItemIds: [randomUUID()] });
  const text = { textId: randomUUID(), expectedTextId: said.textId };
  await shop.execute(assignShipment, { shipmentId, consignorId: AVERY, ...text, happenedAt });
  const known = { ...input, barcodes: ["1", `B-${AVERY}`], ownerUid: AVERY };
  await shop.execute(massInput, { ...known, newItemIds: [randomUUID(), randomUUID()] });
  const counts = { receivedUnits: 3, refusedUnits: 1, noteId: null };
  await mark(shipmentId, { delivered: true, processed: true, counts });
  await mark(shipmentId, { processed: true, counts: { ...counts, refusedUnits: 2 } });
  await mark(shipmentId, { delivered: false, processed: false });
  const changed = { ...said, textId: randomUUID(), declaredUnits: 7 };
  await shop.execute(changeShipment, {
    shipmentId,
    of: "anybody",
    said: changed,
    expected: { textId: text.textId },
    expectedVersion: null,
    happenedAt,
  });
  await remove(shipmentId);
  const { named: labelled } = await sent(AVERY, asking);
  const [labelId, textId] = [randomUUID(), randomUUID()];
  const label = { shipmentId: labelled.shipmentId, carrier: "UPS", happenedAt } as const;
  const first = { labelId, textId, expected: { textId: said.textId, labelId: null } };
  await shop.execute(uploadShipmentLabel, { ...label, ...first });
  const second = { labelId: randomUUID(), textId: randomUUID(), expected: { textId, labelId } };
  await shop.execute(uploadShipmentLabel, { ...label, ...second });
  await shop.runner.catchUp();
  expect(await wrongInLog(shop)).toEqual([]);
});

it("names marks of a shipment that is not there, is deleted, is marked so already or is another consignor's", async () => {
  const [deleted, underway, arrived] = [await sent(), await sent(), await sent()];
  await remove(deleted.named.shipmentId);
  await mark(arrived.named.shipmentId, { delivered: true });
  const missing = { shipmentId: randomUUID(), consignorId: AVERY };
  const others = { ...underway.named, consignorId: BLAKE };
  const counts = { receivedUnits: null, refusedUnits: 0, noteId: null };
  const found = await saidAbout(shop, [
    emit(ShipmentDelivered, missing, { streams: streamsOf(missing), happenedAt }),
    emit(ShipmentDelivered, deleted.named, deleted.facts),
    emit(ShipmentDelivered, arrived.named, arrived.facts),
    emit(ShipmentDeliveryReverted, underway.named, underway.facts),
    emit(ShipmentReopened, underway.named, underway.facts),
    emit(ShipmentProcessed, { ...others, ...counts }, { streams: streamsOf(others), happenedAt }),
  ]);
  expect(found).toEqual([
    saysOf("There is no such shipment"),
    saysOf(`${shipmentStreamId(deleted.named.shipmentId)} before it: This shipment was deleted`),
    saysOf("it is delivered already"),
    saysOf("it is not delivered"),
    saysOf("it is not processed"),
    saysOf(`it says consignorId "${BLAKE}" instead of "${AVERY}"`),
  ]);
});

it("names a shipment that its consignor's account does not know to be on its way", async () => {
  const shipmentId = randomUUID();
  const submitted = emit(
    ShipmentSubmitted,
    { shipmentId, consignorId: AVERY, after: said, boxOf: null },
    { streams: [shipmentStreamId(shipmentId)], happenedAt },
  );
  const { named } = await sent();
  const again = emit(
    ShipmentSubmitted,
    { ...named, after: said, boxOf: null },
    { streams: streamsOf(named), happenedAt },
  );
  expect(await saidAbout(shop, [submitted, again])).toEqual([
    saysOf(`ShipmentSubmitted does not extend ${userStreamId(AVERY)}`),
    saysOf("it was submitted before"),
  ]);
});

it("names a change of what was never said, a label that nobody asked for, and a second sender", async () => {
  const [underway, arrived, plain] = [await sent(), await sent(), await sent()];
  const labelled = await sent(AVERY, asking);
  await mark(arrived.named.shipmentId, { delivered: true });
  const wrong = { ...said, declaredUnits: 99 };
  const label = { labelId: randomUUID(), replacesLabelId: null };
  const found = await saidAbout(shop, [
    emit(ShipmentChanged, { ...underway.named, before: wrong, after: said }, underway.facts),
    emit(ShipmentChanged, { ...arrived.named, before: said, after: wrong }, arrived.facts),
    emit(
      ShipmentLabelUploaded,
      { ...plain.named, ...label, before: said, after: said },
      plain.facts,
    ),
    emit(
      ShipmentLabelUploaded,
      { ...labelled.named, ...label, before: asking, after: { ...asking, declaredUnits: 99 } },
      labelled.facts,
    ),
    emit(
      ShipmentAssigned,
      {
        shipmentId: plain.named.shipmentId,
        consignorId: BLAKE,
        before: said,
        after: said,
        isProcessed: false,
      },
      { streams: streamsOf({ ...plain.named, consignorId: BLAKE }), happenedAt },
    ),
  ]);
  expect(found).toEqual([
    saysOf("says before"),
    saysOf("marked as delivered and can no longer be changed"),
    saysOf("nobody asked for a label"),
    saysOf('"declaredUnits":99'),
    saysOf("it has a sender already"),
  ]);
});

it("names units that were taken out of a box that is not there, is deleted or is another consignor's", async () => {
  const [deleted, others, whole] = [await sent(), await sent(BLAKE), await sent()];
  await remove(deleted.named.shipmentId);
  const nowhere = takenOut(whole.named.shipmentId);
  const found = await saidAbout(shop, [
    takenOut(randomUUID()),
    takenOut(deleted.named.shipmentId),
    takenOut(others.named.shipmentId),
    { ...nowhere, streams: [itemStreamId(shop.itemOf(AVERY))] },
    takenOut(whole.named.shipmentId),
  ]);
  expect(found).toEqual([
    saysOf("There is no such shipment"),
    saysOf("This shipment was deleted"),
    saysOf("This shipment is not from that consignor"),
    saysOf("it does not extend it"),
    [],
  ]);
});
