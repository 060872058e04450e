// Heads outlive the process that published them: torn lines, kills, full disks and other processes lose none of them.
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { headFilesIn, openHeads } from "#ledger/log/head-files.ts";
import type { HeadLine } from "#ledger/log/head-lines.ts";
import { headLine } from "#ledger/log/head-lines.ts";
import { publishHeads } from "#ledger/log/published-heads.ts";
import type { HeadPublisher, PublisherOptions } from "#ledger/log/published-heads.ts";
import { readHead } from "#ledger/log/read.ts";
import { thinHeads } from "#ledger/log/rewrite-heads.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar } from "#testing/jar/jar.ts";
import { MORE_THAN_FITS, runWithLimitedFiles } from "#testing/service/limited-files.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const SECOND = { position: 2, hash: "b".repeat(64) };
const THIRD = { position: 3, hash: "c".repeat(64) };
const HOST = hostname().replaceAll(/[^\w.-]/gu, "_");

let shop: JarShop;
let first: PublishedHead;
let folder: string;
const open: HeadPublisher[] = [];

beforeAll(async () => {
  shop = await openJarShop();
  await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under("f1"));
  first = await headOfLog();
});

afterAll(() => shop.close());

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), "heads-")), "heads");
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((publisher) => publisher.close()));
  await rm(path.dirname(folder), { recursive: true });
});

async function headOfLog(): Promise<PublishedHead> {
  const { position, hash } = await readHead(shop.database.sql);
  return { position, hash: hash ?? "" };
}

