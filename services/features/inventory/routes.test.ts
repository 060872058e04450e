// Reading the inventory over HTTP: who may do and see what, and an item's history page by page.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { timelineResponse } from "#features/inventory/contract.ts";
import { type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

describe("who may do and see what", () => {
  test("only admins change the inventory", async () => {
    const { id, path } = await desk.newItem(desk.avery);
    const form = { itemName: "Lamp", barcode1: desk.newBarcode(), quantity: 1 };
    for (const [method, at, body] of [
      ["POST", "/master", form],
      ["POST", "/consignor", { ...form, consignorID: desk.avery.uid }],
      ["PUT", path, form],
      ["DELETE", path, undefined],
      ["POST", `${path}/restore`, undefined],
      ["POST", "/remove", { itemID: id, quantity: 1, reason: "lost" }],
      ["POST", "/prices", {}],
      ["POST", "/allocate", { masterItemID: id, consignorID: desk.avery.uid, quantity: 1 }],
      ["POST", "/copy-to-consignor", {}],
      ["POST", "/consignor/mass-input", {}],
    ] as const) {
      const answer = await desk.callAs(desk.avery, method, at, body);
      expect(answer).toMatchObject({ status: 403, body: { error: "forbidden" } });
      expect((await desk.callAs(undefined, method, at, body)).status).toBe(401);
    }
  });

  test("a consignor sees only their own items, whatever they request", async () => {
    const own = await desk.newItem(desk.avery, { itemName: "Seen by its owner" });
    const others = await desk.newItem(desk.blake, { itemName: "Seen by its owner" });
    const query = `searchTerm=seen%20by&consignor=${desk.blake.uid}`;
    expect((await desk.search(query, desk.avery)).items.map(({ id }) => id)).toEqual([own.id]);
    const count = await desk.callAs(desk.avery, "GET", `/search/count?${query}`);
    expect(count.body).toEqual({ count: 1, capped: false });
    for (const path of [`/items/${others.id}`, `/items/${others.id}/timeline`]) {
      const answer = await desk.callAs(desk.avery, "GET", path);
      expect(answer).toMatchObject({ status: 404, body: { error: "item_not_found" } });
    }
    const timeline = await desk.callAs(desk.avery, "GET", `/items/${own.id}/timeline`);
    expect(timeline.body).toMatchObject({
      lines: [
        { type: "ItemAdded", unitsAfter: 5, actor: null, actorDisplayName: null, data: null },
      ],
    });
  });
});

describe("the consignor filter of a search", () => {
  test("takes a uid, or a part of a name, username or email, and finds nothing of nobody", async () => {
    const cora = await desk.shop.person("Cora Quill");
    const quinn = await desk.shop.person("Quinn");
    await desk.shop.call("POST", "/api/auth/set-username", {
      as: quinn,
      body: { username: "quills-by-q" },
    });
    const corasItem = await desk.newItem(cora);
    const quinnsItem = await desk.newItem(quinn);
    await desk.newItem(desk.avery);
    const found = async (consignor: string, more = "") => {
      const query = `consignor=${encodeURIComponent(consignor)}${more}`;
      return (await desk.search(query)).items.map(({ id }) => id);
    };
    expect(await found(cora.uid)).toEqual([corasItem.id]);
    expect(await found("cora qUILL")).toEqual([corasItem.id]);
    expect(await found(quinn.email)).toEqual([quinnsItem.id]);
    expect(await found("quill")).toEqual([quinnsItem.id, corasItem.id]);
    expect(await found("quill", `&searchTerm=${corasItem.barcode1}`)).toEqual([corasItem.id]);
    expect(await found("quill", "&sort=source&order=asc")).toEqual([corasItem.id, quinnsItem.id]);
    expect(await found("nobody is called this")).toEqual([]);
    const counted = await desk.asAdmin("GET", "/search/count?consignor=quill");
    expect(counted.body).toEqual({ count: 2, capped: false });
  });
});

describe("an export", () => {
  test("has exactly the filtered items, and no cell that a spreadsheet would run", async () => {
    const { id, barcode1 } = await desk.newItem(desk.avery, {
      itemName: '=HYPERLINK("http://x")',
      location: "Export, aisle 1",
      tagPriceCents: 1250,
    });
    await desk.newItem(desk.blake, { location: "Export, aisle 1" });
    const query = `/search/export?location=export&consignor=${desk.avery.uid}`;
    const answer = await desk.asAdmin("GET", query);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = String(answer.body).trimEnd().split("\r\n");
    expect(lines).toEqual([
      expect.stringContaining("ID,Source,Consignor,Consignor ID,Item name"),
      `${id},Consignor,Avery,${desk.avery.uid},"'=HYPERLINK(""http://x"")",,${barcode1},,"Export, aisle 1",5,0,,,,12.5,2026-11-21T10:00:00.000Z`,
    ]);
    const own = await desk.callAs(desk.blake, "GET", "/search/export?location=export");
    expect(String(own.body)).not.toContain(id);
  });
});

describe("an item's history", () => {
  test("counts every change of units, newest first, page by page", async () => {
    const { id, barcode1, path } = await desk.newItem(null);
    for (const quantity of [6, 2, 9]) {
      await desk.asAdmin("PUT", path, { itemName: "Lamp", barcode1, quantity, reason: "Counted" });
    }
    await desk.asAdmin("POST", "/allocate", {
      masterItemID: id,
      consignorID: desk.avery.uid,
      quantity: 4,
    });
    const page = async (number: number) => {
      const answer = await desk.asAdmin("GET", `/items/${id}/timeline?limit=2&page=${number}`);
      return timelineResponse.parse(answer.body);
    };
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false, false]);
    expect(
      pages.flatMap(({ lines }) =>
        lines.map((one) => [one.line, one.type, one.unitsDelta, one.unitsAfter]),
      ),
    ).toEqual([
      [5, "UnitsAllocated", -4, 5],
      [4, "ItemCountAdjusted", 7, 9],
      [3, "ItemCountAdjusted", -4, 2],
      [2, "ItemCountAdjusted", 1, 6],
      [1, "ItemAdded", 5, 5],
    ]);
    expect(pages[0]?.lines[1]).toMatchObject({
      actor: desk.admin.uid,
      actorDisplayName: "Admin",
      data: { reason: "Counted", quantityBefore: 2, quantityAfter: 9 },
    });
  });

  test("an unknown id is not found, and an invalid id is refused", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await desk.asAdmin("GET", `/items/${unknown}`)).status).toBe(404);
    expect((await desk.asAdmin("GET", `/items/${unknown}/timeline`)).status).toBe(404);
    expect((await desk.asAdmin("GET", "/items/1")).status).toBe(400);
  });
});

