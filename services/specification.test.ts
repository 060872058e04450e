// The tables of the specification name only tests and files that exist and still contain the quoted texts.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";

type Row = {
  /** A call, a message, or the address of a screen. */
  readonly what: string;
  /** Its test file, and the text that is looked for in it. */
  readonly file: string;
  readonly text: string;
};

/** A sentence, and the file in which it is carried out. */
type Sentence = Row & { readonly place: string };

const files = new Map<string, Promise<string>>();

/** A file in this folder, in one line; undefined if there is none. */
function fileAt(name: string): Promise<string | undefined> {
  const found =
    files.get(name) ??
    readFile(path.join(import.meta.dirname, name), "utf8").then((text) =>
      text.replaceAll(/\s+/gu, " "),
    );
  files.set(name, found);
  return found.catch(() => undefined);
}

let calls: readonly Row[];
let messages: readonly Row[];
let screens: readonly Row[];
let sentences: readonly Sentence[];

beforeAll(async () => {
  const page = await readFile(path.join(import.meta.dirname, "specification.md"), "utf8");
  const linesUnder = (heading: string): string[] => {
    const [, section = ""] = page.split(`\n## ${heading}\n`);
    const [table = ""] = section.split("\n## ");
    return table.split("\n");
  };
  const rowsUnder = (heading: string): Row[] =>
    linesUnder(heading).flatMap((line) => {
      const [, what, file, text = what] =
        /^\| (.+?) +\| `([^`]+\.test\.tsx?)` +\|(?: ``(.+)`` +\|)?$/u.exec(line) ?? [];
      return what === undefined || file === undefined || text === undefined
        ? []
        : [{ what, file, text: text.trim() }];
    });
  calls = rowsUnder("Calls");
  messages = rowsUnder("Messages");
  screens = rowsUnder("Screens");
  sentences = linesUnder("Sentences").flatMap((line) => {
    const [, what, place, file, text] =
      /^\| (.+?) \| `([^`]+)` \| `([^`]+\.test\.tsx?)` \| ``(.+)`` \|$/u.exec(line) ?? [];
    return what === undefined || place === undefined || file === undefined || text === undefined
      ? []
      : [{ what, place, file, text: text.trim() }];
  });
});

it("has every call, message, screen and sentence of the specification once", () => {
  const tables = [calls, messages, screens, sentences];
  const counted = tables.map((rows) => new Set(rows.map(({ what }) => what)).size);
  expect(counted).toEqual([73, 84, 17, 132]);
  expect(counted).toEqual(tables.map((rows) => rows.length));
});

it("names only test files that exist and have the text", async () => {
  const missing = await Promise.all(
    [...calls, ...messages, ...screens, ...sentences].map(async (row) => {
      const text = await fileAt(row.file);
      return text?.includes(row.text) === true ? [] : [row];
    }),
  );
  expect(missing.flat()).toEqual([]);
});

it("names only places that exist", async () => {
  const found = await Promise.all(sentences.map(({ place }) => fileAt(place)));
  expect(sentences.filter((_, index) => found[index] === undefined)).toEqual([]);
});

it("looks for calls by their own path", () => {
  const wrong = calls.filter(({ what, text }) => {
    const own = what.split("/").findLast((segment) => !segment.startsWith("{"));
    return own === undefined || !text.split(/[^\w-]+/u).includes(own);
  });
  expect(wrong).toEqual([]);
});

it("names only calls that the service has", async () => {
  // `authorization.test.ts` compares these lists with the routes of the app.
  const access = path.join(import.meta.dirname, "testing", "access");
  const more = (await readdir(access)).map((name) => `testing/access/${name}`);
  const listed = (await Promise.all(["authorization.test.ts", ...more].map(fileAt))).join(" ");
  const unknown = calls.filter(({ what }) => {
    const pattern = what.replaceAll(/\{\w+\}/gu, ":\\w+");
    return !new RegExp(`"${pattern}":`, "u").test(listed);
  });
  expect(unknown).toEqual([]);
});
