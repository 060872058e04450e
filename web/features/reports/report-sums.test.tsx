// What a report shows of its sales adds up: their prices after refunds and corrections are what everybody got, and shipping.
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { ReportFigures, ReportMonth } from "#features/reports/contract.ts";
import type { MonthView } from "#features/months/contract-months.ts";
import { noTotals } from "#testing/shop/month-totals.ts";
import type { Column } from "#web/ui/data-table-column.ts";
import { columnsOf as consignorColumns } from "./by-consignor-part.tsx";
import { columnsOf as monthColumns } from "./by-month-part.tsx";
import { columnsFor } from "./months-columns.tsx";
import { ReportSummary } from "./report-summary.tsx";

const days = { from: "2026-11-01", to: "2026-11-30" };

const sales = {
  sales: 4,
  unpricedSales: 0,
  sold: 300,
  kept: 120,
  ownSold: 100,
  consignedSold: 200,
  refunds: -40,
  corrections: 10,
  ownShare: 60,
  storeShare: 60,
  consignorShare: 138,
  shipping: 12,
};
const figures: ReportFigures = {
  ...sales,
  payouts: 0,
  payoutsPaid: 0,
  payoutsReturned: 0,
  commission: 0,
  tradeFees: 0,
  traded: 0,
  adjustments: 0,
  takenOver: 0,
  taxable: 0,
  exempt: 0,
  untaxedOnline: 0,
  otherUntaxed: 0,
  taxCollected: 0,
  taxRefunded: 0,
  owedBefore: 0,
  owed: 138,
  owedAvailable: 138,
  owedPending: 0,
  owedHeld: 0,
  unitsLost: 0,
  lostValue: 0,
  lostWithoutPrice: 0,
  shrinkage: [],
};

/** The dollars in what is drawn, with a minus where one stands before them. */
function dollarsIn(drawn: ReactNode): readonly number[] {
  const text = renderToStaticMarkup(<MemoryRouter>{drawn}</MemoryRouter>).replaceAll(
    /<[^>]*>/gu,
    "",
  );
  return [...text.matchAll(/(less [a-z ]*|[−-])?\$([\d.,]+)/gu)].map(
    ([, minus, amount]) => (minus === undefined ? 1 : -1) * Number(amount),
  );
}

function sumOf<Row>(columns: readonly Column<Row>[], ids: readonly string[], row: Row): number {
  return columns
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ cell }) => dollarsIn(cell(row)))
    .reduce((sum, amount) => sum + amount, 0);
}

it("the summary names the shipping between what was sold and what the store and consignors got", () => {
  const drawn = (total: ReportFigures) =>
    renderToStaticMarkup(
      <MemoryRouter>
        <ReportSummary total={total} scope={{ consignor: undefined, ...days }} />
      </MemoryRouter>,
    );
  expect(drawn(figures)).toMatch(/Shipping of sales<.*?\$12\.00/u);
  expect(drawn({ ...figures, shipping: 0 })).not.toContain("Shipping of sales");
});

it("the list of what was lost has only terms and their numbers, and the sentence about missing tag prices stands below", () => {
  const lost = {
    unitsLost: 15,
    lostWithoutPrice: 15,
    shrinkage: [{ reason: "lost" as const, units: 15, value: 0, withoutPrice: 15 }],
  };
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <ReportSummary total={{ ...figures, ...lost }} scope={{ consignor: undefined, ...days }} />
    </MemoryRouter>,
  );
  const text = "15 units had no tag price and are not in it.";
  expect(html).toContain(text);
  const lists = [...html.matchAll(/<dl>.*?<\/dl>/gu)].map(([list]) => list);
  expect(lists.filter((list) => list.includes("<p") || list.includes(text))).toEqual([]);
});

it("a row of the report by consignor adds up with its shipping", () => {
  const row = {
    ...figures,
    consignedSold: 200,
    refunds: -10,
    corrections: 20,
    consignorID: "avery",
    displayName: "Avery",
  };
  const columns = consignorColumns(days, row);
  expect(sumOf(columns, ["consignedSold", "refunds", "corrections"], row)).toBe(210);
  expect(sumOf(columns, ["storeShare", "consignorShare", "shipping"], row)).toBe(210);
});

it("the report by month has a column for shipping where there is some", () => {
  const row: ReportMonth = { ...figures, month: "2026-11", ...days };
  expect(sumOf(monthColumns(undefined, row), ["shipping"], row)).toBe(12);
  const none = { ...figures, shipping: 0 };
  expect(monthColumns(undefined, none).some(({ id }) => id === "shipping")).toBe(false);
});

const month: MonthView = {
  month: "2026-11",
  from: "2026-11-01T06:00:00.000Z",
  to: "2026-12-01T06:00:00.000Z",
  status: "open",
  canClose: false,
  closed: null,
  lateEntries: 0,
  lateBooked: 0,
  totals: {
    ...noTotals,
    sales: 4,
    own: { soldCents: 10_000, refundedCents: 4_000, correctedCents: 0, storeCents: 6_000 },
    consigned: { soldCents: 20_000, refundedCents: 0, correctedCents: 1_000, storeCents: 6_000 },
    consignorCents: 13_800,
    shippingCents: 1_200,
  },
};

it("a month adds up from goods sold to what the store and consignors get", () => {
  const columns = columnsFor({
    timeZone: "UTC",
    canClose: false,
    onClose: () => {},
    onLate: () => {},
  });
  const got = sumOf(columns, ["kept", "consignorShare"], month);
  expect(got).toBe(258);
  expect(sumOf(columns, ["sold", "between"], month)).toBe(got);
});
