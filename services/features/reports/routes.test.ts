// Reports over HTTP: every number equals an independent fold of the log, and opens lines that sum to it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRange } from "#ledger/log/read.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import {
  reportConsignorsResponse,
  reportLinesResponse,
  reportMonthsResponse,
  reportNumber,
} from "#features/reports/contract.ts";
import type { ReportFigures, ReportNumber } from "#features/reports/contract.ts";
import { soldLines } from "#features/reports/report-pdf.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import { foldMonth, foldReport } from "#testing/shop/report-fold.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;
let stored: StoredEvent[];
let seller: TestPerson & { readonly itemId: string };

const YEAR = "from=2026-01-01&to=2026-12-31";

async function get(path: string) {
  return desk.shop.call("GET", `/api/reports/${path}`, { as: desk.admin });
}
const consignorsIn = async (query: string) =>
  reportConsignorsResponse.parse((await get(`consignors?${query}`)).body);
const monthsIn = async (query: string) =>
  reportMonthsResponse.parse((await get(`months?${query}`)).body);
const post = (path: string, body: object) =>
  desk.shop.call("POST", `/api${path}`, { as: desk.admin, body });

beforeAll(async () => {
  desk = await openTradeShop();
  const { admin } = desk;
  const traded = await desk.accepted();
  seller = traded.seller;
  await desk.upload(admin, traded.tradeId);
  await desk.post(admin, `${traded.tradeId}/fulfill`, {});
  // Still held, except for one unit that was damaged.
  const { tradeId } = await desk.accepted();
  await post(`/trades/${tradeId}/offers/${offerIdOf(tradeId, 1)}/cancel`, {
    units: 1,
    as: "damaged",
    reason: "Fell off the shelf",
  });
  await desk.buyerWith(-1_250);
  const other = await desk.sellerWith("R-1", 40);
  const consignorSale = async (soldAt: string, salePrice: number) => {
    const sale = { consignorID: other.uid, itemUID: other.itemId, quantitySold: 2, salePrice };
    const answer = await post("/sales/record", {
      ...sale,
      shippingCost: 4,
      consignorPercentage: 50,
      soldAt,
    });
    return String(Reflect.get(Object(answer.body), "saleID"));
  };
  await consignorSale("2026-08-31T23:30:00.000Z", 30);
  const refunded = await consignorSale("2026-09-12T12:00:00.000Z", 50);
  await post(`/sales/${refunded}/refund`, { quantity: 1, restock: true, reason: "Too small" });
  const corrected = await consignorSale("2026-10-03T12:00:00.000Z", 20);
  await desk.shop.call("PUT", `/api/sales/${corrected}`, {
    as: admin,
    body: { salePrice: 26, reason: "Typed wrong" },
  });
  await post(`/sales/custom`, { consignorID: other.uid, itemName: "Repair", amount: 45 });
  // Entered late: the account had later entries before.
  await consignorSale("2026-08-01T12:00:00.000Z", 12);
  // Entered late in the same month: the account was opened on the 20th.
  const opened = await desk.buyerWith(100);
  const late = { itemName: "Old chair", amount: 7, soldAt: "2026-11-10T12:00:00.000Z" };
  await post(`/sales/custom`, { ...late, consignorID: opened.uid });
  await post("/inventory/master", {
    itemName: "Own rug",
    barcode1: "OWN-1",
    quantity: 9,
    tagPriceCents: 4_200,
  });
  const [own] = await desk.shop.deps.sql<{ id: string }[]>`
    select data ->> 'itemId' as id from log.events
    where type = 'ItemAdded' and data -> 'after' ->> 'barcode1' = 'OWN-1'`;
  await post("/inventory/master/sale", {
    masterItemID: own?.id,
    quantitySold: 2,
    salePrice: 80,
    salesTax: 6.6,
    soldAt: "2026-09-30T12:00:00.000Z",
  });
  await post("/inventory/remove", { itemID: own?.id, quantity: 1, reason: "damaged" });
  // Marked down before the next one is lost; the consignor's item has no tag price.
  await post("/inventory/prices", {
    items: [{ itemID: own?.id, tagPriceCents: 4_200 }],
    change: { kind: "set", tagPriceCents: 1_000 },
  });
  await post("/inventory/remove", { itemID: own?.id, quantity: 2, reason: "lost" });
  await post("/inventory/remove", { itemID: other.itemId, quantity: 1, reason: "lost" });
  const unpriced = { masterItemID: own?.id, quantitySold: 1, soldAt: "2026-10-05T12:00:00.000Z" };
  await post("/inventory/master/sale", unpriced);
  const priced = await post("/inventory/master/sale", unpriced);
  await desk.shop.call("PUT", `/api/sales/${String(Reflect.get(Object(priced.body), "saleID"))}`, {
    as: admin,
    body: { salePrice: 30, reason: "Found the receipt" },
  });
  await post("/sales-tax/remittances", { month: "2026-09", amount: 5 });
  const wrong = await post("/sales-tax/remittances", { month: "2026-09", amount: 1 });
  const remittance = String(Reflect.get(Object(wrong.body), "remittanceID"));
  await post(`/sales-tax/remittances/${remittance}/reverse`, { reason: "Wrong" });
  const body = { amount: 10, method: "venmo", paymentUsername: "@zoe-quill" };
  for (const fate of ["returned", "paid", "pending"]) {
    const made = await desk.shop.call("POST", `/api/payouts/${other.uid}/request`, {
      as: other,
      body,
    });
    const payoutId = String(Reflect.get(Object(made.body), "payoutId"));
    if (fate !== "pending") {
      await desk.shop.call("PATCH", `/api/payouts/${other.uid}/${payoutId}/paid`, { as: admin });
    }
    if (fate === "returned") {
      await post(`/payouts/${other.uid}/${payoutId}/return`, { reason: "Unknown handle" });
    }
  }
  stored = await readRange(desk.shop.deps.sql, 0, Number.MAX_SAFE_INTEGER);
});

