// Receipts over HTTP: the lines of one cart are one receipt, which any device finds again, with its tender and refunds.
import * as z from "zod/mini";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLive } from "#ledger/projection/generation.ts";
import { createLetterBox } from "#testing/service/letter-box.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { Fields, ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";

const box = createLetterBox();
let books: SaleShop;

beforeAll(async () => {
  books = await openSaleShop({ mailer: box.mailer });
});

afterAll(() => books.close());

const receiptID = "1f2e3d4c-0000-4000-8000-000000000001";
const rate = { taxRateBasisPoints: 825, channel: "pos" };

/** One lamp for $10.83 with tax. */
function lampOf(owner: ItemOwner, given: Fields): Fields {
  return saleOf(owner, {
    salePrice: 10,
    salesTax: 0.83,
    shippingCost: 0,
    quantitySold: 1,
    ...rate,
    ...given,
  });
}

async function receiptsWith(number: string): Promise<unknown> {
  const answer = await books.shop.call("GET", `/api/receipts?number=${number}`, {
    as: books.admin,
  });
  expect(answer.status).toBe(200);
  return fieldsOf(answer)["receipts"];
}

async function storyOf(sale: string, as: SaleShop["admin"]): Promise<readonly Fields[]> {
  const answer = await books.shop.call("GET", `/api/sales/${sale}/story`, { as });
  expect(answer.status).toBe(200);
  return z.array(z.record(z.string(), z.unknown())).parse(fieldsOf(answer)["entries"]);
}

async function eventOf(entry: Fields | undefined, as: SaleShop["admin"]): Promise<unknown> {
  const path = `/api/audit/events/${String(entry?.["position"])}`;
  return fieldsOf(await books.shop.call("GET", path, { as }))["event"];
}

test("the lines of a cart are one receipt, found by its number or by one of its sales", async () => {
  const owner = await books.consignorWith(5);
  const own = await books.itemOf(null, 3, "Mug");
  const paid = { receiptID, tender: "cash" };
  const lamp = saleIdOf(await books.record(lampOf(owner, paid)));
  const mugs = await books.shop.call("POST", "/api/inventory/master/sale", {
    as: books.admin,
    body: {
      masterItemID: own.itemId,
      quantitySold: 2,
      salePrice: 20,
      salesTax: 1.65,
      ...rate,
      ...paid,
    },
  });
  const receipt = {
    receiptID,
    number: "R-1F2E3D4C",
    lines: [
      { saleID: lamp, itemName: "Desk lamp", quantity: 1, unitPrice: 10.83, amount: 10.83 },
      { saleID: saleIdOf(mugs), itemName: "Mug", quantity: 2, unitPrice: null, amount: 21.65 },
    ],
    subtotal: 30,
    tax: 2.48,
    taxRate: 825,
    total: 32.48,
    tender: "cash",
    taxExempt: null,
    refunds: [],
    store: { storeName: null, addressLines: [], returnPolicy: null },
  };
  expect(await receiptsWith("r-1f2e3d4c")).toMatchObject([receipt]);
  expect(await receiptsWith("R-1F2E3D4D")).toEqual([]);
  const ofSale = await books.shop.call("GET", `/api/sales/${lamp}/receipt`, { as: books.admin });
  expect(ofSale.body).toMatchObject({ receipt });
  expect(await books.saleNow(lamp)).toMatchObject({ receiptID, tender: "cash", taxExempt: false });
});

