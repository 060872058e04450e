// The totals above a list of sales: equal to the list, to its CSV and to their explanation, to the cent, whatever is filtered and sorted.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SaleView } from "#features/sales/contract.ts";
import { saleListResponse, saleSort } from "#features/sales/contract.ts";
import type { SoldNumber } from "#features/sales/contract-totals.ts";
import { soldExplainResponse, saleTotalsResponse } from "#features/sales/contract-totals.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { defaultExpensiveRules } from "#http/expensive-reads.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";
import { sized } from "#testing/trial/size.ts";

let books: SaleShop;
let owners: readonly ItemOwner[];

/** Around the turns of days and months, in UTC and elsewhere. */
const times = [
  "2026-08-31T23:59:59Z",
  "2026-09-01T00:00:00Z",
  "2026-09-15T12:00:00Z",
  "2026-10-31T22:30:00Z",
  "2026-11-01T04:00:00Z",
  "2026-11-10T00:00:00Z",
  "2026-11-20T17:45:00Z",
] as const;

beforeAll(async () => {
  // The trial asks for more files in a minute than one person may.
  const admins = { atOnce: 6, perMinute: 1_000_000 };
  const file = { ...defaultExpensiveRules.file, admins };
  const search = { ...defaultExpensiveRules.search, admins };
  books = await openSaleShop({ expensiveRules: { ...defaultExpensiveRules, file, search } });
  owners = [
    await books.consignorWith(900, "Oak chair"),
    await books.consignorWith(900, "Oak table"),
  ];
  const own = await books.itemOf(null, 900, "Store's oak mirror");
  const { admin, shop } = books;
  for (const [index, soldAt] of times.entries()) {
    for (const owner of owners) {
      const salePrice = 10.01 * (index + 1);
      const cart = {
        soldAt,
        salePrice: Number(salePrice.toFixed(2)),
        quantitySold: (index % 3) + 1,
      };
      const paid = index % 4 === 0 ? { tender: "cash" } : {};
      const till = { ...paid, channel: "pos", salesTax: 0.37 * (index + 1), shippingCost: 0 };
      const sale = index % 2 === 0 ? till : { consignorPercentage: 33 };
      const body = {
        ...cart,
        ...sale,
        ...(index % 2 === 0 ? { salesTax: Number(till.salesTax.toFixed(2)) } : {}),
      };
      const saleId = saleIdOf(await books.record(saleOf(owner, body)));
      if (index % 3 === 0) {
        await books.correct(saleId, { salePrice: 99.99, reason: "Wrong price" });
      }
      if (index % 3 === 1) {
        await books.refund(saleId, { quantity: 1, restock: true, reason: "Broken" });
      }
      if (index % 4 === 2) {
        await books.refund(saleId, { quantity: 0, amount: 1.11, restock: false, reason: "Late" });
      }
    }
    const master = { masterItemID: own.itemId, quantitySold: 1, soldAt };
    const priced = index % 2 === 0 ? {} : { salePrice: 5.55, salesTax: 0.46, channel: "pos" };
    await shop.call("POST", "/api/inventory/master/sale", {
      as: admin,
      body: { ...master, ...priced },
    });
    const custom = {
      consignorID: owners[0]?.person.uid,
      itemName: "Oak frame",
      amount: 7.77,
      soldAt,
    };
    await shop.call("POST", "/api/sales/custom", { as: admin, body: custom });
  }
});

afterAll(() => books.close());