afterAll(() => desk.close());

const zone = () => desk.shop.deps.store.timeZone();

it("every month of a report is what a fold of the log by hand gives, from the first entry to the present one", async () => {
  const answer = await get(`months?${YEAR}`);
  const { months, total } = reportMonthsResponse.parse(answer.body);
  // Months before the first entry and those that have not begun are left out.
  expect(months.map(({ month }) => month)).toEqual(["2026-08", "2026-09", "2026-10", "2026-11"]);
  const all = foldReport(stored);
  const timeZone = await zone();
  for (const shown of months) {
    const folded = foldMonth(all, shown.month, timeZone);
    expect(shown).toMatchObject({
      // Those without a price are not lines.
      sales: folded.sales + (shown.month === "2026-10" ? 2 : 0),
      ownSold: toDollars(folded.own.soldCents),
      consignedSold: toDollars(folded.consigned.soldCents),
      refunds: toDollars(0 - folded.own.refundedCents - folded.consigned.refundedCents),
      corrections: toDollars(folded.own.correctedCents + folded.consigned.correctedCents),
      ownShare: toDollars(folded.own.storeCents),
      storeShare: toDollars(folded.consigned.storeCents),
      consignorShare: toDollars(folded.consignorCents),
      payouts: toDollars(folded.paidCents - folded.returnedCents),
      payoutsPaid: toDollars(folded.paidCents),
      payoutsReturned: toDollars(folded.returnedCents),
      commission: toDollars(folded.commissionCents),
      tradeFees: toDollars(folded.tradeFeeCents),
      owedAvailable: toDollars(folded.closing.availableCents),
      owedPending: toDollars(folded.closing.pendingCents),
      owedHeld: toDollars(folded.closing.heldCents),
    });
  }
  // Nothing of it is empty.
  expect(total.ownSold).toBe(80);
  expect(total.refunds).toBeLessThan(0);
  expect(total.corrections).toBe(36);
  expect(total).toMatchObject({ payouts: 10, payoutsPaid: 20, payoutsReturned: 10 });
  expect(total.commission).toBeGreaterThan(0);
  expect(total.unpricedSales).toBe(1);
  expect(total.shrinkage).toEqual([
    { reason: "damaged", units: 2, value: 47, withoutPrice: 0 },
    { reason: "lost", units: 3, value: 20, withoutPrice: 1 },
  ]);
  expect(total).toMatchObject({ unitsLost: 5, lostValue: 67, lostWithoutPrice: 1 });
  expect(total.owedPending).toBe(10);
  expect(total.owedHeld).toBeGreaterThan(0);
});

it("what is owed at the end is what was owed before and what changed it, for the store and for each consignor", async () => {
  const { months, total } = await monthsIn(YEAR);
  const { consignors } = await consignorsIn(YEAR);
  const cents = (dollars: number) => Math.round(dollars * 100);
  for (const row of [...months, total, ...consignors]) {
    const { owedBefore, consignorShare, traded, adjustments, takenOver } = row;
    const change =
      [consignorShare, traded, adjustments, takenOver].reduce((sum, one) => sum + cents(one), 0) -
      [row.payouts, row.commission, row.tradeFees].reduce((sum, one) => sum + cents(one), 0);
    expect(cents(row.owed)).toBe(cents(owedBefore) + change);
  }
});

