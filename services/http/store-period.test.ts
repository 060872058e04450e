// A list's period in days: every list and file takes the store's days, whatever the reader's time zone is.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balanceAsOfResponse } from "#features/accounts/contract-as-of.ts";
import { ledgerResponse } from "#features/accounts/contract.ts";
import { saleListResponse } from "#features/sales/contract.ts";
import { openSaleShop, saleOf } from "#testing/shop/sale-shop.ts";
import type { ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;
let owner: ItemOwner;

/** The store is in Chicago, six hours behind. */
const DAY = "from=2026-11-20&to=2026-11-20";
const INSTANTS = "from=2026-11-20T06:00:00.000Z&to=2026-11-21T06:00:00.000Z";

beforeAll(async () => {
  books = await openSaleShop();
  owner = await books.consignorWith(9, "Oak chair");
  for (const soldAt of ["2026-11-20T05:59:59Z", "2026-11-20T06:00:00Z", "2026-11-21T05:59:59Z"]) {
    await books.record(saleOf(owner, { soldAt, quantitySold: 1 }));
  }
  await books.shop.runner.catchUp();
});

afterAll(() => books.close());

async function read(path: string, as = books.admin) {
  const { status, body } = await books.shop.call("GET", `/api${path}`, { as });
  return { status, body };
}

/** Every list with a period, and its file. The clock of this store stands on the 21st in Chicago, at four in the morning. */
const lists = [
  "/sales?",
  "/sales/export?",
  "/sales/totals?",
  "/sales/totals/explain?number=sales&",
  "/sales/history/OWNER?",
  "/sales/history/OWNER/export?",
  "/sales/history/OWNER/totals?",
  "/sales/history/OWNER/totals/explain?number=sales&",
  "/sales/ledger/OWNER?",
  "/sales/ledger/OWNER/export?",
  "/settings/days?",
  "/payouts/settled?",
  "/payouts/settled/export?",
  "/audit/events?",
  "/audit/events/export?",
  "/audit/explain/OWNER?number=available&",
  "/security/log?kind=sign-in&",
  "/security/log/export?kind=sign-in&",
  "/trades/my-trades?",
  "/trades/my-trades/export?",
  "/trades/offers/my-offers?",
  "/trades/offers/my-offers/count?",
  "/trades/offers/my-offers/export?",
  "/trades/users/OWNER/requests?",
  "/trades/users/OWNER/offers?",
] as const;

type Operation = {
  readonly "x-store-days"?: boolean;
  readonly parameters?: readonly { readonly name: string; readonly schema?: unknown }[];
};
type Operations = { readonly get?: Operation };

it("a day of the store begins and ends at its midnight, not at that of UTC", async () => {
  const { body } = await read(`/sales?${DAY}`);
  const dates = saleListResponse.parse(body).sales.map(({ dateSold }) => dateSold);
  expect(dates).toEqual(["2026-11-21T05:59:59.000Z", "2026-11-20T06:00:00.000Z"]);
  const open = saleListResponse.parse((await read("/sales?to=2026-11-19")).body).sales;
  expect(open.map(({ dateSold }) => dateSold)).toEqual(["2026-11-20T05:59:59.000Z"]);
});

describe.each(lists)("%s", (list) => {
  it("takes days of the store, and refuses what is not a day", async () => {
    const path = list.replace("OWNER", owner.person.uid);
    const byDay = await read(`${path}${DAY}`);
    expect(byDay.status).toBe(200);
    expect(byDay.body).toEqual((await read(`${path}${INSTANTS}`)).body);
    expect((await read(`${path}from=2026-02-31`)).status).toBe(400);
  });
});

it("a ledger has the lines booked on the store's day, and its months close with the last of them", async () => {
  const ledgerOf = async (query: string) =>
    ledgerResponse.parse((await read(`/sales/ledger/${owner.person.uid}?${query}`)).body);
  expect((await ledgerOf(DAY)).lines.map(({ line }) => line)).toEqual([3, 2]);
  const before = await ledgerOf("to=2026-11-19");
  expect(before).toMatchObject({ lines: [{ line: 1 }], months: [{ month: "2026-11", lines: 1 }] });
  expect(before.months[0]?.closing).toBe(before.lines[0]?.balanceAfter);
});

/** Every call that shows the past of a person as of a time. */
const past = [
  "/audit/balance/OWNER?by=effective&",
  "/audit/history/OWNER?by=effective&",
  "/audit/compare/OWNER?",
  "/audit/inventory/OWNER?",
  "/audit/explain/OWNER?number=available&",
  "/accounts/OWNER/statement?from=2026-11-01&to=2026-11-30&",
] as const;

it.each(past)("%s: a day of the past ends where the store's does", async (call) => {
  const path = call.replace("OWNER", owner.person.uid);
  const byDay = await read(`${path}at=2026-11-20`);
  expect(byDay.status).toBe(200);
  expect(byDay.body).toEqual((await read(`${path}at=2026-11-21T05:59:59.999Z`)).body);
  expect((await read(`${path}at=2026-02-31`)).status).toBe(400);
});

it("what was sold late on a day in the store counts on that day, and what was sold after it does not", async () => {
  const linesAt = async (day: string) => {
    const { body } = await read(`/audit/balance/${owner.person.uid}?by=effective&at=${day}`);
    return balanceAsOfResponse.parse(body).lines;
  };
  expect([await linesAt("2026-11-19"), await linesAt("2026-11-20")]).toEqual([1, 3]);
});

it("every call that takes a day asks the store when it begins", async () => {
  const { body } = await read("/openapi.json");
  const paths = Object.entries(Object(Object(body).paths) as Record<string, Operations>);
  const named = (isMeant: (operation: Operation) => boolean) =>
    paths
      .filter(([, { get }]) => get !== undefined && isMeant(get))
      .map(([path]) => path.replace("/api", "").replace(/\{(?:id|uid|userId)\}/u, "OWNER"))
      .toSorted();
  const listed = lists.map((path) => path.replace(/\?.*$/u, "")).toSorted();
  expect(named((get) => get["x-store-days"] === true)).toEqual(listed);
  const takesDays = ({ parameters = [] }: Operation) =>
    parameters.some(
      ({ name, schema }) =>
        name === "from" && !/"(?:format|pattern)"/u.test(JSON.stringify(schema)),
    );
  expect(named(takesDays)).toEqual(listed);
});
