// Tests how the address of the list of sales becomes the API's filters. Unknown values are ignored.
import { expect, it } from "vitest";
import { dayOf, isFiltered, queryOf, salesFiltersIn, storeDayParams } from "./sales-filters.ts";

const inAddress = (query: string) => salesFiltersIn(new URLSearchParams(query));

it("requests one consignor's sales if the address has a uid", () => {
  const filters = inAddress("consignor=oSYtE6X4FskrMV3A2z7zMsA44XTL");
  expect(queryOf(filters)).toMatchObject({ consignor: "oSYtE6X4FskrMV3A2z7zMsA44XTL" });
  expect(isFiltered(filters)).toBe(true);
});

it("requests all sales if it has none, or something else", () => {
  for (const query of [
    "",
    "consignor=",
    "consignor=avery",
    "consignor=avery@long-name.store.test",
  ]) {
    expect(queryOf(inAddress(query))["consignor"]).toBeUndefined();
    expect(isFiltered(inAddress(query))).toBe(false);
  }
  expect(isFiltered(inAddress("q=lamp"))).toBe(true);
  expect(isFiltered(inAddress("status=refunded"))).toBe(true);
});

it("opens a day of the store by its exact instants where the browser has other days", () => {
  const midnight = (day: string) => new Date(`${day}T00:00:00`).toISOString();
  expect(storeDayParams(midnight("2026-11-21"), midnight("2026-11-22"))).toBe(
    "from=2026-11-21&to=2026-11-21",
  );
  const later = (day: string) => new Date(Date.parse(midnight(day)) + 3_600_000).toISOString();
  const [from, to] = [later("2026-11-21"), later("2026-11-22")];
  const filters = inAddress(storeDayParams(from, to));
  expect(queryOf(filters)).toMatchObject({ from, to });
  expect([dayOf(filters.from, false), dayOf(filters.to, true)]).toEqual([
    "2026-11-21",
    "2026-11-22",
  ]);
  expect(queryOf(inAddress("from=2026-11-21T&to=soon"))).toMatchObject({
    from: undefined,
    to: undefined,
  });
});