async function read(path: string): Promise<unknown> {
  const answer = await books.shop.call("GET", path, { as: books.admin });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

async function wholeList(query: string): Promise<SaleView[]> {
  const sales: SaleView[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const more = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = saleListResponse.parse(await read(`/api/sales?limit=7&${query}${more}`));
    sales.push(...page.sales);
    cursor = page.nextCursor;
  }
  return sales;
}

function sumOf(sales: readonly SaleView[], amount: (sale: SaleView) => number): number {
  return toDollars(sales.reduce((sum, sale) => sum + toCents(amount(sale)), 0));
}

function totalsOf(sales: readonly SaleView[]) {
  const count = (of: (sale: SaleView) => number) => sales.reduce((sum, sale) => sum + of(sale), 0);
  return {
    sales: sales.length,
    unpricedSales: count((sale) => (sale.salePrice === null ? 1 : 0)),
    units: count((sale) => sale.soldQuantity),
    refundedUnits: count((sale) => sale.refundedQuantity),
    salePrice: sumOf(sales, (sale) => sale.salePrice ?? 0),
    refundedAmount: sumOf(sales, (sale) => sale.refundedAmount),
    shippingCost: sumOf(sales, (sale) => sale.shippingCost),
    salesTax: toDollars(
      sales.reduce((sum, sale) => sum + toCents(sale.salesTax) - toCents(sale.refundedTax), 0),
    ),
    payoutAmount: toDollars(
      sales.reduce(
        (sum, sale) => sum + toCents(sale.payoutAmount) - toCents(sale.refundedPayout),
        0,
      ),
    ),
    storeAmount: sumOf(sales, (sale) => sale.storeAmount),
  };
}

/** The column of a CSV file as a sum of cents. */
function sumOfColumn(lines: readonly string[], name: string): number {
  const [head = "", ...rows] = lines;
  const index = head.replace("\uFEFF", "").split(",").indexOf(name);
  if (index < 0) {
    throw new Error(`The file has no column ${name}`);
  }
  return rows.reduce((sum, line) => sum + Math.round(Number(line.split(",")[index] ?? 0) * 100), 0);
}

/** What the list that a span of an explanation opens sums to. */
async function listedIn(
  { from, to }: { readonly from: string; readonly to: string },
  given: readonly (readonly string[])[],
) {
  const params = new URLSearchParams({ ...Object.fromEntries(given), from, to });
  const listed = totalsOf(await wholeList(params.toString()));
  return { sales: listed.sales, amount: listed.storeAmount };
}

const optional = <Value>(values: readonly Value[]) => fc.constantFrom(undefined, ...values);
const filters = fc.record({
  searchTerm: optional(["oak", "chair", "zzz"]),
  kind: optional(["consignor", "master", "custom"]),
  channel: optional(["online", "pos"]),
  status: optional(["sold", "partly_refunded", "refunded", "unpriced"]),
  paidBy: optional(["cash", "unsaid"]),
  from: optional([...times, "2026-09-01T05:00:00Z", "2026-10-02T00:00:00-05:00"]),
  to: optional([...times, "2026-10-31T23:00:00Z", "2099-12-31T23:59:59-12:00"]),
  whose: optional([0, 1]),
  sort: optional(saleSort.options),
  order: fc.constantFrom("asc", "desc"),
});

describe("the totals of the filtered sales", () => {
  it("equal the list, the CSV and their explanation, whatever is filtered and sorted", async () => {
    await fc.assert(
      fc.asyncProperty(filters, async ({ sort, order, whose, ...rest }) => {
        const consignor = whose === undefined ? undefined : owners[whose]?.person.uid;
        const given = Object.entries({ ...rest, consignor }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        );
        const query = new URLSearchParams(given).toString();
        const sorting = `${sort === undefined ? "" : `&sort=${sort}`}&order=${order}`;
        const sales = await wholeList(query + sorting);
        expect(new Set(sales.map(({ saleID }) => saleID)).size).toBe(sales.length);
        const { totals } = saleTotalsResponse.parse(await read(`/api/sales/totals?${query}`));
        expect(totals).toEqual(totalsOf(sales));

        const file = String(await read(`/api/sales/export?${query}${sorting}`));
        const lines = file.trimEnd().split("\r\n");
        expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(
          sales.map(({ saleID }) => saleID),
        );
        expect(sumOfColumn(lines, "Store after refunds")).toBe(toCents(totals.storeAmount));
        expect(sumOfColumn(lines, "Payout after refunds")).toBe(toCents(totals.payoutAmount));

        const numbers: Readonly<Record<SoldNumber, number>> = {
          sales: totals.sales,
          units: totals.units,
          price: toDollars(toCents(totals.salePrice) - toCents(totals.refundedAmount)),
          tax: totals.salesTax,
          shipping: totals.shippingCost,
          payout: totals.payoutAmount,
          store: totals.storeAmount,
        };
        for (const [number, total] of Object.entries(numbers)) {
          const why = soldExplainResponse.parse(
            await read(`/api/sales/totals/explain?${query}&number=${number}&timeZone=Asia/Kolkata`),
          );
          expect(why).toMatchObject({ total, summed: total, isBalanced: true });
          const parts = why.parts.reduce((sum, part) => sum + toCents(part.amount), 0);
          expect(parts).toBe(why.parts.length === 0 ? 0 : toCents(total));
          expect(why.spans.reduce((sum, span) => sum + span.sales, 0)).toBe(totals.sales);
          // All numbers have the same spans.
          for (const span of number === "store" ? why.spans : []) {
            expect(span).toMatchObject(await listedIn(span, given));
          }
        }
      }),
      { numRuns: sized(12, 400) },
    );
  });

  it("are of the consignor's own sales for a consignor, without the store's part and the buyers' tax", async () => {
    const [owner, other] = [owners[0]?.person ?? books.admin, owners[1]?.person ?? books.admin];
    const path = `/api/sales/history/${owner.uid}/totals`;
    const own = await books.shop.call("GET", `${path}?status=sold`, { as: owner });
    const sales = await wholeList(`consignor=${owner.uid}&status=sold`);
    const {
      salesTax: _tax,
      storeAmount: _store,
      unpricedSales: _unpriced,
      ...expected
    } = totalsOf(sales);
    expect(own).toMatchObject({ status: 200, body: { totals: expected } });
    expect(Object.keys(Object(fieldsOf(own)["totals"])).toSorted()).toEqual(
      Object.keys(expected).toSorted(),
    );
    for (const [number, total] of [
      ["payout", expected.payoutAmount],
      ["sales", expected.sales],
    ] as const) {
      const why = await books.shop.call("GET", `${path}/explain?status=sold&number=${number}`, {
        as: owner,
      });
      expect(why.body).toMatchObject({ total, summed: total, isBalanced: true });
    }
    for (const part of ["store", "tax"]) {
      const refused = await books.shop.call("GET", `${path}/explain?number=${part}`, { as: owner });
      expect(refused.status).toBe(400);
    }
    expect((await books.shop.call("GET", path, { as: other })).status).toBe(403);
    for (const admins of ["/api/sales/totals", "/api/sales/totals/explain?number=price"]) {
      expect((await books.shop.call("GET", admins, { as: owner })).status).toBe(403);
    }
  });

  it("are explained by months where there are many days, and not in a time zone that nobody knows", async () => {
    for (let day = 1; day <= 70; day += 1) {
      const soldAt = new Date(Date.UTC(2025, 0, day, 12)).toISOString();
      const body = { consignorID: owners[1]?.person.uid, itemName: "Rug", amount: 1.5, soldAt };
      await books.shop.call("POST", "/api/sales/custom", { as: books.admin, body });
    }
    const path = "/api/sales/totals/explain?number=price&searchTerm=rug";
    expect(soldExplainResponse.parse(await read(`${path}&timeZone=UTC`))).toMatchObject({
      by: "month",
      total: 105,
      sales: 70,
      spans: [
        { name: "2025-03", sales: 11, amount: 16.5 },
        { name: "2025-02", sales: 28, amount: 42 },
        { name: "2025-01", sales: 31, amount: 46.5 },
      ],
    });
    // From the second of January at noon, in a zone where that sale is of the third.
    const part = "from=2025-01-02T12:00:00.000Z&to=2025-03-10T23:00:00.000Z&searchTerm=rug";
    const zone = "timeZone=Pacific/Auckland";
    const clipped = soldExplainResponse.parse(
      await read(`/api/sales/totals/explain?number=price&${part}&${zone}`),
    );
    expect(clipped).toMatchObject({
      by: "month",
      spans: [
        { from: "2025-02-28T11:00:00.000Z", to: "2025-03-10T23:00:00.000Z", sales: 11 },
        { from: "2025-01-31T11:00:00.000Z", to: "2025-02-28T11:00:00.000Z", sales: 28 },
        { from: "2025-01-02T12:00:00.000Z", to: "2025-01-31T11:00:00.000Z", sales: 29 },
      ],
    });
    for (const { from, to, sales, amount } of clipped.spans) {
      const listed = totalsOf(
        await wholeList(new URLSearchParams({ searchTerm: "rug", from, to }).toString()),
      );
      expect({ from, sales: listed.sales, amount: listed.salePrice }).toEqual({
        from,
        sales,
        amount,
      });
    }
    // PostgreSQL would read an offset with the other sign.
    for (const zone of ["Mars/Olympus", "%2B0530"]) {
      const answer = await books.shop.call("GET", `${path}&timeZone=${zone}`, { as: books.admin });
      expect(answer).toMatchObject({ status: 400, body: { error: "unknown_time_zone" } });
    }
  });
});
