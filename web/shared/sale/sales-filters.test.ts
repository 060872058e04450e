// Tests how the address of the list of sales becomes the API's filters. Unknown values are ignored.
import { expect, it } from "vitest";
import { isFiltered, queryOf, salesFiltersIn } from "./sales-filters.ts";

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
