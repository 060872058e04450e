// Low disk space is reported before the disk is full, once per change, and a refused write counts.
import { tmpdir } from "node:os";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultWarningBytes, hasNoRoom, readFreeSpace } from "#db/free-space.ts";
import { watchStorage } from "#db/storage-watch.ts";
import type { StorageWatch, StorageWatchOptions } from "#db/storage-watch.ts";

const folders = [{ name: "database", path: tmpdir() }];
const gibibyte = 2 ** 30;
let watch: StorageWatch | undefined;
let lines: { level: number; storage: string }[];

beforeEach(() => {
  lines = [];
});

afterEach(() => watch?.close());

function open(options: Partial<StorageWatchOptions>): StorageWatch {
  const logger = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  watch = watchStorage({ folders, warningBytes: 1, logger, ...options });
  return watch;
}

test("with enough space nothing is logged, and the free bytes of each folder are known", async () => {
  const reading = await open({}).look();
  expect(reading.state).toBe("ok");
  expect(reading.folders).toEqual([
    { name: "database", freeBytes: expect.any(Number), sizeBytes: expect.any(Number) },
  ]);
  expect(reading.folders[0]?.freeBytes).toBeGreaterThan(0);
  expect(lines).toEqual([]);
});

test("below the threshold the operator is warned once, however often it is checked", async () => {
  const storage = open({ warningBytes: Number.MAX_SAFE_INTEGER });
  const first = await storage.look();
  expect(first).toMatchObject({ state: "low", message: expect.stringContaining("Little space") });
  await storage.look();
  expect(lines).toMatchObject([{ level: 40, storage: "low" }]);
});

test("a write that failed on a full disk makes the storage full until one succeeds", async () => {
  const storage = open({ folders: [] });
  storage.noteRefused();
  expect(await storage.look()).toMatchObject({
    state: "full",
    message: expect.stringContaining("no space left"),
  });
  storage.noteWritten();
  expect((await storage.look()).state).toBe("ok");
  expect(lines).toMatchObject([
    { level: 50, storage: "full" },
    { level: 30, storage: "ok" },
  ]);
});

test("a refused write without any later write counts only for a while, so that new writes can be tried", async () => {
  const storage = open({ folders: [], refusalCountsForMs: 0 });
  storage.noteRefused();
  expect((await storage.look()).state).toBe("ok");
});

test("a disk without room is only a warning as long as writes succeed, and full once one is refused", async () => {
  const storage = open({ noRoomBytes: Number.MAX_SAFE_INTEGER });
  expect((await storage.look()).state).toBe("full");
  storage.noteWritten();
  expect(await storage.look()).toMatchObject({
    state: "low",
    message: expect.stringContaining("Little space"),
  });
  storage.noteRefused();
  expect((await storage.look()).state).toBe("full");
});

test("the threshold is 1 GiB, or 5% of a larger disk up to 5 GiB", () => {
  expect(defaultWarningBytes(10 * gibibyte)).toBe(gibibyte);
  expect(defaultWarningBytes(40 * gibibyte)).toBe(2 * gibibyte);
  expect(defaultWarningBytes(4_000 * gibibyte)).toBe(5 * gibibyte);
});

test("less than two files of the write-ahead log counts as full", () => {
  const sizeBytes = gibibyte;
  expect(hasNoRoom({ name: "database", freeBytes: 31 * 2 ** 20, sizeBytes })).toBe(true);
  expect(hasNoRoom({ name: "database", freeBytes: 33 * 2 ** 20, sizeBytes })).toBe(false);
});

test("a folder that does not exist yet is left out", async () => {
  expect(await readFreeSpace([{ name: "database", path: "/nowhere/at/all" }])).toEqual([]);
});
