// Nobody can take the name that the store has given itself.
import { expect, test } from "vitest";
import { passesForStore } from "#http/store-name.ts";

const storeName = "Harbor Street Resale";

test.each([
  "Harbor Street Resale",
  "the harbor street resale",
  "HarborStreet-Resale!",
  "Hаrb0r Ѕtrееt Rеsаlе",
  "Hárbor Street Resale",
])("%s passes for Harbor Street Resale", (name) => {
  expect(passesForStore(name, storeName)).toBe(true);
});

test.each(["Harbor Street", "Harbor Street Resale Fan", "Avery", ""])(
  "%s is a person's name",
  (name) => {
    expect(passesForStore(name, storeName)).toBe(false);
    expect(passesForStore(name, "")).toBe(false);
  },
);
