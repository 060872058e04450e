// Tests which sales the name of a month opens.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { MonthView } from "#features/months/contract-months.ts";
import { noTotals } from "#testing/shop/month-totals.ts";
import { columnsFor } from "./months-columns.tsx";

/** As a store in Chicago has it. */
const november: MonthView = {
  month: "2026-11",
  from: "2026-11-01T05:00:00.000Z",
  to: "2026-12-01T06:00:00.000Z",
  status: "present",
  canClose: false,
  closed: null,
  totals: noTotals,
  lateEntries: 0,
  lateBooked: 0,
};

function opened(timeZone: string): string | undefined {
  const acts = { canClose: false, onClose: () => undefined, onLate: () => undefined };
  const name = columnsFor({ ...acts, timeZone }).find(({ id }) => id === "month");
  const link = renderToStaticMarkup(<MemoryRouter>{name?.cell(november)}</MemoryRouter>);
  return /\?([^"]*)/u.exec(link)?.[1]?.replaceAll("&amp;", "&");
}

it("a month opens the sales of its first to its last day in the store, wherever the browser is", () => {
  expect(opened("America/Chicago")).toBe("from=2026-11-01&to=2026-11-30");
});

it("a month that began and ended in another time zone opens exactly its sales", () => {
  expect(opened("America/Denver")).toBe(`from=${november.from}&to=${november.to}`);
});
