// Files of heads in any condition: harmless damage is reported, and anything that weakens the proof is a finding.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { headFilesAt, headFilesIn, openHeads } from "#ledger/log/head-files.ts";
import { checkHeads, headsInHand } from "#ledger/verify/heads.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar } from "#testing/jar/jar.ts";

const EVENTS = 6;

let shop: JarShop;
let folder: string;
/** `heads[3]` is the line of the head at position 3. */
let heads: string[];

beforeAll(async () => {
  shop = await openJarShop();
  for (let number = 1; number <= EVENTS; number += 1) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: number }, under(`f${number}`));
  }
  await recordEvery("1 second");
  const rows = await shop.database.sql<{ line: string }[]>`
    select position || ':' || encode(hash, 'hex') as line from log.events order by position`;
  heads = ["", ...rows.map(({ line }) => line)];
});

afterAll(() => shop.close());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "heads-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** Sets the times at which the events were recorded; nothing here checks the chain. */
async function recordEvery(interval: string): Promise<void> {
  await shop.database.ownerSql`
    update log.events set recorded_at = '2026-11-21T10:00:00Z'::timestamptz + position * ${interval}::interval`;
}

async function write(name: string, lines: readonly string[], end = "\n"): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, lines.join("\n") + end);
  return file;
}

const line = (position: number) => heads[position] ?? "";
const place = () => ({
  folder: path.join(folder, "heads"),
  formerFile: path.join(folder, "heads.log"),
});

async function check(files?: readonly string[]) {
  await using opened = await openHeads(files ?? (await headFilesIn(place())));
  return await shop.database.sql.begin((snapshot) => checkHeads(snapshot, opened.sources, EVENTS));
}

describe("a line that a full disk tore", () => {
  it("is reported with its file and number and skipped, and does no harm", async () => {
    const file = await write("heads/a-start.log", [line(1), line(2).slice(0, 40), line(6)]);
    const { problems, report } = await check();
    expect(problems).toEqual([]);
    expect(report).toMatchObject({ compared: 2, through: 6 });
    expect(report.torn).toEqual([`${file}, line 2: the head is torn, and was skipped`]);
  });

  it("is recognized also if the next head was written after it on the same line, as older programs did", async () => {
    const file = await write("heads.log", [line(1), line(2).slice(0, 40) + line(3), line(6)]);
    const { problems, report } = await check();
    expect(problems).toEqual([]);
    expect(report.torn).toEqual([`${file}, line 2: the head is torn, and was skipped`]);
  });

  it("is recognized if a power cut left zeros", async () => {
    await write("heads.log", [line(1), "\0".repeat(500), `\0\0${line(3)}`, line(6)]);
    const { problems, report } = await check();
    expect(problems).toEqual([]);
    expect(report.torn).toHaveLength(2);
  });

  it("is not reported at the file's end, where a kill leaves it", async () => {
    await write("heads.log", [line(6), line(2).slice(0, 20)], "");
    expect(await check()).toMatchObject({ problems: [], report: { torn: [], compared: 1 } });
  });
});

describe("findings", () => {
  it("name file and line of something that is not a head or part of one", async () => {
    const file = await write("heads/a-start.log", [line(1), "# nothing to see here", line(6)]);
    const { problems } = await check();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ check: "head" });
    expect(problems[0]?.message).toContain(`${file}, line 2: this is not a head`);
    expect(problems[0]?.message).toContain("npm run verify -- --accept-heads");
  });

  it("name file, line and position of a head that the log contradicts, and count the others", async () => {
    await write("heads/a-api.log", [line(1), line(6)]);
    const other = await write("heads/b-api.log", [
      line(1),
      `3:${"0".repeat(64)}`,
      `4:${"0".repeat(64)}`,
    ]);
    const { problems } = await check();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ check: "head", position: 3 });
    expect(problems[0]?.message).toContain(`(${other}, line 2, and 1 more in it)`);
  });

  it("say that the end was cut off if a head is beyond the log's end", async () => {
    await write("heads.log", [line(6), `9:${"0".repeat(64)}`, `8:${"0".repeat(64)}`]);
    const { problems } = await check();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ check: "head", position: 7 });
    expect(problems[0]?.message).toMatch(/ends at 6, but position 9 was published/u);
  });

  it("say what to do if no head was ever published", async () => {
    await write("heads.log", []);
    const { problems } = await check();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ check: "head", position: 1 });
    expect(problems[0]?.message).toMatch(/No head of the log is published/u);
    expect(problems[0]?.message).toMatch(/--heads PATH.*npm run verify -- --accept-heads/u);
  });

  it("are given if all heads together end a minute before the newest event", async () => {
    await recordEvery("20 seconds");
    await write("heads/a-api.log", [line(1)]);
    await write("heads/b-api.log", [line(2)]);
    const { problems } = await check();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ check: "head", position: 3 });
    expect(problems[0]?.message).toMatch(/end at 2 .* goes on to 6/u);
  });

  it("are not given if one of many files reaches the end", async () => {
    await recordEvery("20 seconds");
    await write("heads/a-api.log", [line(1)]);
    await write("heads/b-api.log", [line(5)]);
    expect(await check()).toMatchObject({ problems: [], report: { sources: 2, through: 5 } });
  });

  it("are not given if a process was killed right after an event that followed a quiet hour", async () => {
    await recordEvery("1 hour");
    await write("heads.log", [line(5)]);
    expect((await check()).problems).toEqual([]);
  });
});

describe("heads that were kept elsewhere", () => {
  it("are read from any number of files and folders", async () => {
    await write("copies/a-api.log", [line(1)]);
    await write("copies/b-api.log", [line(6)]);
    await write("copies/accepted.txt", ["9:0"]);
    const single = await write("single", [line(4)]);
    const files = await headFilesAt([single, path.join(folder, "copies")]);
    expect(await check(files)).toMatchObject({ problems: [], report: { sources: 3, compared: 3 } });
  });

  it("are refused if a path leads nowhere or to an empty folder", async () => {
    await expect(headFilesAt([path.join(folder, "none")])).rejects.toThrow(
      "There is no file or folder",
    );
    await expect(headFilesAt([folder])).rejects.toThrow("There are no files of heads");
  });

  it("are compared a few at a time, however many there are", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => line(1 + (index % EVENTS)));
    many.splice(15_000, 0, `2:${"0".repeat(64)}`, "x".repeat(1_000_000));
    await write("heads.log", many);
    const { problems, report } = await check();
    expect(report).toMatchObject({ compared: 20_001, through: 6 });
    expect(problems.map(({ message }) => /line \d+/u.exec(message)?.[0])).toEqual([
      "line 15001",
      "line 15002",
    ]);
  });

  it("that are published after verify started are left to the next run", async () => {
    const file = await write("heads.log", [line(6)]);
    await using opened = await openHeads([file]);
    await write("heads.log", [line(6), `7:${"0".repeat(64)}`]);
    const { problems } = await shop.database.sql.begin((snapshot) =>
      checkHeads(snapshot, opened.sources, EVENTS),
    );
    expect(problems).toEqual([]);
  });

  it("may be given by hand", async () => {
    const { problems } = await shop.database.sql.begin((snapshot) =>
      checkHeads(
        snapshot,
        [headsInHand("--head", [{ position: 2, hash: "0".repeat(64) }])],
        EVENTS,
      ),
    );
    expect(problems[0]?.message).toContain("(--head, line 1)");
  });
});
