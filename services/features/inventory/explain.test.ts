// How the inventory's events read in an item's history, over HTTP: to an admin in full, to the item's owner without reasons.
import { afterAll, beforeAll, expect, test } from "vitest";
import { timelineResponse } from "#features/inventory/contract.ts";
import { idIn, type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { unexplainedEvents } from "#testing/shop/unexplained-events.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

async function linesOf(id: string, as: TestPerson) {
  const { body } = await desk.callAs(as, "GET", `/items/${id}/timeline?limit=50`);
  return timelineResponse
    .parse(body)
    .lines.map(({ kind, title, notes, consignorID }) => [kind, title, notes, consignorID]);
}

test("an item of the store reads from its arrival to its end", async () => {
  const { id, barcode1, path } = await desk.newItem(null);
  await desk.asAdmin("PUT", path, {
    itemName: "Floor lamp",
    barcode1,
    location: "",
    tagPriceCents: 1250,
    quantity: 9,
    reason: "Counted again",
  });
  await desk.asAdmin("POST", "/allocate", {
    masterItemID: id,
    consignorID: desk.avery.uid,
    quantity: 4,
  });
  const priced = (tagPriceCents: number | null, change: object) =>
    desk.asAdmin("POST", "/prices", { items: [{ itemID: id, tagPriceCents }], change });
  await priced(1250, { kind: "percent-off", percent: 20 });
  await priced(1000, { kind: "amount-off", cents: 250 });
  await priced(750, { kind: "set", tagPriceCents: 800 });
  await priced(800, { kind: "set", tagPriceCents: null });
  await desk.asAdmin("POST", "/remove", { itemID: id, quantity: 2, reason: "damaged" });
  await desk.asAdmin("DELETE", `${path}?reason=donated`);
  await desk.asAdmin("POST", `${path}/restore`);
  expect(await linesOf(id, desk.admin)).toEqual([
    ["in", "Restored", [], null],
    ["removed", "Deleted (donated)", [], null],
    ["removed", "Removed 2 units (damaged)", [], null],
    ["edited", "Tag price of $8.00 taken off", [], null],
    ["edited", "Tag price changed: $7.50 to $8.00", [], null],
    ["edited", "Marked down by $2.50: $10.00 to $7.50", [], null],
    ["edited", "Marked down by 20%: $12.50 to $10.00", [], null],
    ["moved", "Allocated 4 units", [], desk.avery.uid],
    ["counted", "Counted 9, was 5", ["Counted again"], null],
    ["edited", "Tag price set to $12.50", [], null],
    ["edited", "Edited", ["Item name: “Lamp” to “Floor lamp”", "Location: “A-1” to empty"], null],
    ["in", "Added", [], null],
  ]);
});

test("the owner of an item reads what happened, and an admin also reads where it came from", async () => {
  const master = await desk.newItem(null);
  const allocated = await desk.asAdmin("POST", "/allocate", {
    masterItemID: master.id,
    consignorID: desk.blake.uid,
    quantity: 1,
  });
  const scanned = await desk.asAdmin("POST", "/consignor/mass-input", {
    consignorID: desk.blake.uid,
    itemName: "Lamp",
    barcodes: [master.barcode1, master.barcode1],
  });
  expect(scanned).toMatchObject({ status: 200 });
  const id = idIn(allocated);
  const returned = { itemID: id, quantity: 1, reason: "returned_to_consignor" };
  await desk.asAdmin("POST", "/remove", returned);
  expect(await linesOf(id, desk.admin)).toEqual([
    ["removed", "Removed 1 unit (returned to consignor)", [], null],
    ["in", "Received 2 units", ["By mass input"], null],
    ["moved", "Received 1 unit from the store", [], null],
    ["in", "Added", ["To receive units from the store"], null],
  ]);
  expect(await linesOf(id, desk.blake)).toEqual([
    ["removed", "Removed 1 unit (returned to consignor)", [], null],
    ["in", "Received 2 units", [], null],
    ["moved", "Received 1 unit from the store", [], null],
    ["in", "Added", [], null],
  ]);
});

test("every event in an item's history is explained there", async () => {
  expect(await unexplainedEvents(desk.shop.database.sql)).toEqual([]);
});
