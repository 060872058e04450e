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

it("opens whole days of the store as days, in every browser, and other periods by their instants", () => {
  const [from, to] = ["2026-11-20T06:00:00.000Z", "2026-11-22T06:00:00.000Z"];
  expect(storeDayParams(from, to, "America/Chicago")).toBe("from=2026-11-20&to=2026-11-21");
  const filters = inAddress(storeDayParams(from, to, "America/New_York"));
  expect(queryOf(filters)).toMatchObject({ from, to });
  expect(dayOf(filters.from, false)).toBe("2026-11-20");
  // The server knows which instants these are.
  expect(queryOf(inAddress("from=2026-11-20&to=2026-11-21"))).toMatchObject({
    from: "2026-11-20",
    to: "2026-11-21",
  });
  expect(queryOf(inAddress("from=2026-11-21T&to=soon"))).toMatchObject({
    from: undefined,
    to: undefined,
  });
});
