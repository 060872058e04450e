// Shows what counts as a scan.
import { expect, it } from "vitest";
import { tallyOf, withoutBarcode, withScan } from "./scan-tally.ts";

it("counts one unit a line and collapses equal barcodes in the order they first came", () => {
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

it("takes all scans of one barcode out", () => {
  expect(withoutBarcode("B\nA\nB\nb", "B")).toBe("A\nb");
});

it("puts a scan of the camera on a line of its own, also behind a line that is half typed", () => {
  expect(withScan("", "A")).toBe("A\n");
  expect(withScan("A\n", "A")).toBe("A\nA\n");
  expect(withScan("A", "B")).toBe("A\nB\n");
});
