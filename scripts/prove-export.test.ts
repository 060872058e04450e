// An export of the log and the file that proves it: a changed byte, a missing or swapped line and a cut tail are named.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { positionAt } from "#http/as-of.ts";
import { readsOver } from "#http/reads.ts";
import { exportLog } from "#ledger/log/export-log.ts";
import { readHead } from "#ledger/log/read.ts";
import { compiledModules } from "#testing/service/service-process.ts";
import { callScript } from "#testing/service/script-host.ts";
import { openSaleShop, saleIdOf, saleOf, type SaleShop } from "#testing/shop/sale-shop.ts";
import { sized } from "#testing/trial/size.ts";

let sales: SaleShop;
let folder: string;
let whole: string[];
let head: string;

beforeAll(async () => {
  sales = await openSaleShop();
  folder = await mkdtemp(path.join(tmpdir(), "export-"));
  const owner = await sales.consignorWith(9, 'Łampa \u2028 "quoted"');
  const saleId = saleIdOf(await sales.record(saleOf(owner)));
  await sales.correct(saleId, { salePrice: 60 });
  await sales.refund(saleId, { quantity: 1, restock: true, reason: "Came back" });
  const { position, hash } = await readHead(sales.shop.database.sql);
  head = `${position}:${hash}`;
  whole = await linesOf(1, position);
});

afterAll(async () => {
  await sales.close();
  await rm(folder, { recursive: true });
});

async function linesOf(from: number, to: number): Promise<string[]> {
  let text = "";
  for await (const piece of exportLog(sales.shop.database.sql, { from, to })) {
    text += piece;
  }
  return text.split("\n").slice(0, -1);
}

type Ran = { readonly code: number; readonly out: string };

/** By itself, as an auditor calls it. */
function proveFiles(args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const call = [path.join(import.meta.dirname, "prove-export.mjs"), ...args];
    const child = execFile(process.execPath, call, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, out: stdout }),
    );
  });
}

let files = 0;

/** Each content is proved as a file of its own, all by one process. */
async function proveAll(contents: readonly (string | Buffer)[], ...args: readonly string[]) {
  const paths = contents.map(() => path.join(folder, `export-${(files += 1)}.ndjson`));
  await Promise.all(paths.map((file, index) => writeFile(file, contents[index] ?? "")));
  const { code, out } = await proveFiles([...paths, "--json", ...args]);
  const results = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  return { code, results };
}

