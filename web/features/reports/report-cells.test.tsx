// A number of a report opens its lines, also where they add up to nothing.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { Figure, type FigureNumber } from "./report-cells.tsx";

const scope = { consignor: undefined, from: "2026-11-01", to: "2026-11-30" };
const opens = (number: FigureNumber, amount: number): boolean =>
  renderToStaticMarkup(
    <MemoryRouter>
      <Figure number={number} amount={amount} scope={scope} />
    </MemoryRouter>,
  ).includes("why this number?");

it("a zero that may be a sum of entries opens them, and one that has none does not", () => {
  for (const number of ["corrections", "storeShare", "payouts", "unitsLost", "owed"] as const) {
    expect([number, opens(number, 0)]).toEqual([number, true]);
  }
  for (const number of ["ownSold", "refunds", "sales"] as const) {
    expect([number, opens(number, 0), opens(number, 5)]).toEqual([number, false, true]);
  }
});
