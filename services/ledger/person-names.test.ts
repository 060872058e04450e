// Nobody can take a name that consignors read for the store.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { personName } from "#ledger/fields.ts";

const name = z.string().check(personName);

test.each([
  "Store",
  "the store",
  "STORE!",
  "St0re",
  "S t o r e",
  "Ѕtоrе",
  "ѕтоге",
  "Störe",
  "Ｓｔｏｒｅ",
  "s-t-o-r-e",
])("%s passes for the store and is refused", (value) => {
  expect(name.safeParse(value).success).toBe(false);
});

test.each(["Storey", "Kristen Store", "Restore", "Tore", "Avery", "Стора", ""])(
  "%s is a person's name",
  (value) => {
    expect(name.safeParse(value).success).toBe(true);
  },
);
