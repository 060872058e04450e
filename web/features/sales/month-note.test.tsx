// Tests where the list of sales says why a month in the reports has other totals.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { salesFiltersIn } from "#web/shared/sale/sales-filters.ts";
import { MonthNote } from "./month-note.tsx";

function noteOf(address: string): string {
  const filters = salesFiltersIn(new URLSearchParams(address));
  return renderToStaticMarkup(
    <MemoryRouter>
      <MonthNote filters={filters} />
    </MemoryRouter>,
  );
}

it("the sales of a month that is over lead to the month in the reports, which counts otherwise", () => {
  const note = noteOf("from=2024-02-01&to=2024-02-29");
  expect(note).toContain("Each sale counts on its day");
  expect(note).toContain("February 2024 in Reports");
  expect(note).toContain('href="/admin/reports?tab=months&amp;year=2024"');
});

it("other days, a month that is not over and a list that is narrowed further have no such note", () => {
  for (const address of [
    "",
    "from=2024-02-01",
    "from=2024-02-01&to=2024-02-28",
    "from=2024-02-02&to=2024-02-29",
    "from=2024-02-01&to=2024-03-31",
    "from=2099-01-01&to=2099-01-31",
    "from=2024-02-01&to=2024-02-29&kind=custom",
    "from=2024-02-01&to=2024-02-29&q=lamp",
  ]) {
    expect(noteOf(address)).toBe("");
  }
});
