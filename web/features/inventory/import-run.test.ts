// What the review of a file says about its lines.
import { expect, it } from "vitest";
import { linesOfKnownNew } from "./import-run.ts";

const planned = (line: number, barcode1: string, kind: "new" | "more" = "new") => ({
  line,
  kind,
  itemName: `Lamp of line ${String(line)}`,
  barcode1,
  units: 1,
  ownerUid: null,
});

it("of several lines with one new barcode, only the first adds an item", () => {
  const lines = linesOfKnownNew([
    planned(2, "A-1"),
    planned(3, "B-1"),
    planned(4, "A-1"),
    planned(5, "C-1", "more"),
    planned(6, "C-1", "more"),
    { ...planned(7, "B-1"), ownerUid: "avery" },
  ]);
  expect([...lines]).toEqual([4]);
});