it.each([
  YEAR,
  "from=2026-08-01&to=2026-08-31",
  "from=2026-09-13&to=2026-10-04",
  "from=2026-01-01&to=2026-11-05",
])("consignors' figures are their own months', and sum to the store's: %s", async (days) => {
  const { consignors, total, count } = await consignorsIn(days);
  const store = (await monthsIn(days)).total;
  expect(consignors.length).toBe(count);
  for (const { consignorID, displayName: _name, ...figures } of consignors) {
    expect(figures).toEqual((await monthsIn(`${days}&consignor=${consignorID}`)).total);
  }
  for (const name of ["consignedSold", "storeShare", "payouts", "commission", "owed"] as const) {
    expect({ name, amount: total[name] }).toEqual({ name, amount: store[name] });
  }
});

it("the whole list of consignors is searched, sorted and paged on the server", async () => {
  const whole = await consignorsIn(`${YEAR}&sort=owed&order=desc`);
  const amounts = whole.consignors.map(({ owed }) => owed);
  expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  expect(whole.total.shrinkage).toMatchObject([{ reason: "damaged" }, { reason: "lost" }]);
  const [first, second] = whole.consignors;
  const sorted = `${YEAR}&sort=owed&order=desc`;
  const page = await consignorsIn(`${sorted}&limit=1`);
  const next = await consignorsIn(`${sorted}&limit=1&cursor=${page.nextCursor ?? ""}`);
  expect([page, next].map(({ consignors, count }) => [consignors, count])).toEqual([
    [[first], whole.count],
    [[second], whole.count],
  ]);
  const found = await consignorsIn(`${YEAR}&q=${encodeURIComponent(seller.uid)}`);
  expect(found.consignors.map(({ consignorID }) => consignorID)).toEqual([seller.uid]);
  expect(found.count).toBe(1);
});

/** The tax numbers are those of the tax report; all others are in the report by month. */
function amountOf(figures: ReportFigures, number: ReportNumber, isSeptember: boolean): number {
  switch (number) {
    case "taxRemitted": {
      return isSeptember ? 5 : 0;
    }
    case "taxOwed": {
      const { taxCollected, taxRefunded } = figures;
      return Math.round((taxCollected - taxRefunded - (isSeptember ? 5 : 0)) * 100) / 100;
    }
    default: {
      return figures[number];
    }
  }
}

it("a period before the first entry has no months, and says where the entries begin", async () => {
  const answer = await get("months?from=2025-01-01&to=2025-12-31");
  expect(answer.body).toMatchObject({ months: [], firstMonth: "2026-08", total: { sales: 0 } });
});

it("of a number's lines one kind is shown alone, beside the sums of all", async () => {
  const path = `lines?${YEAR}&number=unitsLost&kind=lost`;
  const opened = reportLinesResponse.parse((await get(path)).body);
  expect(opened).toMatchObject({ total: 5, lineCount: 4, isBalanced: true });
  expect(opened.lines.map(({ amount }) => amount)).toEqual([1, 2]);
});

it.each(reportNumber.options)("%s opens its lines, which sum to it", async (number) => {
  const { months, total } = await monthsIn(YEAR);
  const spans: readonly (readonly [string, ReportFigures])[] = [
    [YEAR, total],
    ...months
      .filter(({ month }) => month >= "2026-08")
      .map((month) => [`from=${month.from}&to=${month.to}`, month] as const),
  ];
  for (const [span, figures] of spans) {
    const opened = reportLinesResponse.parse(
      (await get(`lines?${span}&number=${number}&limit=200`)).body,
    );
    const amount = amountOf(figures, number, span === YEAR || span.includes("from=2026-09"));
    expect(opened).toMatchObject({ total: amount, isBalanced: true });
    const lines = opened.lines.reduce((sum, line) => sum + Math.round(line.amount * 100), 0);
    expect(Math.round(opened.opening * 100) + lines).toBe(Math.round(amount * 100));
    expect(opened.lineCount).toBe(opened.lines.length);
  }
});

