// Heads outlive the process that published them, and a torn line loses only itself.
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { publishHeads, readPublishedHeads } from "#ledger/log/published-heads.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "heads-"));
});

afterEach(() => rm(folder, { recursive: true }));

const fail = (error: unknown) => {
  throw error;
};

it("writes the newest head of an interval and leaves out a line that a kill tore", async () => {
  const file = path.join(folder, "deep", "heads.log");
  const publisher = publishHeads(file, fail);
  publisher.publish({ position: 1, hash: "a".repeat(64) });
  publisher.publish({ position: 2, hash: "b".repeat(64) });
  await publisher.close();
  await appendFile(file, "3:cccc");
  expect(await readPublishedHeads(file)).toEqual([{ position: 2, hash: "b".repeat(64) }]);
  expect(await readFile(file, "utf8")).toMatch(/^2:b{64}\n3:cccc$/u);
});

it("has none where nothing was published", async () => {
  expect(await readPublishedHeads(path.join(folder, "none.log"))).toEqual([]);
});

it("tells of a file that it cannot write, and goes on", async () => {
  const errors: unknown[] = [];
  const publisher = publishHeads("/dev/null/heads.log", (error) => errors.push(error));
  publisher.publish({ position: 1, hash: "a".repeat(64) });
  await publisher.close();
  expect(errors).toHaveLength(1);
});
