// Reading sales over HTTP: a consignor's own ones, an admin's view of all, in pages, searched, and as CSV.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SaleSort, SaleView } from "#features/sales/contract.ts";
import { saleListResponse } from "#features/sales/contract.ts";
import { exportSales } from "#features/sales/queries.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { Fields, SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;

beforeAll(async () => {
  books = await openSaleShop();
});

afterAll(() => books.close());

describe("reading sales", () => {
  it("a sale is only visible to its consignor and to admins", async () => {
    const [owner, other] = [await books.consignorWith(5), await books.consignorWith(5)];
    const path = `/api/sales/${saleIdOf(await books.record(saleOf(owner)))}`;
    expect((await books.shop.call("GET", path, { as: owner.person })).status).toBe(200);
    expect((await books.shop.call("GET", path, { as: other.person })).status).toBe(404);
    const history = `/api/sales/history/${owner.person.uid}`;
    expect((await books.shop.call("GET", history, { as: other.person })).status).toBe(403);
    expect((await books.shop.call("GET", "/api/sales", { as: owner.person })).status).toBe(403);
  });

  it("consignors read neither the buyer's tax and payment nor the store's part", async () => {
    const owner = await books.consignorWith(5);
    const till = { channel: "pos", salesTax: 3.3, taxRateBasisPoints: 825, tender: "card" };
    const receiptID = "5f0c7f1e-0000-4000-8000-00000000c0de";
    const saleId = saleIdOf(await books.record(saleOf(owner, { ...till, receiptID })));
    await books.refund(saleId, { quantity: 1, restock: true, reason: "x" });
    const history = `/api/sales/history/${owner.person.uid}`;
    const readAs = async (as: typeof books.admin) => {
      const body = async (path: string) => (await books.shop.call("GET", path, { as })).body;
      const { sales } = Object(await body(history)) as { sales: object[] };
      const { sale } = Object(await body(`/api/sales/${saleId}`)) as { sale: object };
      const [head] = String(await body(`${history}/export`)).split("\r\n");
      return {
        listed: Object.keys(sales[0] ?? {}),
        one: Object.keys(sale),
        head: head?.split(","),
      };
    };
    const [own, all] = [await readAs(owner.person), await readAs(books.admin)];
    const hidden = [
      "salesTax",
      "taxRate",
      "storeAmount",
      "receiptID",
      "tender",
      "taxExempt",
      "refundedTax",
    ];
    expect(all.one.filter((field) => !own.one.includes(field))).toEqual(hidden);
    expect(all.listed.filter((field) => !own.listed.includes(field))).toEqual(hidden);
    expect(all.head?.filter((column) => own.head?.includes(column) !== true)).toEqual([
      "Sales tax",
      "Store after refunds",
      "Refunded tax",
      "Tax rate",
      "Tender",
      "Receipt",
    ]);
    expect(own.listed).toContain("payoutAmount");
  });

  it("pages through a history by date of sale, without skipping or repeating one", async () => {
    const owner = await books.consignorWith(9);
    const days = [3, 1, 2, 2, 5];
    const sold: string[] = [];
    for (const day of days) {
      const soldAt = `2026-11-0${day}T10:00:00Z`;
      const answer = await books.record(saleOf(owner, { quantitySold: 1, soldAt }));
      sold.push(saleIdOf(answer));
    }
    const seen: unknown[] = [];
    let path: string | null = `/api/sales/history/${owner.person.uid}?limit=2`;
    while (path !== null) {
      const page = fieldsOf(await books.shop.call("GET", path, { as: owner.person }));
      seen.push(...(page["sales"] as Fields[]).map((sale) => sale["saleID"]));
      const { nextCursor } = page;
      path =
        typeof nextCursor === "string"
          ? `/api/sales/history/${owner.person.uid}?limit=2&cursor=${nextCursor}`
          : null;
    }
    // Newest first; of two on the same day, the one recorded later comes first.
    expect(seen).toEqual([4, 0, 3, 2, 1].map((index) => sold[index]));
  });

  it("sorts a whole history by any column, page by page, in both directions, equal ones by date", async () => {
    const owner = await books.consignorWith(30);
    // The highest tax was refunded: the column shows what is left of it.
    for (const [
      day,
      name,
      quantitySold,
      salePrice,
      shippingCost,
      consignorPercentage,
      salesTax,
    ] of [
      [1, "mug", 3, 30, 4, 50, 0],
      [4, "Lamp", 1, 50, 0, 60, 3],
      [2, "lamp", 3, 40, 5, 50, 1],
      [3, "Ähre", 2, 30, 5, 70, 1],
      [3, "chair", 2, 30, 1, 60, 2],
    ] as const) {
      const soldAt = `2026-11-0${day}T10:00:00Z`;
      const split = { shippingCost, consignorPercentage, salesTax };
      const terms = { quantitySold, salePrice, soldAt, ...split };
      const saleId = saleIdOf(await books.record(saleOf(owner, terms)));
      await books.correct(saleId, { itemName: name, reason: "x" });
      if (salesTax > 2) {
        await books.refund(saleId, { quantity: 1, restock: true, reason: "x" });
      }
    }
    const list = async (query: string) => {
      const path = `/api/sales/history/${owner.person.uid}?${query}`;
      const page = saleListResponse.parse(
        (await books.shop.call("GET", path, { as: books.admin })).body,
      );
      return page;
    };
    // Oldest first, so that a stable sort by a key leaves equal ones in the order of their dates.
    const oldestFirst = (await list("")).sales.toReversed();
    const keys = {
      date: (sale) => sale.timestamp,
      // É is with E.
      item: (sale) =>
        sale.itemName
          .normalize("NFD")
          .replaceAll(/\p{Mn}/gu, "")
          .toLowerCase(),
      quantity: (sale) => sale.soldQuantity,
      price: (sale) => sale.salePrice ?? 0,
      shipping: (sale) => sale.shippingCost,
      percentage: (sale) => sale.consignorPercentage ?? 0,
      payout: (sale) => sale.payoutAmount - sale.refundedPayout,
      store: (sale) => sale.storeAmount,
      tax: (sale) => sale.salesTax - sale.refundedTax,
      consignor: (sale) => String(sale.consignorDisplayName).toLowerCase(),
    } satisfies Record<SaleSort, (sale: SaleView) => string | number>;
    for (const [sort, keyOf] of Object.entries(keys)) {
      const ascending = oldestFirst
        .toSorted((one, other) =>
          keyOf(one) < keyOf(other) ? -1 : Number(keyOf(one) > keyOf(other)),
        )
        .map(({ saleID }) => saleID);
      for (const order of ["asc", "desc"]) {
        const seen: string[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          const more = cursor === "" ? "" : `&cursor=${cursor}`;
          const page = await list(`sort=${sort}&order=${order}&limit=2${more}`);
          seen.push(...page.sales.map(({ saleID }) => saleID));
          cursor = page.nextCursor;
        }
        expect([sort, seen]).toEqual([sort, order === "asc" ? ascending : ascending.toReversed()]);
      }
    }
  });

  it("finds sales by part of a name, by barcode and by status", async () => {
    const owner = await books.consignorWith(9, "100% wool_rug");
    const saleId = saleIdOf(await books.record(saleOf(owner)));
    await books.record(saleOf(owner, { channel: "pos" }));
    await books.shop.call("POST", `/api/sales/${saleId}/refund`, {
      as: books.admin,
      body: { quantity: 1, restock: true, reason: "x" },
    });
    const find = async (query: string) => {
      const path = `/api/sales?consignor=${owner.person.uid}&${query}`;
      const { sales, count } = fieldsOf(await books.shop.call("GET", path, { as: books.admin }));
      expect(count).toEqual({ value: (sales as Fields[]).length, capped: false });
      return (sales as Fields[]).length;
    };
    expect(await find("searchTerm=WOOL_")).toBe(2);
    expect(await find("searchTerm=100%25")).toBe(2);
    expect(await find("searchTerm=100%25%20wool_")).toBe(2);
    expect(await find("searchTerm=%20%20")).toBe(await find(""));
    expect(await find("searchTerm=wool%25rug")).toBe(0);
    expect(await find(`searchTerm=${owner.barcode1}`)).toBe(2);
    // A barcode must match exactly, as a scanner sends it.
    expect(await find(`searchTerm=${owner.barcode1.toLowerCase()}`)).toBe(0);
    expect(await find(`searchTerm=${owner.barcode1.slice(0, -1)}`)).toBe(0);
    expect(await find("status=partly_refunded")).toBe(1);
    expect(await find("status=sold&channel=pos")).toBe(1);
    expect(await find("kind=custom")).toBe(0);
    expect(await find("from=2026-11-21T10:00:00Z")).toBe(2);
    expect(await find("to=2026-11-21T10:00:00Z")).toBe(0);
  });

  it.each([
    "limit=0",
    "limit=1001",
    "limit=",
    "cursor=x",
    "cursor=253402300800000-1",
    "cursor=99999999999999999-1",
    "kind=x",
    "sort=color",
    "sort=date&order=up",
    "from=x",
    "what=1",
  ])("refuses the query %s", async (query) => {
    const owner = await books.consignorWith(0);
    const path = `/api/sales/history/${owner.person.uid}?${query}`;
    expect((await books.shop.call("GET", path, { as: books.admin })).status).toBe(400);
  });

  it("accepts a cursor at the end of time", async () => {
    const owner = await books.consignorWith(1);
    await books.record(saleOf(owner, { quantitySold: 1 }));
    const path = `/api/sales/history/${owner.person.uid}?cursor=253402300799999-999999999999999`;
    const answer = await books.shop.call("GET", path, { as: owner.person });
    expect(answer).toMatchObject({ status: 200, body: { sales: [{ soldQuantity: 1 }] } });
  });

  it("compares with no other consignor's sale, even if a cursor names one", async () => {
    const [avery, blake] = [await books.consignorWith(1), await books.consignorWith(1)];
    await books.record(saleOf(avery, { quantitySold: 1, salePrice: 10 }));
    await books.record(saleOf(blake, { quantitySold: 1, salePrice: 90 }));
    await books.shop.runner.catchUp();
    const [sale] = await books.shop.database.sql<{ sold_at: Date; position: number }[]>`
      select sold_at, position from read.sales where consignor_id = ${avery.person.uid}`;
    const cursor = `${sale?.sold_at.getTime() ?? 0}-${sale?.position ?? 0}`;
    const path = `/api/sales/history/${blake.person.uid}?sort=price&cursor=${cursor}`;
    const answer = await books.shop.call("GET", path, { as: blake.person });
    expect(answer).toMatchObject({ status: 200, body: { sales: [] } });
  });

  it("exports the filtered sales as CSV", async () => {
    const owner = await books.consignorWith(9, '=HYPERLINK("x")');
    await books.record(saleOf(owner));
    await books.record(saleOf(owner, { channel: "pos" }));
    const all = await books.shop.call("GET", `/api/sales/history/${owner.person.uid}/export`, {
      as: owner.person,
    });
    expect(all.headers.get("Content-Type")).toContain("text/csv");
    const lines = String(all.body).trimEnd().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(lines[1]).toContain(",2,40.00,5.00,50,17.50,");
    const filtered = await books.shop.call(
      "GET",
      `/api/sales/export?channel=pos&consignor=${owner.person.uid}`,
      { as: books.admin },
    );
    expect(String(filtered.body).trimEnd().split("\r\n")).toHaveLength(2);
    expect(books.shop.errorLines).toEqual([]);
  });

  it("exports what was refunded, including the tax", async () => {
    const owner = await books.consignorWith(2);
    const saleId = saleIdOf(await books.record(saleOf(owner, { salesTax: 3.3 })));
    await books.refund(saleId, { quantity: 1, restock: true, reason: "x" });
    const path = `/api/sales/history/${owner.person.uid}/export`;
    const file = String((await books.shop.call("GET", path, { as: books.admin })).body);
    const [head, line] = file.trimEnd().split("\r\n");
    expect(head).toMatch(
      /,Payout after refunds,Store after refunds,Channel,Status,Refunded quantity,Refunded price,Refunded tax,Refunded payout,Tax rate,Tender,Receipt,Tax exempt$/u,
    );
    expect(line).toMatch(/,1,20\.00,1\.65,8\.75,,,,$/u);
  });

  it("each exported line adds up: the rest of the price is the consignor's part plus the store's", async () => {
    const owner = await books.consignorWith(9);
    const refund = { restock: true, reason: "x" };
    await books.record(saleOf(owner));
    const partly = saleIdOf(await books.record(saleOf(owner, { salesTax: 3.3 })));
    await books.refund(partly, { quantity: 1, ...refund });
    const inPart = saleIdOf(await books.record(saleOf(owner, { consignorPercentage: 33 })));
    await books.refund(inPart, { quantity: 0, amount: 7.77, ...refund });
    const whole = saleIdOf(await books.record(saleOf(owner)));
    await books.refund(whole, { quantity: 2, ...refund });
    const path = `/api/sales/export?consignor=${owner.person.uid}`;
    const file = String((await books.shop.call("GET", path, { as: books.admin })).body);
    const [head, ...lines] = file.trimEnd().split("\r\n");
    const names = String(head).split(",");
    const sums = lines.map((line) => {
      const cells = line.split(",");
      const cents = (name: string) => Math.round(Number(cells[names.indexOf(name)]) * 100);
      const left = cents("Sale price") - cents("Refunded price") - cents("Shipping");
      const payout = cents("Payout after refunds");
      return { left, shared: payout + cents("Store after refunds"), payout };
    });
    expect(sums.map(({ shared }) => shared)).toEqual(sums.map(({ left }) => left));
    expect(sums.map(({ payout }) => payout)).toEqual([0, 931, 875, 1750]);
  });

  it("refuses to export too many lines instead of truncating the file", async () => {
    const owner = await books.consignorWith(2);
    const sale = saleOf(owner, { quantitySold: 1 });
    await books.record(sale);
    await books.record(sale);
    await books.shop.runner.catchUp();
    const { searches, profiles } = books.shop.deps;
    const query = { consignorId: owner.person.uid };
    const all = await exportSales(searches, profiles, query, 2).next();
    expect(all.value).toHaveLength(2);
    await expect(exportSales(searches, profiles, query, 1).next()).rejects.toMatchObject({
      status: 400,
      code: "too_many_lines",
    });
  });

  it.each(["1", "not-an-id", "00000000-0000-4000-8000-00000000000G", "record"])(
    "refuses the sale id %s",
    async (id) => {
      const answer = await books.shop.call("GET", `/api/sales/${id}`, { as: books.admin });
      expect(answer).toMatchObject({ status: 400, body: { error: "validation_failed" } });
    },
  );
});
