// Tests what counts as a scan.
import { expect, it } from "vitest";
import { tallyOf, withoutBarcode, withScan } from "./scan-tally.ts";

it("counts one unit per line and groups equal barcodes in the order they first appear", () => {
  expect(tallyOf("B\nA\n\n  B \r\nb\n")).toEqual({
    last: "b",
    units: 4,
    barcodes: [
      { barcode: "B", units: 2 },
      { barcode: "A", units: 1 },
      { barcode: "b", units: 1 },
    ],
  });
});

it("counts nothing in an empty field", () => {
  expect(tallyOf(" \n\n").units).toBe(0);
});

it("removes all scans of one barcode", () => {
  expect(withoutBarcode("B\nA\nB\nb", "B")).toBe("A\nb\n");
});

it("puts a camera scan on its own line, even after a half-typed line", () => {
  expect(withScan("", "A")).toBe("A\n");
  expect(withScan("A\n", "A")).toBe("A\nA\n");
  expect(withScan("A", "B")).toBe("A\nB\n");
});