it("every total of the consignors opens their lines only, without the store's own goods", async () => {
  const { total, consignors } = await consignorsIn(YEAR);
  const numbers = reportNumber.options.filter((number) => number in total);
  let differing = 0;
  for (const number of numbers) {
    const open = async (whose: string) =>
      reportLinesResponse.parse(
        (await get(`lines?${YEAR}&number=${number}&limit=200&whose=${whose}`)).body,
      );
    const opened = await open("consignors");
    expect(opened).toMatchObject({ total: amountOf(total, number, false), isBalanced: true });
    const uids = new Set(consignors.map(({ consignorID }) => consignorID));
    expect(opened.lines.filter(({ consignorID }) => !uids.has(consignorID ?? ""))).toEqual([]);
    differing += (await open("all")).total === opened.total ? 0 : 1;
  }
  // Of some, the store's own goods have lines too.
  expect(differing).toBeGreaterThan(3);
});

it("a unit that was lost in a trade reads like one, with its value", async () => {
  for (const [number, amount] of [
    ["unitsLost", 1],
    ["lostValue", 5],
  ] as const) {
    const opened = reportLinesResponse.parse((await get(`lines?${YEAR}&number=${number}`)).body);
    const line = opened.lines.find(({ type }) => type === "AcceptanceCancelled");
    expect(line).toMatchObject({ description: "Desk lamp: 1 unit damaged in a trade", amount });
  }
  const lines = reportLinesResponse.parse((await get(`lines?${YEAR}&number=lostValue`)).body);
  // The value is not read as a number of units.
  expect(lines.lines.map(({ description }) => description).join()).not.toContain("4,200");
});

it("lines are paged without a gap, and say in which month and on which day a late entry was booked", async () => {
  const all = reportLinesResponse.parse(
    (await get(`lines?${YEAR}&number=consignedSold&limit=200`)).body,
  );
  const paged: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const next: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = reportLinesResponse.parse(
      (await get(`lines?${YEAR}&number=consignedSold&limit=2${next}`)).body,
    );
    paged.push(...page.lines);
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all.lines);
  const lineOf = (sold: number) => all.lines.find(({ amount }) => amount === sold);
  expect(lineOf(12)).toMatchObject({ bookedIn: "2026-11", bookedOn: "2026-11-21" });
  expect(lineOf(7)).toMatchObject({ bookedIn: null, bookedOn: "2026-11-20" });
  expect(lineOf(50)).toMatchObject({ bookedIn: null, bookedOn: null });
});

it("a file has exactly the rows of the list, as CSV and as PDF", async () => {
  const { consignors } = await consignorsIn(`${YEAR}&sort=name&order=asc`);
  const csv = await get(`file?${YEAR}&view=consignors&format=csv&sort=name&order=asc`);
  const rows = String(csv.body).trim().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(",")[1])).toEqual(
    consignors.map(({ consignorID }) => consignorID),
  );
  const { months } = await monthsIn(YEAR);
  const monthly = String((await get(`file?${YEAR}&view=months&format=csv`)).body).trim();
  expect(
    monthly
      .split("\r\n")
      .slice(1)
      .map((row) => row.split(",")[5]),
  ).toEqual(months.map(({ ownSold }) => ownSold.toFixed(2)));
  expect(monthly).toContain(",Payouts paid,Payouts returned,");
  expect(monthly).toContain(",20.00,10.00,");
  const pdf = await get(`file?${YEAR}&view=months&format=pdf`);
  expect(pdf.status).toBe(200);
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  // What was sold, less what else became of it, is the consignors' shares.
  const { total } = await monthsIn(YEAR);
  const left = soldLines(total).reduce((sum, [, dollars]) => sum + toCents(dollars), 0);
  expect([total.shipping === 0, left]).toEqual([false, toCents(total.consignorShare)]);
  const count = (piece: RegExp) => [...String(pdf.body).matchAll(piece)].length;
  // A list with the number of sales; what was sold; what is owed; units by reason with their values, and the sum of both reasons.
  expect(count(/\/Scope \/Column\b/gu)).toBe(12 + 3 + 3 + 5);
  expect(count(/\/S \/TR\b/gu)).toBe(1 + months.length + 1 + (1 + 8) + (1 + 13) + (1 + 2 + 1));
});

it("only admins read reports, and a period has an order and a limit", async () => {
  const asConsignor = await desk.shop.call("GET", `/api/reports/months?${YEAR}`, { as: seller });
  expect(asConsignor.status).toBe(403);
  expect((await get("months?from=2026-02-01&to=2026-01-01")).status).toBe(400);
  expect((await get("months?from=2000-01-01&to=2026-01-01")).body).toMatchObject({
    error: "period_too_long",
  });
});

it("the books verify with the report's tables", async () => {
  expect(await desk.wrongInBooks()).toEqual([]);
});
