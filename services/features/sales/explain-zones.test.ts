// What a sum of sales is explained by after a change of the time zone: the same days and months that its filters take.
import { describe, expect, it } from "vitest";
import type { SoldExplainResponse } from "#features/sales/contract-totals.ts";
import { saleTotalsResponse, soldExplainResponse } from "#features/sales/contract-totals.ts";
import { openSaleShop } from "#testing/shop/sale-shop.ts";
import type { SaleShop } from "#testing/shop/sale-shop.ts";

/** Around the turns of months and days in both time zones. */
const times = [
  "2026-09-30T10:30:00Z",
  "2026-09-30T20:00:00Z",
  "2026-10-01T04:45:00Z",
  "2026-10-01T05:00:00Z",
  "2026-10-15T12:00:00Z",
  "2026-10-31T10:59:00Z",
  "2026-10-31T11:00:00Z",
  "2026-11-01T04:59:00Z",
  "2026-11-01T05:00:00Z",
  "2026-11-01T12:00:00Z",
  "2026-11-02T05:30:00Z",
] as const;

/** More days than are shown as days. */
const MANY_DAYS = 63;

async function openMoved(before: string, after: string) {
  const books = await openSaleShop({ fixedTimeZone: null });
  const { admin, shop } = books;
  const { person } = await books.consignorWith(9, "Oak chair");
  const done = async (method: string, path: string, body: object) =>
    expect([path, (await shop.call(method, path, { as: admin, body })).status]).toEqual([
      path,
      200,
    ]);
  await done("PUT", "/api/settings/time-zone", { timeZone: before });
  const days = Array.from({ length: MANY_DAYS }, (_, index) =>
    new Date(Date.UTC(2026, 6, index, 12)).toISOString(),
  );
  for (const [index, soldAt] of [...days, ...times].entries()) {
    const sale = { consignorID: person.uid, itemName: "Rug", amount: index + 1, soldAt };
    await done("POST", "/api/sales/custom", sale);
  }
  await done("POST", "/api/months/close", { month: "2026-10" });
  await done("PUT", "/api/settings/time-zone", { timeZone: after });
  await shop.runner.catchUp();
  return { books, uid: person.uid };
}

async function read({ shop, admin }: SaleShop, path: string): Promise<unknown> {
  const answer = await shop.call("GET", `/api/sales${path}`, { as: admin });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

type Span = SoldExplainResponse["spans"][number];

/** The first and the last day of a span, as a person would choose them. */
function daysOf({ name }: Span) {
  const [year = 0, month = 0] = name.split("-").map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return name.length === 10 ? { from: name, to: name } : { from: `${name}-01`, to: last };
}

describe.each([
  ["America/Chicago", "Pacific/Auckland"],
  ["Pacific/Auckland", "America/Chicago"],
])("after October was closed in %s and the store moved to %s", (before, after) => {
  it("each day and month of an explained sum has the sales that the filters find for it", async () => {
    const { books, uid } = await openMoved(before, after);
    try {
      for (const [filters, by] of [
        ["", "month"],
        ["from=2026-09-01", "day"],
        ["from=2026-10-31&to=2026-10-31", "day"],
        ["from=2026-11-01&to=2026-11-01", "day"],
      ] as const) {
        for (const list of ["", `/history/${uid}`]) {
          const path = `${list}/totals/explain?number=price&${filters}`;
          const why = soldExplainResponse.parse(await read(books, path));
          expect(why).toMatchObject({ by, timeZone: after, isBalanced: true });
          expect(why.spans.reduce((sum, span) => sum + span.sales, 0)).toBe(why.sales);
          const names = why.spans.map(({ name }) => name);
          expect(names).toEqual(filters.includes("to=") ? [filters.slice(5, 15)] : names);
          for (const span of why.spans) {
            expect(span.timeZone).toBe(span.name < "2026-11" ? before : after);
            for (const { from, to } of [daysOf(span), span]) {
              const found = await read(books, `/totals?from=${from}&to=${to}`);
              const { sales, salePrice } = saleTotalsResponse.parse(found).totals;
              expect({ from, sales, amount: salePrice }).toEqual({
                from,
                sales: span.sales,
                amount: span.amount,
              });
            }
          }
        }
      }
    } finally {
      await books.close();
    }
  });
});