async function prove(content: string | Buffer, ...args: readonly string[]) {
  const { code, results } = await proveAll([content], ...args);
  return { code, result: results[0] };
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Replaces one line; line 1 is the first event. */
const withLine = (line: number, change: (text: string) => string): string =>
  textOf(whole.map((text, index) => (index === line ? change(text) : text)));

const refusal = (code: string, line: number | null = null): unknown =>
  expect.objectContaining({ proved: false, refusal: expect.objectContaining({ code, line }) });

const refused = (code: string, line: number | null = null) => ({
  code: 1,
  result: refusal(code, line),
});

type Change = readonly [what: string, change: (text: string) => string, code: string];

const changes: readonly Change[] = [
  ["amount", (text) => text.replace('"cents":', '"cents":1'), "fields"],
  ["actor", (text) => text.replace('"actor":"', '"actor":"x'), "fields"],
  ["answer", (text) => text.replace(/"answerHash":"./u, '"answerHash":"z'), "shape"],
  ["time", (text) => text.replace(/"recordedAtMicros":"\d/u, '"recordedAtMicros":"9'), "link"],
  [
    "hash",
    (text) =>
      text.replace(/"hash":"(.)/u, (_all, digit: string) => `"hash":"${digit === "0" ? "1" : "0"}`),
    "link",
  ],
  ["added field", (text) => text.replace("{", '{"a":1,'), "shape"],
  ["added space", (text) => text.replace(",", ", "), "not_canonical"],
  ["repeated field", (text) => text.replace("{", '{"actor":"x",'), "not_canonical"],
  ["broken JSON", (text) => text.slice(1), "not_json"],
  ["carriage return", (text) => `${text}\r`, "not_canonical"],
];

describe("an export of the whole log", () => {
  it("is proved with its head, and money and units sum to zero by kind of account", async () => {
    const [position] = head.split(":");
    expect(await prove(textOf(whole), "--head", head)).toMatchObject({
      code: 0,
      result: {
        proved: true,
        from: 1,
        to: Number(position),
        head,
        headsCompared: 1,
        cents: { "world:customers": "-3000", "consignor:*:available": "1375" },
        units: { "item:*": "8", "world:received": "-9", "world:sold": "1" },
      },
    });
  });

  it("has no names, and nothing but what the chain covers", () => {
    expect(textOf(whole)).not.toMatch(/@people\.test|Consignor \d|Came back/u);
  });

  it("with a change in an event is refused by name, with its line", async () => {
    const line = whole.findIndex((text) => text.includes('"cents":'));
    const { code, results } = await proveAll(changes.map(([, change]) => withLine(line, change)));
    expect(code).toBe(1);
    expect(results).toEqual(changes.map(([, , name]) => refusal(name, line + 1)));
  });

  it("with any other byte anywhere is refused", async () => {
    const bytes = Buffer.from(textOf(whole));
    const changed = Array.from({ length: sized(100, 3_000) }, (_, index) => {
      const other = Buffer.from(bytes);
      const at = createHash("sha256").update(String(index)).digest().readUInt32BE() % bytes.length;
      other[at] = ((bytes[at] ?? 0) + 1 + (index % 255)) % 256;
      return other;
    });
    const { results } = await proveAll(changed);
    expect(results).toHaveLength(changed.length);
    expect(results.filter((result) => !("refusal" in result))).toEqual([]);
  });

  it("with a missing, swapped or repeated line is refused by name", async () => {
    const [third = "", fourth = ""] = whole.slice(3, 5);
    const { results } = await proveAll([
      textOf(whole.toSpliced(3, 1)),
      textOf(whole.toSpliced(3, 2, fourth, third)),
      textOf(whole.toSpliced(3, 0, third)),
      textOf(whole.slice(1)),
      textOf([...whole, third]),
      "",
    ]);
    expect(results).toEqual([
      refusal("gap", 4),
      refusal("gap", 4),
      refusal("order", 5),
      refusal("kind", 1),
      refusal("after_end", whole.length + 1),
      refusal("cut_off", 1),
    ]);
  });

  it("with a cut tail is refused, also if its last line was written anew, against a head", async () => {
    const cut = [textOf(whole.slice(0, -1)), textOf(whole).slice(0, -1)];
    expect(await proveAll(cut)).toEqual({
      code: 1,
      results: [refusal("cut_off", whole.length), refusal("cut_off", whole.length)],
    });
    const { position } = await readHead(sales.shop.database.sql);
    const shorter = textOf(await linesOf(1, position - 1));
    expect(await prove(shorter)).toMatchObject({ code: 0, result: { headsCompared: 0 } });
    expect(await prove(shorter, "--head", head)).toEqual(refused("head_beyond"));
    const heads = path.join(folder, "heads.log");
    await writeFile(heads, `12:tor\n${head} 2026-11-21T10:00:00.000Z\n`);
    expect(await prove(shorter, "--heads", heads)).toEqual(refused("head_beyond"));
    expect(await prove(textOf(whole), "--heads", heads)).toMatchObject({
      code: 0,
      result: { headsCompared: 1, torn: 1 },
    });
  });

  it("that was written anew from another log is refused against a head", async () => {
    const other = `${head.split(":")[0]}:${"ab".repeat(32)}`;
    expect(await prove(textOf(whole), "--head", other)).toEqual(
      refused("head_differs", whole.length - 1),
    );
  });
});

describe("an export of a part", () => {
  it("is proved as one, and refused as the whole log", async () => {
    const part = textOf(await linesOf(3, 5));
    expect(await prove(part)).toEqual(refused("not_whole", 1));
    expect(await prove(part, "--part")).toMatchObject({
      code: 0,
      result: { from: 3, to: 5, events: 3 },
    });
    const { hash } = JSON.parse(whole[2] ?? "") as { hash: string };
    expect(await prove(part, "--part", "--head", `2:${hash}`)).toMatchObject({ code: 0 });
    expect(await prove(part, "--part", "--head", `2:${"0".repeat(64)}`)).toEqual(
      refused("head_differs", 1),
    );
  });

  it("begins and ends where it was asked to by time", async () => {
    const { sql } = sales.shop.database;
    const rows = await sql<{ position: number; at: string }[]>`
      select position, to_json(recorded_at) #>> '{}' as at from log.events order by position`;
    const { reads } = readsOver(sql);
    const last = (instant: string, isIncluded: boolean) =>
      positionAt(reads, { instant, isIncluded }, rows.length);
    for (const { position, at } of rows) {
      const until = rows.findLast((row) => row.at <= at)?.position;
      expect(await last(at, true)).toBe(until);
      expect(await last(at, false)).toBeLessThan(position);
    }
    expect(await last("2000-01-01T00:00:00Z", true)).toBe(0);
  });
});

it("npm run export-log writes a file that is proved, never over another, and nothing for an empty range", async () => {
  const { appUrl, ownerUrl } = sales.shop.database;
  const environment = { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: folder };
  const out = path.join(folder, "log.ndjson");
  const day = new Date().toISOString().slice(0, 10);
  const args = ["--from", "2026-01-01", "--to", day, "--out", out, "--json"];
  expect(await callScript("export-log.ts", args, environment)).toMatchObject({ code: 0 });
  expect(await readFile(out, "utf8")).toBe(textOf(whole));
  expect(await callScript("export-log.ts", args, environment)).toMatchObject({ code: 1 });
  const nothing = ["--from", "999", "--out", path.join(folder, "nothing")];
  expect(await callScript("export-log.ts", nothing, environment)).toMatchObject({
    code: 1,
    out: "",
  });
}, 60_000);

it.each(["/dev/full", "a pipe that nobody reads"])(
  "npm run export-log to %s fails: its part must not pass for an export",
  async (where) => {
    const { appUrl, ownerUrl } = sales.shop.database;
    const full = await open("/dev/full", "w");
    const script = path.join(import.meta.dirname, "export-log.ts");
    const child = spawn(process.execPath, [script], {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compiledModules,
        DATABASE_URL: appUrl,
        DATABASE_OWNER_URL: ownerUrl,
        DATA_DIR: folder,
      },
      stdio: ["ignore", where === "/dev/full" ? full.fd : "pipe", "pipe"],
    });
    child.stdout?.destroy();
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = await once(child, "close");
    await full.close();
    expect(errors).toMatch(where === "/dev/full" ? /ENOSPC/u : /EPIPE/u);
    expect(errors).not.toMatch(/\n\s+at /u);
    expect(code).toBe(1);
  },
  60_000,
);
