// The receipt's bars against another maker's, and the standard's own arithmetic.
import bwipjs from "bwip-js/node";
import { expect, test } from "vitest";
import { code128 } from "./code-128.ts";

test("draws the same bars as another encoder", () => {
  // The function of this name that can be imported by itself encodes a symbology called "raw".
  // oxlint-disable-next-line import/no-named-as-default-member
  const [other] = bwipjs.raw({ bcid: "code128", text: "R-ABCDEFGH" });
  expect(code128("R-ABCDEFGH")).toEqual(Reflect.get(Object(other), "sbs"));
});

test("gives every sign eleven modules, and the stop thirteen", () => {
  const widths = code128("R-1F2E3D4C");
  expect(widths.reduce((sum, width) => sum + width, 0)).toBe(12 * 11 + 13);
});

test("refuses what it has no sign for", () => {
  expect(() => code128("é")).toThrow(RangeError);
});
