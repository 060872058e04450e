// Items as they were: every item at every position equals what commands made of it, and its origin leads to the shipment.
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  inventoryAsOfResponse,
  itemAsOfResponse,
  itemOriginResponse,
} from "#features/inventory/contract-as-of.ts";
import type { ItemAsOf } from "#features/inventory/contract-as-of.ts";
import { readInventoryAsOf, readItemAsOf } from "#features/inventory/queries-as-of.ts";
import { itemStream, itemStreamId } from "#features/inventory/streams.ts";
import { readRange, toCurrent } from "#ledger/log/read.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { events as register, projections } from "../../features.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
let avery: TestPerson;
let blake: TestPerson;
let stored: StoredEvent[];
let shipmentId: string;
const ids: string[] = [];

const lamp = { itemName: "Lamp" };

/** A command that must be accepted. */
async function send(method: string, path: string, as: TestPerson, body?: object) {
  const answer = await call(method, path, as, body);
  if (answer.status !== 200) {
    throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }
  return answer;
}

const call = (method: string, path: string, as: TestPerson, body?: object) =>
  shop.call(method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) });
const fieldOf = ({ body }: { readonly body: unknown }, name: string) =>
  String(Reflect.get(Object(body), name));

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
  avery = await shop.person("Avery");
  blake = await shop.person("Blake");
  const consignorID = avery.uid;
  for (const [index, quantity] of [3, 5, 1, 2].entries()) {
    const given = { consignorID, itemName: `Lamp ${index}`, barcode1: `L-${index}`, quantity };
    ids.push(fieldOf(await send("POST", "/inventory/consignor", admin, given), "id"));
  }
  const [first = "", second = "", third = ""] = ids;
  const path = (id: string) => `/inventory/consignor/${consignorID}/${id}`;
  const brass = { itemName: "Brass lamp", barcode1: "L-0", quantity: 3, location: "A-1" };
  await send("PUT", path(first), admin, { ...brass, tagPriceCents: 2000 });
  await send("PUT", path(second), admin, { ...lamp, barcode1: "L-1", quantity: 4 });
  await send("DELETE", path(third), admin);
  await send("POST", `${path(third)}/restore`, admin);
  await send("DELETE", path(second), admin);
  const sale = { consignorID, itemUID: first, quantitySold: 1, salePrice: 20, shippingCost: 0 };
  await send("POST", "/sales/record", admin, { ...sale, consignorPercentage: 50 });
  const box = { carrier: "UPS", trackingNumber: "1Z999" };
  shipmentId = fieldOf(await send("POST", `/shipments/${consignorID}`, avery, box), "id");
  const goods = { consignorID, itemName: "Lamp", shipmentId, barcodes: "L-0\nL-0" };
  await send("POST", "/inventory/consignor/mass-input", admin, goods);
  await shop.runner.catchUp();
  stored = await readRange(shop.database.sql, 0, Number.MAX_SAFE_INTEGER);
});

afterAll(() => shop.close());

/** The item's state at a position, folded by its stream's own evolve. */
function foldItem(id: string, position: number) {
  const own = stored.filter(
    (event) =>
      event.position <= position &&
      event.streams.some(({ streamId }) => streamId === itemStreamId(id)),
  );
  const state = own.reduce(
    (before, event) => itemStream.evolve(before, toCurrent(register, event), itemStreamId(id)),
    itemStream.initial,
  );
  return { state, version: own.length };
}

function expectedItem(id: string, position: number): Partial<ItemAsOf> | null {
  const { state, version } = foldItem(id, position);
  const { exists, archived, quantity, ownerUid, details, tagPriceCents } = state;
  return exists
    ? { id, consignorID: ownerUid, ...details, tagPriceCents, quantity, archived, version }
    : null;
}

