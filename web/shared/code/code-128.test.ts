// Compares the receipt's bars with another encoder and with the standard's checksum.
import bwipjs from "bwip-js/node";
import { expect, test } from "vitest";
import { code128 } from "./code-128.ts";

test("draws the same bars as another encoder", () => {
  // The export of this name encodes a symbology called "raw".
  // oxlint-disable-next-line import/no-named-as-default-member
  const [other] = bwipjs.raw({ bcid: "code128", text: "R-ABCDEFGH" });
  expect(code128("R-ABCDEFGH")).toEqual(Reflect.get(Object(other), "sbs"));
});

test("gives every character eleven modules, and the stop thirteen", () => {
  const widths = code128("R-1F2E3D4C");
  expect(widths.reduce((sum, width) => sum + width, 0)).toBe(12 * 11 + 13);
});

test("rejects characters that it cannot encode", () => {
  expect(() => code128("é")).toThrow(RangeError);
});
