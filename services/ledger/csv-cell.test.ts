// No text becomes a formula in a spreadsheet, whatever it takes for the border of a cell, and every text comes back.
import * as fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { csvCell, guardCell, bareCell } from "#ledger/csv-cell.ts";
import { sized } from "#testing/trial/size.ts";

const piece = fc.constantFrom(
  "=",
  "+",
  "-",
  "@",
  "'",
  '"',
  ";",
  ",",
  "\t",
  "\r",
  "\n",
  " ",
  "a",
  "1",
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const runs = { numRuns: sized(500, 20_000) };

describe("a text in a CSV file", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["x;=1+1", '"x;\'=1+1"'],
    ['x;"=1+1', '"x;\'""=1+1"'],
    ["x\n@SUM(1)", '"x\n\'@SUM(1)"'],
    ["\uFF1D1+1", "'\uFF1D1+1"],
    ["5 x 3; -2", '"5 x 3;\' -2"'],
    ["Lamp, = new", '"Lamp, = new"'],
    ["O'Neil; 1-2", '"O\'Neil; 1-2"'],
  ])("%j is written as %j", (given, written) => {
    expect(csvCell(given)).toBe(written);
  });

  it("never begins a cell like a formula, with commas, semicolons and tabs as borders", () => {
    fc.assert(
      fc.property(fc.tuple(text, text, text), (cells) => {
        const file = `${cells.map(csvCell).join(",")}\r\n`;
        for (const delimiter of [",", ";", "\t"]) {
          const { data } = Papa.parse<string[]>(file, { delimiter });
          expect(data.flat().filter((cell) => /^\s*[=+\-@]/u.test(cell))).toEqual([]);
        }
      }),
      runs,
    );
  });

  it("comes back as it was", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(bareCell(guardCell(given))).toBe(given);
      }),
      runs,
    );
  });
});
