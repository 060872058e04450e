// Units that leave without a sale, tag prices of many items at once, and what lies unsold, over HTTP.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addItem } from "#features/inventory/decider.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";
import { type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

const priced = async (tagPriceCents: number) =>
  ({ itemID: (await desk.newItem(desk.avery, { tagPriceCents })).id, tagPriceCents }) as const;

describe("tag prices of many items", () => {
  test("change together under one key, and a repeated call changes nothing", async () => {
    const items = [await priced(2000), await priced(1000)];
    const body = { items, change: { kind: "percent-off", percent: 10 } };
    const headers = { "Idempotency-Key": "ten-off" };
    const first = await desk.asAdmin("POST", "/prices", body, headers);
    expect(first.body).toMatchObject({
      message: "2 tag prices changed",
      changed: 2,
      items: [{ tagPriceCents: 1800 }, { tagPriceCents: 900 }],
    });
    const again = await desk.asAdmin("POST", "/prices", body, headers);
    expect(again.body).toEqual(first.body);
    for (const [index, cents] of [1800, 900].entries()) {
      const item = await desk.itemNow(items[index]?.itemID ?? "");
      expect(item).toMatchObject({ tagPriceCents: cents, version: 2 });
    }
    expect(await desk.asAdmin("POST", "/prices", body)).toMatchObject({
      status: 409,
      body: { error: "price_changed", current: { id: items[0]?.itemID, tagPriceCents: 1800 } },
    });
  });

  test("of many concurrent markdowns from the same price, one succeeds", async () => {
    const item = await priced(5000);
    const body = { items: [item], change: { kind: "amount-off", cents: 100 } };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => desk.asAdmin("POST", "/prices", body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await desk.itemNow(item.itemID)).toMatchObject({ tagPriceCents: 4900 });
  });

  test("are whole cents above zero, of each item once", async () => {
    const item = await priced(100);
    for (const [body, message] of [
      [{ items: [item, item], change: { kind: "percent-off", percent: 5 } }, "Each item once"],
      [
        { items: [item], change: { kind: "percent-off", percent: 100 } },
        "Percent off must be at most 99",
      ],
      [
        { items: [item], change: { kind: "set", tagPriceCents: 0 } },
        "A tag price must be greater than 0",
      ],
      [
        { items: [{ ...item, tagPriceCents: 99.5 }], change: { kind: "percent-off", percent: 5 } },
        "A tag price has at most two decimals",
      ],
      [
        { items: [{ itemID: item.itemID }], change: { kind: "percent-off", percent: 5 } },
        "items.0.tagPriceCents is required",
      ],
    ] as const) {
      expect(await desk.asAdmin("POST", "/prices", body)).toMatchObject({
        status: 400,
        body: { message },
      });
    }
  });
});

describe("units that leave without a sale", () => {
  test("leave once under one key, and the answer says what is left", async () => {
    const { id } = await desk.newItem(desk.avery);
    const body = { itemID: id, quantity: 2, reason: "returned_to_consignor" };
    const headers = { "Idempotency-Key": "two-back" };
    const first = await desk.asAdmin("POST", "/remove", body, headers);
    expect(first.body).toEqual({ message: "Removed 2 units", id, version: 2, quantity: 3 });
    expect((await desk.asAdmin("POST", "/remove", body, headers)).body).toEqual(first.body);
    expect(await desk.itemNow(id)).toMatchObject({ quantity: 3, archived: false });
  });

  test("need a reason from the list", async () => {
    const { id, path } = await desk.newItem(null);
    expect(
      await desk.asAdmin("POST", "/remove", { itemID: id, quantity: 1, reason: "gone" }),
    ).toMatchObject({ status: 400, body: { message: "Please select a reason" } });
    expect((await desk.asAdmin("DELETE", `${path}?reason=gone`)).status).toBe(400);
  });

  test("of many concurrent calls, only as many succeed as there are units", async () => {
    const { id } = await desk.newItem(null, { quantity: 3 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        desk.asAdmin("POST", "/remove", { itemID: id, quantity: 1, reason: "lost" }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await desk.itemNow(id)).toMatchObject({ quantity: 0 });
  });
});

describe("what lies unsold", () => {
  test("is in stock, and had neither an intake nor a sale for that many days; the oldest comes first", async () => {
    const now = desk.shop.deps.clock().getTime();
    const added = async (barcode: string, days: number, quantity = 2) => {
      const itemId = randomUUID();
      const happenedAt = new Date(now - days * 86_400_000).toISOString();
      const details = detailsOf(barcode, { location: "Unsold" });
      const item = {
        itemId,
        ownerUid: desk.avery.uid,
        details,
        quantity,
        source: "manual",
      } as const;
      const key = { scope: "store", key: randomUUID(), requestHash: "00" };
      await desk.shop.deps.ledger.execute(
        addItem,
        { ...item, happenedAt },
        { actor: "system:test", ...key },
      );
      return itemId;
    };
    const sold = await added("sold", 100);
    const counted = await added("counted", 70);
    const oldest = await added("oldest", 95);
    await added("none left", 95, 0);
    await added("new", 20);
    await desk.asAdmin("POST", "/remove", { itemID: counted, quantity: 1, reason: "lost" });
    const sale = { consignorID: desk.avery.uid, itemUID: sold, quantitySold: 1, salePrice: 10 };
    const answer = await desk.shop.call("POST", "/api/sales/record", {
      as: desk.admin,
      body: { ...sale, shippingCost: 0, consignorPercentage: 50 },
    });
    expect(answer.status).toBe(200);
    // A busy machine answers from a moment before.
    await desk.shop.runner.catchUp();
    const listed = async (query: string) =>
      (await desk.search(`location=unsold&${query}`)).items.map(({ id }) => id);
    expect(await listed("unsoldDays=60")).toEqual([oldest, counted]);
    expect(await listed("unsoldDays=90")).toEqual([oldest]);
    const count = await desk.asAdmin("GET", "/search/count?location=unsold&unsoldDays=60");
    expect(count.body).toEqual({ count: 2, capped: false });
    expect((await desk.itemNow(sold)).unsoldSince > (await desk.itemNow(sold)).addedAt).toBe(true);
  });
});
