// Tests that every screen of the navigation can be gone to by a letter of its own.
import { expect, it } from "vitest";
import { placesFor } from "./key-places.ts";

it.each([
  ["an admin", true],
  ["a consignor", false],
])("each screen of %s has a letter of its own", (_who, isAdmin) => {
  const keys = placesFor(isAdmin).map(({ to, key }) => key ?? `none for ${to}`);
  expect(keys.filter((key) => !/^[a-z]$/u.test(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
  // G itself begins, and J, K and X belong to rows.
  expect(keys.filter((key) => "gjkx".includes(key))).toEqual([]);
});
