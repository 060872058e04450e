// Files of exports: whatever happens while one is written, there is a whole file under its name or none.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeWholeFile } from "./whole-file.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "whole-file-"));
  file = path.join(folder, "log.ndjson");
});

afterEach(() => rm(folder, { recursive: true }));

/** Pieces that stop after the first one until `go` is called; `begun` resolves when it was taken. */
function held(name: string) {
  const begun = Promise.withResolvers<undefined>();
  const going = Promise.withResolvers<undefined>();
  async function* pieces() {
    yield `${name} begins\n`;
    begun.resolve(undefined);
    await going.promise;
    yield `${name} ends\n`;
  }
  return { pieces: pieces(), begun: begun.promise, go: () => going.resolve(undefined) };
}

async function* inOne(text: string) {
  yield text;
}

it("of several that write the same file at once, one gives it its name, whole, and the others are refused", async () => {
  const settled = (written: Promise<void>) =>
    written.then(
      () => "written",
      () => "refused",
    );
  const first = held("first");
  const firstEnded = settled(writeWholeFile(first.pieces, file));
  await first.begun;
  const second = await settled(writeWholeFile(inOne("second\n"), file));
  const third = held("third");
  const thirdEnded = settled(writeWholeFile(third.pieces, file));
  await Promise.race([third.begun, thirdEnded]);
  first.go();
  expect([await firstEnded, second]).toEqual(["refused", "written"]);
  // Whatever the third one has written by now, or will not write any more.
  expect(await readFile(file, "utf8")).toBe("second\n");
  third.go();
  expect(await thirdEnded).toBe("refused");
  expect(await readdir(folder)).toEqual(["log.ndjson"]);
});

it("what a killed run left is in nobody's way, and stays what it is", async () => {
  await writeFile(`${file}.part`, "");
  await writeFile(`${file}.0a1b2c3d.part`, "half");
  await writeWholeFile(inOne("whole\n"), file);
  expect(await readFile(file, "utf8")).toBe("whole\n");
  expect((await readdir(folder)).toSorted()).toEqual([
    "log.ndjson",
    "log.ndjson.0a1b2c3d.part",
    "log.ndjson.part",
  ]);
});

it("a file that is there stays as it is, and nothing is read for it", async () => {
  await writeFile(file, "of yesterday\n");
  let isRead = false;
  async function* pieces() {
    isRead = true;
    yield "of today\n";
  }
  await expect(writeWholeFile(pieces(), file)).rejects.toThrow("is there already");
  expect(isRead).toBe(false);
  expect(await readFile(file, "utf8")).toBe("of yesterday\n");
});

it("an error while it is written leaves nothing", async () => {
  async function* pieces() {
    yield "begins\n";
    throw new Error("the database is gone");
  }
  await expect(writeWholeFile(pieces(), file)).rejects.toThrow("the database is gone");
  expect(await readdir(folder)).toEqual([]);
});

it("a run that is stopped says so, and leaves nothing", async () => {
  const stop = new AbortController();
  async function* pieces() {
    yield "begins\n";
    stop.abort(new Error("Stopped; nothing was written"));
    yield "ends\n";
  }
  await expect(writeWholeFile(pieces(), file, stop.signal)).rejects.toThrow("Stopped; nothing");
  expect(await readdir(folder)).toEqual([]);
});

it("a place where nothing can be written is named", async () => {
  const nowhere = path.join(folder, "no-folder", "log.ndjson");
  await expect(writeWholeFile(inOne("whole\n"), nowhere)).rejects.toThrow(
    `${nowhere} was not written: ENOENT`,
  );
});
