// Tests that every screen of the navigation can be gone to by a letter of its own.
import { expect, it } from "vitest";
import { placesFor } from "./key-places.ts";

it.each([
  ["an admin", true],
  ["a consignor", false],
])("each screen of %s has a letter of its own", (_who, isAdmin) => {
  const places = placesFor(isAdmin).map(({ to, key }) => ({ to, key: key ?? "none" }));
  expect(
    places.filter(({ key }) => !/^[a-z]$/u.test(key)),
    "give these screens a `key` in web/shell/places.ts or consignor-places.ts",
  ).toEqual([]);
  const isTwice = (key: string) => places.filter((one) => one.key === key).length > 1;
  expect(
    places.filter(({ key }) => isTwice(key)),
    "two screens have the same `key`: give one of them another in web/shell/places.ts or consignor-places.ts",
  ).toEqual([]);
  // G itself begins, and J, K and X belong to rows.
  expect(
    places.filter(({ key }) => "gjkx".includes(key)),
    "these keys have another use: give the screens another `key` in web/shell/places.ts or consignor-places.ts",
  ).toEqual([]);
});
