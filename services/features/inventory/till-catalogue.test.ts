// What a till keeps at hand: all that is in stock page by page, and afterwards only what has changed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalogueChangesResponse, catalogueResponse } from "#features/inventory/contract.ts";
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

describe("a till's catalogue", () => {
  test("holds what is in stock with its owner, page by page, and nothing that is sold out", async () => {
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

  test("names each item that changed since, as it is now, and then nothing", async () => {
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

  test("says so when the log has not come as far as the till believes", async () => {
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