test("a form may repeat the owner or leave it empty; another owner is refused and moves nothing", async () => {
  const ownersForm = (consignorID: unknown) => ({
    itemName: "Lamp",
    barcode1: desk.newBarcode(),
    quantity: 1,
    consignorID,
  });
  for (const nobody of ["", null]) {
    expect(await desk.asAdmin("POST", "/master", ownersForm(nobody))).toMatchObject({
      status: 200,
    });
  }
  const own = await desk.newItem(null);
  const averys = await desk.newItem(desk.avery);
  expect(await desk.asAdmin("PUT", `/master/${own.id}`, ownersForm(null))).toMatchObject({
    status: 200,
  });
  for (const same of ["", desk.avery.uid]) {
    expect(await desk.asAdmin("PUT", averys.path, ownersForm(same))).toMatchObject({
      status: 200,
    });
  }
  const before = [await desk.itemNow(own.id), await desk.itemNow(averys.id)];
  for (const [method, path, message] of [
    [
      "POST",
      "/master",
      "The store's own items have no consignor. Add it to the consignor's inventory instead",
    ],
    [
      "PUT",
      own.path,
      "An edit cannot move an item to another owner. Allocate or copy units of it instead",
    ],
    [
      "PUT",
      averys.path,
      "An edit cannot move an item to another owner. Allocate or copy units of it instead",
    ],
  ] as const) {
    const form = ownersForm(desk.blake.uid);
    expect(await desk.asAdmin(method, path, form)).toMatchObject({
      status: 400,
      body: { error: "owner_differs", message, details: [{ path: "consignorID", message }] },
    });
    expect((await desk.search(`searchTerm=${form.barcode1}`)).items).toEqual([]);
  }
  expect([await desk.itemNow(own.id), await desk.itemNow(averys.id)]).toEqual(before);
  expect(await desk.asAdmin("DELETE", `/master/${own.id}`)).toMatchObject({ status: 200 });
  const path = `/consignor/${desk.avery.uid}/${averys.id}`;
  expect(await desk.asAdmin("DELETE", path)).toMatchObject({
    body: { message: "Item deleted successfully" },
  });
});
