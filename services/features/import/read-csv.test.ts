// Reading CSV: rows and their line numbers are the same however the file is cut into blocks.
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { csvText } from "#http/csv.ts";
import type { CsvRow } from "./read-csv.ts";
import { readCsv } from "./read-csv.ts";
import { readText } from "./read-text.ts";
import type { TextBlock } from "./read-text.ts";

async function* blocksOf(texts: readonly string[]): AsyncGenerator<TextBlock> {
  for (const [index, text] of texts.entries()) {
    yield await Promise.resolve({ text, isLast: index === texts.length - 1 });
  }
}

async function all(rows: AsyncIterable<CsvRow>): Promise<CsvRow[]> {
  const read: CsvRow[] = [];
  for await (const row of rows) {
    read.push(row);
  }
  return read;
}

/** Cuts a text after the line ends that `cuts` selects. */
function cut(text: string, cuts: readonly boolean[]): string[] {
  const lines = text.split(/(?<=\n)/);
  const blocks = [""];
  for (const [index, line] of lines.entries()) {
    blocks[blocks.length - 1] += line;
    if (cuts[index % cuts.length] === true) {
      blocks.push("");
    }
  }
  return blocks;
}

const cell = fc.stringMatching(/^[a-c",\n é🦆]{0,6}$/u);
const row = fc.array(cell, { minLength: 2, maxLength: 4 });

function written(cells: readonly string[]): string {
  return cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
}

it("reads the same rows with the same line numbers wherever the blocks end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      async (rows, cuts, endsOpen) => {
        const expected: CsvRow[] = [];
        let line = 1;
        for (const cells of rows) {
          const trimmed = cells.map((text) => text.trim());
          if (trimmed.join("") !== "") {
            expected.push({ line, cells: trimmed });
          }
          line += 1 + cells.join("").split("\n").length - 1;
        }
        const text = rows.map(written).join("\n") + (endsOpen ? "" : "\n");
        expect(await all(readCsv(blocksOf(cut(text, cuts))))).toEqual(expected);
      },
    ),
  );
});

it("reads what our exports write, without the apostrophe that protects from formulas", async () => {
  const text = fc.stringMatching(/^[a-b'=+\-@,"0-9 ]{1,6}$/).map((cell) => cell.trim());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constant("#"), text, text), { minLength: 1, maxLength: 8 }),
      async (rows) => {
        const read = await all(
          readCsv(blocksOf([csvText(["#", "a", "b"], rows).replaceAll("\r", "")])),
        );
        expect(read.slice(1).map(({ cells }) => cells)).toEqual(rows);
      },
    ),
    {
      examples: [
        [
          [
            ["#", "-1795", "=1+1"],
            ["#", "@home", "'twas"],
            ["#", "'=1", "''-1"],
          ],
        ],
      ],
    },
  );
});

it("reads a file of many blocks with a byte order mark, both line ends and split letters", async () => {
  const folder = await mkdtemp(join(tmpdir(), "csv-"));
  try {
    const path = join(folder, "long.csv");
    const lines = Array.from({ length: 40_000 }, (_, index) => `${index},"é🦆 ${index}\r\n",€`);
    const text = `\uFEFF${lines.join("\r\n")}`;
    await writeFile(path, text);
    const hash = createHash("sha256");
    const rows = await all(readCsv(readText(path, hash)));
    expect(rows).toHaveLength(40_000);
    expect(rows[0]).toEqual({ line: 1, cells: ["0", "é🦆 0", "€"] });
    expect(rows.at(-1)).toEqual({ line: 79_999, cells: ["39999", "é🦆 39999", "€"] });
    expect(hash.digest("hex")).toBe(createHash("sha256").update(text).digest("hex"));
  } finally {
    await rm(folder, { recursive: true });
  }
});
