// Carts that an older till queued, before there were receipts: they are accepted as they are, and are on one receipt.
import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldsOf, openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { Fields, SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;

beforeAll(async () => {
  books = await openSaleShop();
});

afterAll(() => books.close());

const cart = "4f2e3d4c-0000-4000-8000-000000000001";

const send = (path: string, line: string, body: Fields) =>
  books.shop.call("POST", path, {
    as: books.admin,
    body,
    headers: { "Idempotency-Key": `posSale:${line}` },
  });

async function receiptsWith(number: string): Promise<unknown> {
  const answer = await books.shop.call("GET", `/api/receipts?number=${number}`, {
    as: books.admin,
  });
  return fieldsOf(answer)["receipts"];
}

test("a queued cart of an older till is booked once, under one receipt, however often it is sent", async () => {
  const owner = await books.consignorWith(5);
  const own = await books.itemOf(null, 3, "Mug");
  // Word for word what that till sent: neither rate, nor tender, nor receipt.
  const lamp = saleOf(owner, {
    salePrice: 9.24,
    salesTax: 0.76,
    shippingCost: 0,
    quantitySold: 1,
    channel: "pos",
  });
  const mug = {
    masterItemID: own.itemId,
    quantitySold: 1,
    salePrice: 4.62,
    salesTax: 0.38,
    channel: "pos",
  };
  const deliver = async () => [
    await send("/api/sales/record", `${cart}:1`, lamp),
    await send("/api/inventory/master/sale", `${cart}:2`, mug),
  ];
  const first = await deliver();
  expect(first.map(({ status }) => status)).toEqual([200, 200]);
  expect((await deliver()).map(saleIdOf)).toEqual(first.map(saleIdOf));
  expect(await receiptsWith("R-4F2E3D4C")).toMatchObject([
    {
      receiptID: cart,
      total: 15,
      tender: null,
      taxRate: null,
      lines: first.map((answer) => ({ saleID: saleIdOf(answer) })),
    },
  ]);
});

test("a line that names its receipt keeps it, and a key of something else names none", async () => {
  const owner = await books.consignorWith(5);
  const receiptID = cart.replace("4f2e", "5f2e");
  const sold = saleOf(owner, { quantitySold: 1, channel: "pos" });
  const named = await send("/api/sales/record", `${cart}:3`, { ...sold, receiptID });
  expect(await books.saleNow(saleIdOf(named))).toMatchObject({ receiptID });
  const other = await send("/api/sales/record", "left:1", sold);
  expect(await books.saleNow(saleIdOf(other))).toMatchObject({ receiptID: null });
});