it("lists a person's items at any position as their streams had them, page by page", async () => {
  for (const { position } of stored) {
    const expected = ids
      .map((id) => expectedItem(id, position))
      .filter((item) => item !== null && item.archived === false)
      .reverse();
    const found: ItemAsOf[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = cursor === "" ? "" : `&cursor=${cursor}`;
      const path: string = `/audit/inventory/${avery.uid}?at=${position}&limit=2${page}`;
      const answer = inventoryAsOfResponse.parse((await call("GET", path, avery)).body);
      found.push(...answer.items);
      cursor = answer.nextCursor;
    }
    expect(found).toMatchObject(expected);
    expect(found).toHaveLength(expected.length);
  }
});

it("shows one item at any position, also a deleted one, and 404 before it was there", async () => {
  const [, second = ""] = ids;
  const statuses = new Set<number>();
  for (const { position } of stored) {
    const { status, body } = await call("GET", `/audit/items/${second}?at=${position}`, avery);
    const expected = expectedItem(second, position);
    const { data } = itemAsOfResponse.safeParse(body);
    const { addedAt: _addedAt, ...found } = data?.item ?? {};
    expect({ status, found }).toEqual({
      status: expected === null ? 404 : 200,
      found: expected ?? {},
    });
    statuses.add(status);
  }
  expect(statuses).toEqual(new Set([200, 404]));
});

it("leads from an item to its intake, the shipment and the sales that took its units", async () => {
  const [first = ""] = ids;
  const origin = itemOriginResponse.parse(
    (await call("GET", `/audit/items/${first}/origin`, avery)).body,
  );
  expect(origin).toMatchObject({
    itemName: "Brass lamp",
    intakes: [
      { type: "ItemAdded", units: 3, source: "manual", shipment: null },
      {
        type: "UnitsReceived",
        units: 2,
        source: "mass-input",
        shipment: { shipmentID: shipmentId },
      },
    ],
    sales: [{ units: 1 }],
    nextCursor: null,
  });
  const paged = await call("GET", `/audit/items/${first}/origin?limit=1`, admin);
  expect(itemOriginResponse.parse(paged.body)).toMatchObject({
    intakes: [{ line: 1 }],
    nextCursor: "1",
  });
});

it("is for the owner and for admins, and refuses garbage", async () => {
  const [first = ""] = ids;
  expect((await call("GET", `/audit/inventory/${avery.uid}?at=1`, blake)).status).toBe(403);
  for (const path of [`/audit/items/${first}?at=9`, `/audit/items/${first}/origin`]) {
    expect((await call("GET", path, blake)).status).toBe(404);
    expect((await call("GET", path, admin)).status).toBe(200);
  }
  for (const query of ["", "?at=soon", "?at=1&limit=0", "?at=1&cursor=x"]) {
    const path = `/audit/inventory/${avery.uid}${query}`;
    expect((await call("GET", path, avery)).status).toBe(400);
  }
});

it("shows an item at a position that both tables have while one of them is ahead of the other", async () => {
  const [first = ""] = ids;
  const goods = { consignorID: avery.uid, itemName: "Lamp", barcodes: "L-0" };
  await send("POST", "/inventory/consignor/mass-input", admin, goods);
  const { sql } = shop.database;
  const ahead = projections.filter(({ name }) => name !== "item_timeline");
  await createRunner({ sql, projections: ahead, events: register }).catchUp();
  const { reads, readEvent } = shop.deps;
  const asOf = { position: stored.length, at: null };
  const { items } = await readInventoryAsOf(reads, readEvent, avery.uid, asOf, { limit: 9 });
  expect(items.map(({ id }) => id)).toContain(first);
  const past = await readItemAsOf(reads, readEvent, first, asOf);
  expect(past?.item).toMatchObject(expectedItem(first, asOf.position) ?? {});
});

it("lists the items after one whose lines are held back", async () => {
  const { deps } = shop;
  const [first = "", , third = ""] = ids;
  await shop.database.sql`delete from read.item_timeline where item_id = ${third}`;
  const asOf = { position: stored.length, at: null };
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = { limit: 1, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await readInventoryAsOf(deps.reads, deps.readEvent, avery.uid, asOf, page);
    found.push(...answer.items.map(({ id }) => id));
    cursor = answer.nextCursor;
  }
  expect(found).toEqual([ids[3], first]);
});
