// Two tabs with one shipment: who saves last has seen what the other one saved.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ShipmentDesk } from "#testing/shop/shipment-desk.ts";
import { openShipmentDesk, ups } from "#testing/shop/shipment-desk.ts";

let desk: ShipmentDesk;

beforeAll(async () => {
  desk = await openShipmentDesk();
});

afterAll(() => desk.shop.close());

it("a shipment is not changed by a form that was opened before somebody else changed it", async () => {
  const avery = await desk.consignor();
  const { id } = await desk.submit(avery);
  const path = `/shipments/${avery.uid}/${id}`;
  const shown = async () => (await desk.own(avery)).shipments[0]?.version;
  const expectedVersion = await shown();
  const first = { ...ups("9400"), contents: "Books", expectedVersion };
  expect(await desk.send("PATCH", path, avery, first)).toMatchObject({ status: 200 });
  const older = { ...ups("9401"), contents: "Lamps", expectedVersion };
  const changed = { status: 409, body: { error: "shipment_changed" } };
  expect(await desk.send("PATCH", path, avery, older)).toMatchObject(changed);
  const recounted = { ...first, declaredUnits: 3, expectedVersion: await shown() };
  expect(await desk.send("PATCH", path, avery, recounted)).toMatchObject({ status: 200 });
  expect(await desk.send("PATCH", path, avery, recounted)).toMatchObject(changed);
  expect((await desk.own(avery)).shipments).toMatchObject([
    { trackingNumber: "9400", contents: "Books", declaredUnits: 3 },
  ]);
});
