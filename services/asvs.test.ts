// The table of ASVS requirements is complete, and names only files and tests that exist.
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";

/** The numbers of levels 1 and 2 in ASVS 5.0.0: section, a dot, and its requirements. */
const numbers = `
1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1 3.2.1-2 3.3.1-4 3.4.1-6
3.5.1-5 3.7.1-2 4.1.1-3 4.2.1 4.3.1-2 4.4.1-4 5.1.1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12
6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2 8.1.1-2
8.2.1-3 8.3.1 8.4.1 9.1.1-3 9.2.1-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2
10.7.1-3 11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1 12.1.1-3 12.2.1-2 12.3.1-4 13.1.1
13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2 14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3 15.3.1-7 16.1.1 16.2.1-5
16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2`;

const states = ["met", "not met", "operator", "not applicable"] as const;

type Row = {
  readonly id: string;
  readonly level: string;
  readonly state: string;
  readonly place: string;
  readonly test: string;
};

let page: string;
let rows: readonly Row[];

beforeAll(async () => {
  page = await readFile(path.join(import.meta.dirname, "asvs.md"), "utf8");
  rows = page
    .split("\n")
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, id = "", level = "", , state = "", place = "", test = ""] = line
        .split("|")
        .map((cell) => cell.trim());
      return { id, level, state, place, test };
    });
});

function expectedIds(): string[] {
  return numbers
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const [chapter = "", section = "", ranges = ""] = word.split(".");
      return ranges.split(",").flatMap((range) => {
        const [first = 0, last = first] = range.split("-").map(Number);
        const count = last - first + 1;
        return Array.from({ length: count }, (_, nth) => `${chapter}.${section}.${first + nth}`);
      });
    });
}

it("every requirement of levels 1 and 2 has one row, in order", () => {
  expect(rows.map(({ id }) => id)).toEqual(expectedIds());
});

it("every row has a state, and a place or a reason", () => {
  const wrong = rows.filter(
    ({ state, place }) => !states.some((each) => each === state) || place === "",
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it("the sums are those of the rows", () => {
  for (const level of ["1", "2"]) {
    const counts = states.map(
      (state) => rows.filter((row) => row.level === level && row.state === state).length,
    );
    expect(page).toContain(`| level ${level} | ${counts.join(" | ")} |`);
  }
});

it("every file that is named exists", async () => {
  const names = rows.flatMap(({ id, place, test }) =>
    [...`${place} ${test}`.matchAll(/`((?:\.\.\/)?\w[\w./-]*\.(?:tsx?|md|json))`/g)].map(
      ([, name = ""]) => ({ id, name }),
    ),
  );
  const missing = await Promise.all(
    names.map(async (named) => {
      const found = await stat(path.join(import.meta.dirname, named.name)).catch(() => undefined);
      return found === undefined ? [named] : [];
    }),
  );
  expect(missing.flat()).toEqual([]);
});

it("every test that is named is in its file", async () => {
  const missing = await Promise.all(
    rows.map(async ({ id, test }) => {
      const [, file, name] = /^`([^`]+)` "(.+)"$/.exec(test) ?? [];
      if (file === undefined || name === undefined) {
        return /^(?:`[^`]+`)?$/.test(test) ? [] : [{ id, test }];
      }
      const text = await readFile(path.join(import.meta.dirname, file), "utf8");
      return text.includes(`"${name}"`) ? [] : [{ id, test }];
    }),
  );
  expect(missing.flat()).toEqual([]);
});