function publisher(options: Partial<PublisherOptions> = {}): HeadPublisher {
  const made = publishHeads({
    folder,
    name: "api",
    sql: shop.database.sql,
    clock: () => NOW,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  open.push(made);
  return made;
}

async function linesIn(file: string): Promise<HeadLine[]> {
  await using opened = await openHeads([file]);
  const lines: HeadLine[] = [];
  for (const source of opened.sources) {
    for await (const some of source.read()) {
      lines.push(...some);
    }
  }
  return lines;
}

const files = () => headFilesIn({ folder, formerFile: `${folder}.log` });
const fileOf = (name: string) => path.join(folder, `${HOST}-${name}.log`);

describe("the published head", () => {
  it("is the newest head of an interval, with the time, in a file named after host and process", async () => {
    const api = publisher();
    api.publish(SECOND);
    api.publish(THIRD);
    await api.close();
    expect(await readFile(fileOf("api"), "utf8")).toBe(
      `3:${"c".repeat(64)} 2026-11-21T10:00:00.000Z\n`,
    );
  });

  it("begins with the head it finds, so that a process killed before it published leaves no gap", async () => {
    await publisher().close();
    expect(await linesIn(fileOf("api"))).toMatchObject([first]);
  });

  it("is written at once when it is asked for, as before a proof", async () => {
    const worker = publisher({ name: "worker", lookEveryMs: 3_600_000, intervalMs: 3_600_000 });
    await worker.catchUp();
    expect(await linesIn(fileOf("worker"))).toMatchObject([{ position: first.position }]);
    await worker.catchUp();
    expect(await linesIn(fileOf("worker"))).toHaveLength(1);
  });

  it("includes events that another process appends, on any machine", async () => {
    publisher({ intervalMs: 1, lookEveryMs: 5 });
    await shop.ledger.execute(fillJar, { jar: "t2", cents: 100 }, under("f2"));
    const head = await headOfLog();
    await expect.poll(async () => (await linesIn(fileOf("api"))).at(-1)).toMatchObject(head);
  });

  it("starts a new line after a line that a full disk tore", async () => {
    await publisher().close();
    await appendFile(fileOf("api"), "2:bbbb");
    const next = publisher();
    next.publish(THIRD);
    await next.close();
    expect((await linesIn(fileOf("api"))).map(({ kind, line }) => [line, kind])).toEqual([
      [1, "head"],
      [2, "torn"],
      [3, "head"],
    ]);
  });

  it("is reported as missing while it cannot be written, and is written once it can be", async () => {
    await writeFile(folder, "a file where the folder should be");
    const errors: Error[] = [];
    let recovered = 0;
    const api = publisher({
      intervalMs: 1,
      onError: (error) => errors.push(error),
      onRecovered: () => (recovered += 1),
    });
    await expect.poll(() => api.failure()).toBeInstanceOf(Error);
    expect(errors).not.toEqual([]);
    await rm(folder);
    await expect.poll(() => api.failure()).toBeNull();
    expect(recovered).toBe(1);
    expect(await linesIn(fileOf("api"))).toHaveLength(1);
  });
});

describe("files", () => {
  it("belong to one process each", async () => {
    await Promise.all([publisher().close(), publisher({ name: "worker" }).close()]);
    expect(await files()).toEqual([fileOf("api"), fileOf("worker")]);
  });

  it("are separate if two processes of the same name run on one host", async () => {
    const one = publisher({ intervalMs: 1 });
    await expect.poll(files).toHaveLength(1);
    await publisher().close();
    expect((await files()).map((file) => path.basename(file))).toEqual([
      `${HOST}-api-2.log`,
      `${HOST}-api.log`,
    ]);
    await one.close();
    expect((await readdir(folder)).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it("of a killed process are taken over by the next of its name, so that they do not pile up", async () => {
    await mkdir(folder);
    // No process has this id: Linux assigns none above four million.
    await symlink("4194399-1-1", path.join(folder, `${HOST}-api.lock`));
    await publisher().close();
    expect(await files()).toEqual([fileOf("api")]);
  });
});

describe("a file that has grown too large", () => {
  const at = (hoursAgo: number, minutes = 0) =>
    new Date(NOW.getTime() - hoursAgo * 3_600_000 + minutes * 60_000);

  it("keeps the last day, one head an hour before it, and every head that the log contradicts", async () => {
    await mkdir(folder);
    const kept = [
      headLine(first, at(50)),
      headLine({ ...first, hash: "e".repeat(64) }, at(50, 2)),
      "not a head",
      headLine(first, at(49)),
      headLine(first, at(20)),
      headLine(first, at(20, 1)),
    ];
    const [a = "", b = "", c = "", d = "", ...rest] = kept;
    const minutes = [3, 17, 59].map((minute) => headLine(first, at(49, minute)));
    await writeFile(
      fileOf("api"),
      [a, headLine(first, at(50, 1)), b, c, d, ...minutes, ...rest, ""].join("\n"),
    );
    await thinHeads(fileOf("api"), shop.database.sql, NOW);
    expect(await readFile(fileOf("api"), "utf8")).toBe(`${kept.join("\n")}\n`);
    expect(await readdir(folder)).toEqual([`${HOST}-api.log`]);
  });

  it("stays as it is where the disk takes only a part of the new one", async () => {
    await mkdir(folder);
    const lines = Array.from({ length: MORE_THAN_FITS / 100 }, () => headLine(first, at(1)));
    const before = `${lines.join("\n")}\n`;
    expect(before.length).toBeGreaterThan(0.9 * MORE_THAN_FITS);
    await writeFile(fileOf("api"), before);
    const said = await runWithLimitedFiles(`
      import { rewriteHeads } from "#ledger/log/rewrite-heads.ts";
      const path = ${JSON.stringify(fileOf("api"))};
      const removed = rewriteHeads(path, async (lines) => lines.slice(1));
      console.log(await removed.catch(({ code }) => code));`);
    expect(said).toBe("EFBIG\n");
    expect(await readFile(fileOf("api"), "utf8")).toBe(before);
  });

  it("is thinned by its process", async () => {
    await mkdir(folder);
    const old = Array.from({ length: 50 }, (_, minute) => headLine(first, at(60, minute)));
    await writeFile(fileOf("api"), `${old.join("\n")}\n`);
    await publisher({ thinFromBytes: 1_000 }).close();
    expect(await linesIn(fileOf("api"))).toHaveLength(2);
  });
});
