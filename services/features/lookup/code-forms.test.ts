// Tests in which forms a scanned or typed code is looked for.
import { expect, it } from "vitest";
import { formsOf } from "#features/lookup/code-forms.ts";

it("looks for a UPC with and without the zero in front", () => {
  expect(formsOf("012345678905").barcodes).toEqual(["012345678905", "0012345678905"]);
  expect(formsOf("0012345678905").barcodes).toEqual(["0012345678905", "012345678905"]);
  expect(formsOf("LAMP 1").barcodes).toEqual(["LAMP 1"]);
});

it.each([
  ["9400 1118 9922 3100 0012 34", ["9400111899223100001234"]],
  ["420787019400111899223100001234", ["420787019400111899223100001234", "9400111899223100001234"]],
  [
    "4207870112349400111899223100001234",
    ["4207870112349400111899223100001234", "9400111899223100001234"],
  ],
  ["9622001900000000000000776543210987", ["9622001900000000000000776543210987", "776543210987"]],
  ["1z-999aa1 0123456784", ["1Z999AA10123456784"]],
])("reads the tracking number in a parcel's bars: %s", (code, numbers) => {
  expect(formsOf(code).trackingNumbers).toEqual(expect.arrayContaining(numbers));
  expect(formsOf(code).trackingNumbers[0]).toBe(numbers[0]);
});

it("takes the first eight characters of an id, or all of it, for an id", () => {
  expect(formsOf("7B0C2F64").ids).toEqual({
    from: "7b0c2f64-0000-0000-0000-000000000000",
    to: "7b0c2f64-ffff-ffff-ffff-ffffffffffff",
  });
  const whole = "7b0c2f64-0000-4000-8000-000000000002";
  expect(formsOf(whole).ids).toEqual({ from: whole, to: whole });
  expect(formsOf("7b0c2f6").ids).toBeNull();
  expect(formsOf("LAMP-1").ids).toBeNull();
});

it("takes a receipt's number with and without its R", () => {
  const ids = {
    from: "7b0c2f64-0000-0000-0000-000000000000",
    to: "7b0c2f64-ffff-ffff-ffff-ffffffffffff",
  };
  expect(formsOf("R-7B0C2F64")).toMatchObject({ receipts: ids, ids: null });
  expect(formsOf("7b0c2f64")).toMatchObject({ receipts: ids, ids });
  expect(formsOf("R-1").receipts).toBeNull();
});
