// A point of sale's copy of the inventory: all items in stock, page by page, and then only what has changed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  catalogueChangesResponse,
  catalogueResponse,
} from "#features/inventory/contract-catalogue.ts";
import { type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

async function catalogue(query = ""): Promise<ReturnType<typeof catalogueResponse.parse>> {
  return catalogueResponse.parse((await desk.asAdmin("GET", `/catalogue${query}`)).body);
}

async function changesSince(position: number) {
  const { body } = await desk.asAdmin("GET", `/catalogue/changes?since=${position}`);
  return catalogueChangesResponse.parse(body);
}

describe("a point of sale's catalogue", () => {
  test("has the items in stock with their owners, page by page, and no sold-out ones", async () => {
    const lamp = await desk.newItem(desk.avery, { itemName: "Desk lamp", barcode2: "L-2" });
    const chair = await desk.newItem(null, { itemName: "Chair" });
    await desk.newItem(null, { quantity: 0 });
    const first = await catalogue("?limit=1");
    expect(first.items).toMatchObject([{ id: chair.id, consignorID: null, quantity: 5 }]);
    const second = await catalogue(`?limit=1&before=${first.nextBefore}`);
    expect(second).toMatchObject({
      items: [
        {
          id: lamp.id,
          consignorID: desk.avery.uid,
          consignorDisplayName: "Avery",
          barcode1: lamp.barcode1,
          barcode2: "L-2",
        },
      ],
      nextBefore: null,
    });
  });

  test("lists each item that has changed since, as it is now, and then nothing", async () => {
    const { through } = await changesSince(0);
    const item = await desk.newItem(desk.avery);
    const gone = await desk.newItem(null);
    for (const quantity of [3, 0]) {
      const body = { itemName: "Lamp", barcode1: item.barcode1, quantity };
      await desk.asAdmin("PUT", item.path, body);
    }
    await desk.asAdmin("DELETE", gone.path);
    const changed = await changesSince(through);
    expect(changed.items).toMatchObject([
      { id: gone.id, archived: true },
      { id: item.id, quantity: 0, archived: false },
    ]);
    expect(changed.hasMore).toBe(false);
    expect(await changesSince(changed.through)).toEqual({ ...changed, items: [] });
  });

  test("goes past one event that changes more items than a response has", async () => {
    const item = await desk.newItem(null);
    const { through } = await changesSince(0);
    const { ownerSql } = desk.shop.database;
    await ownerSql`
      insert into log.event_streams (stream_id, version, position)
      select log.item_stream(gen_random_uuid()::text), 1, ${through} from generate_series(1, 2001)`;
    const changed = await changesSince(through - 1);
    await ownerSql`
      delete from log.event_streams e
      where position = ${through} and not exists (select from log.streams s where s.id = e.stream_id)`;
    expect(changed).toMatchObject({ items: [{ id: item.id }], through, hasMore: false });
  });

  test("shows when the log ends before the position that the point of sale has", async () => {
    const { through } = await changesSince(0);
    expect(await changesSince(through + 1000)).toMatchObject({ items: [], through });
  });

  test("is for admins only", async () => {
    for (const path of ["/catalogue", "/catalogue/changes?since=0"]) {
      expect((await desk.callAs(desk.avery, "GET", path)).status).toBe(403);
      expect((await desk.callAs(undefined, "GET", path)).status).toBe(401);
    }
  });
});