test("a refund says by which tender the money went back, and stands on the receipt", async () => {
  const owner = await books.consignorWith(5);
  const id = receiptID.replace("1f2e3d4c", "2f2e3d4c");
  const sale = saleIdOf(await books.record(lampOf(owner, { receiptID: id, tender: "card" })));
  const refund = { quantity: 1, restock: true, reason: "Broken", tender: "cash" };
  expect((await books.refund(sale, refund)).status).toBe(200);
  expect(await receiptsWith("R-2F2E3D4C")).toMatchObject([
    {
      total: 10.83,
      tender: "card",
      lines: [{ refundedQuantity: 1 }],
      refunds: [{ amount: 10.83, tender: "cash" }],
    },
  ]);
  const [refunded] = await storyOf(sale, books.admin);
  expect(refunded?.["title"]).toBe("Refunded 1 unit, back in stock, money back in cash");
  const [asRead] = await storyOf(sale, owner.person);
  expect(asRead?.["title"]).toBe("Refunded 1 unit, back in stock");
  expect(await eventOf(refunded, books.admin)).toMatchObject({ notes: ["Money back in cash"] });
  expect(await eventOf(refunded, owner.person)).toMatchObject({ notes: [] });
});

test("a sale without tax keeps the certificate's number outside the log", async () => {
  const owner = await books.consignorWith(5);
  const id = receiptID.replace("1f2e3d4c", "3f2e3d4c");
  const given = { receiptID: id, tender: "other", salesTax: 0 };
  const answer = await books.record(
    lampOf(owner, { ...given, taxExempt: { certificate: "TX-1234" } }),
  );
  expect(await receiptsWith("R-3F2E3D4C")).toMatchObject([
    { tax: 0, total: 10, taxRate: 825, taxExempt: { certificate: "TX-1234" } },
  ]);
  const [logged] = await books.shop.deps.sql<{ data: string }[]>`
    select data::text as data from log.events where data ->> 'saleId' = ${saleIdOf(answer)}`;
  expect(logged?.data).toContain("taxExemption");
  expect(logged?.data).not.toContain("TX-1234");
  expect(await books.looseNotes()).toEqual([]);
  const [told] = await storyOf(saleIdOf(answer), books.admin);
  const exempt = ["Tax exempt: the customer has a certificate"];
  expect(told).toMatchObject({ title: "Sold 1 unit", notes: exempt });
  expect(await eventOf(told, books.admin)).toMatchObject({ notes: exempt });
  const file = await books.shop.call("GET", "/api/sales/export", { as: books.admin });
  const lines = String(file.body).trimEnd().split("\r\n");
  expect(lines.filter((line) => line.endsWith(",yes"))).toMatchObject([
    expect.stringContaining(saleIdOf(answer)),
  ]);
  const without = await books.record(lampOf(owner, { ...given, taxExempt: { certificate: "" } }));
  expect(await books.saleNow(saleIdOf(without))).toMatchObject({ taxExempt: true });
  const taxed = lampOf(owner, { taxExempt: { certificate: "TX-1234" } });
  expect(await books.record(taxed)).toMatchObject({
    status: 400,
    body: { error: "validation_failed" },
  });
});

test("a certificate's number is erased from a receipt, or wherever the store has it, and the sales stay exempt", async () => {
  const owner = await books.consignorWith(9);
  const exempt = async (digit: number, certificate: string) =>
    saleIdOf(
      await books.record(
        lampOf(owner, {
          receiptID: receiptID.replace("1f2e3d4c", `${String(digit)}f2e3d4c`),
          tender: "cash",
          salesTax: 0,
          taxExempt: { certificate },
        }),
      ),
    );
  const [first, second] = [await exempt(5, "TX-77"), await exempt(5, "TX-77")];
  const other = await exempt(6, " tx-77 ");
  const unrelated = await exempt(7, "TX-78");
  const erase = (sale: string, body: Fields = {}, headers: Record<string, string> = {}) =>
    books.shop.call("POST", `/api/sales/${sale}/erase-certificate`, {
      as: books.admin,
      body,
      headers,
    });
  const numberOf = async (sale: string) => {
    const { body } = await books.shop.call("GET", `/api/sales/${sale}/receipt`, {
      as: books.admin,
    });
    return Object(body).receipt.taxExempt.certificate;
  };
  const key = { "Idempotency-Key": "erase-1" };
  const erased = { status: 200, body: { numbers: 2, isComplete: true } };
  expect(await erase(first, {}, key)).toMatchObject(erased);
  expect(await erase(first, {}, key)).toMatchObject(erased);
  expect([await numberOf(first), await numberOf(second)]).toEqual([null, null]);
  expect(await numberOf(other)).toBe("tx-77");
  expect(await erase(first)).toMatchObject({ status: 409, body: { error: "no_certificate" } });
  expect(await books.saleNow(first)).toMatchObject({ taxExempt: true, salesTax: 0, version: 1 });

  const again = await exempt(8, "TX-77");
  expect(await erase(again, { everywhere: true })).toMatchObject({ body: { numbers: 2 } });
  expect([await numberOf(other), await numberOf(again)]).toEqual([null, null]);
  expect(await numberOf(unrelated)).toBe("TX-78");

  const { sql } = books.shop.deps;
  const [left] = await sql<{ numbers: number; erasures: number }[]>`
    select (select count(*)::int from identity.notes where text ilike '%tx-77%') as numbers,
      (select count(*)::int from identity.erasures where uid like 'note:%' and purged_at is null) as erasures`;
  expect(left).toEqual({ numbers: 0, erasures: 4 });
});

