// A cell of an export is text in every locale's spreadsheet, and an import reads what was exported.
import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { bareCell, guardCell } from "#ledger/csv-cell.ts";
import { csvText } from "#http/csv.ts";

/** Texts made of what separates cells, quotes them, and begins formulas. */
const tricky = fc.string({
  unit: fc.constantFrom(..."a1=+-@'\"; ,\t\n\r\uFF1D\uFF0B".split("")),
  maxLength: 12,
});

/** How a spreadsheet with this separator sees the file; one without ours takes quotes as they come. */
function cellsIn(file: string, delimiter: "," | ";" | "\t"): string[] {
  return delimiter === ","
    ? Papa.parse<string[]>(file, { delimiter, newline: "\r\n" }).data.flat()
    : file.split(/[\r\n]/u).flatMap((line) => line.split(delimiter));
}

const runs = /^["\s]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u;

test("no cell begins a formula, whether a spreadsheet separates with commas, semicolons or tabs", () => {
  fc.assert(
    fc.property(tricky, (text) => {
      const file = csvText(["head"], [["first", text]]);
      for (const delimiter of [",", ";", "\t"] as const) {
        expect(cellsIn(file, delimiter).filter((cell) => runs.test(cell))).toEqual([]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("what was exported is what is imported", () => {
  fc.assert(
    fc.property(tricky, (text) => {
      expect(bareCell(guardCell(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["Lamp; =HYPERLINK(A1)", "Lamp;' =HYPERLINK(A1)"],
  ["Lamp\t@SUM(A1)", "Lamp\t'@SUM(A1)"],
  ['Lamp;"=1+1"', 'Lamp;\'"=1+1"'],
  ["two\n-1", "two\n'-1"],
  ["\uFF1D1+1", "'\uFF1D1+1"],
  ["Lamp, 5 - 6 W", "Lamp, 5 - 6 W"],
  ["O'Neill; a = b", "O'Neill; a = b"],
])("%j is written as %j", (text, written) => {
  expect(guardCell(text)).toBe(written);
});