test("two erasures of one certificate at once leave nothing of it", async () => {
  const owner = await books.consignorWith(5);
  const given = { tender: "cash", salesTax: 0, taxExempt: { certificate: "TX-79" } };
  const sale = saleIdOf(await books.record(lampOf(owner, given)));
  const erase = () =>
    books.shop.call("POST", `/api/sales/${sale}/erase-certificate`, { as: books.admin, body: {} });
  const answers = await Promise.all([erase(), erase()]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
  const { body } = await books.shop.call("GET", `/api/sales/${sale}/receipt`, { as: books.admin });
  expect(Object(body).receipt.taxExempt).toEqual({ certificate: null });
});

test("a receipt goes to the customer by email, to one address, and nothing of it is kept", async () => {
  const path = `/api/receipts/${receiptID}/email`;
  const send = (body: Fields) => books.shop.call("POST", path, { as: books.admin, body });
  expect(await send({ email: " kim@example.test " })).toMatchObject({
    status: 200,
    body: { message: "Receipt sent" },
  });
  expect(box.letters.at(-1)).toMatchObject({
    to: "kim@example.test",
    subject: "Your receipt R-1F2E3D4C from Consignment Ledger",
    paragraphs: expect.arrayContaining([
      "2 × Mug: $21.65",
      "Subtotal: $30.00. Sales tax 8.25%: $2.48",
      "Total: $32.48, paid in cash",
    ]),
  });
  expect((await send({ email: "kim" })).status).toBe(400);
  const other = await books.shop.call("POST", path.replace("1f2e", "0f2e"), {
    as: books.admin,
    body: { email: "kim@example.test" },
  });
  expect(other).toMatchObject({ status: 404, body: { error: "receipt_not_found" } });
});

test("a receipt is sent once per key, five times an hour, and the log says who sent it", async () => {
  const owner = await books.consignorWith(5);
  const id = receiptID.replace("1f2e3d4c", "4f2e3d4c");
  await books.record(lampOf(owner, { receiptID: id, tender: "cash" }));
  const send = (email: string, key?: string, signal?: AbortSignal) =>
    books.shop.call("POST", `/api/receipts/${id}/email`, {
      as: books.admin,
      body: { email },
      ...(signal === undefined ? {} : { signal }),
      headers: key === undefined ? {} : { "Idempotency-Key": key },
    });
  const before = box.letters.length;
  // If a letter could not be sent, the same request sends it later.
  box.setDown(true);
  expect(await send("lee@example.test", "letter-1")).toMatchObject({
    status: 503,
    body: { error: "mail_unavailable" },
  });
  box.setDown(false);
  // The letter is sent even if the caller disconnects before the end.
  const gone = AbortSignal.abort();
  expect((await send("lee@example.test", "letter-1", gone)).status).toBe(200);
  expect(await send("lee@example.test", "letter-1")).toMatchObject({
    status: 200,
    body: { message: "Receipt sent" },
  });
  expect(await send("pat@example.test", "letter-1")).toMatchObject({
    status: 422,
    body: { error: "idempotency_key_reused" },
  });
  expect(box.letters.length - before).toBe(1);
  const statuses = [];
  for (let nth = 0; nth < 4; nth += 1) {
    statuses.push((await send(`person-${nth}@example.test`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const limited = await send("lee@example.test", "letter-2");
  expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(box.letters.length - before).toBe(4);
  const noted = await books.shop.deps.sql<{ count: number; row: string }[]>`
    select count, to_jsonb(l)::text as row from security.log l
    where kind = 'receipt-sent' and uid = ${books.admin.uid}`;
  expect(noted.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5);
  expect(noted.map(({ row }) => row).join("")).not.toContain("example.test");
});

test("a customer gets at most five letters an hour, whichever receipts they are of", async () => {
  const owner = await books.consignorWith(9);
  const statuses = [];
  for (let nth = 0; nth < 6; nth += 1) {
    const id = receiptID.replace("1f2e3d4c", `5f2e3d4${nth}`);
    await books.record(lampOf(owner, { receiptID: id, tender: "cash" }));
    const email = nth % 2 === 0 ? "Sam@example.test" : "sam@example.test";
    const path = `/api/receipts/${id}/email`;
    const answer = await books.shop.call("POST", path, { as: books.admin, body: { email } });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test("a sale from before receipts prints alone, and nobody but admins reads receipts", async () => {
  const owner = await books.consignorWith(5);
  const sale = saleIdOf(await books.record(saleOf(owner)));
  const path = `/api/sales/${sale}/receipt`;
  expect((await books.shop.call("GET", path, { as: books.admin })).body).toMatchObject({
    receipt: { receiptID: null, number: null, tender: null, taxRate: null, total: 40 },
  });
  expect(await books.shop.call("GET", path, { as: owner.person })).toMatchObject({ status: 403 });
});

test("a receipt of more than a thousand sales is refused instead of shown in part, and its numbers can be erased", async () => {
  const owner = await books.consignorWith(5);
  const id = receiptID.replace("1f2e3d4c", "9f2e3d4c");
  const taxExempt = { certificate: "TX-91" };
  const sale = saleIdOf(
    await books.record(lampOf(owner, { receiptID: id, tender: "cash", salesTax: 0, taxExempt })),
  );
  await books.saleNow(sale);
  const { ownerSql } = books.shop.database;
  const table = `sales_g${(await readLive(ownerSql, "sales"))?.generation}`;
  const [columns] = await ownerSql<{ names: string; values: string }[]>`
    select string_agg(column_name, ', ') as names,
      string_agg(case column_name when 'sale_id' then 'gen_random_uuid()' else column_name end, ', ') as values
    from information_schema.columns
    where table_schema = 'read' and table_name = ${table} and is_generated = 'NEVER'`;
  await ownerSql.unsafe(`
    insert into read.${table} (${columns?.names})
    select ${columns?.values} from read.${table} cross join generate_series(1, 1000)
    where sale_id = '${sale}'`);
  const call = (method: "GET" | "PUT" | "POST", path: string, body?: Fields) =>
    books.shop.call(method, `/api${path}`, { as: books.admin, ...(body && { body }) });
  const refused = { status: 409, body: { error: "receipt_too_long" } };
  expect(await call("GET", `/sales/${sale}/receipt`)).toMatchObject(refused);
  expect(await call("GET", "/receipts?number=R-9F2E3D4C")).toMatchObject(refused);
  expect(await call("PUT", `/sales/${sale}/tender`, { tender: "card" })).toMatchObject(refused);
  const namesake = `${id.slice(0, -1)}2`;
  await books.saleNow(
    saleIdOf(await books.record(lampOf(owner, { receiptID: namesake, tender: "cash" }))),
  );
  expect(await receiptsWith("R-9F2E3D4C")).toMatchObject([{ receiptID: namesake }]);
  expect(await call("POST", `/sales/${sale}/erase-certificate`, {})).toMatchObject({
    body: { numbers: 1 },
  });
});
