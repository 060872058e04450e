// `npm run verify` as an operator calls it: what it says about heads, its exit codes, and what to do after a restore.
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { parseConfig } from "#config";
import { addItem } from "#features/inventory/decider.ts";
import { openStore } from "#process/open-store.ts";
import { startWorker } from "#process/start-worker.ts";
import { callScript } from "#testing/service/script-host.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

let database: TestDatabase;
let dataDir: string;
let published: string;
let environment: Record<string, string>;

const TIMEOUT = 240_000;

const ITEM_DETAILS = {
  itemName: "Desk lamp",
  listingTitle: "",
  barcode1: "B-1",
  barcode2: "",
  location: "",
  link: "",
  imageUrl: "",
  asin: "",
};

beforeAll(async () => {
  database = await readableDatabase();
});

afterAll(() => database.close());

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "verify-"));
  environment = {
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    // The tests have a folder each and one database.
    SECRET_KEY: "a1b2".padEnd(64, "0123456789abcdef"),
  };
  const store = await openStore({
    config: parseConfig(environment),
    logger: pino({ level: "silent" }),
    name: "start",
    works: true,
  });
  const worker = await startWorker(store);
  await store.ledger.execute(
    addItem,
    {
      itemId: crypto.randomUUID(),
      ownerUid: null,
      details: ITEM_DETAILS,
      quantity: 3,
      source: "manual",
      happenedAt: "2026-11-21T10:00:00.000Z",
    },
    { actor: "system:test", scope: "store", key: crypto.randomUUID(), requestHash: "00" },
  );
  await worker.runner.catchUp();
  await worker.close();
  await store.close();
  const folder = path.join(dataDir, "heads");
  const [name = ""] = await readdir(folder);
  published = path.join(folder, name);
});

afterEach(() => rm(dataDir, { recursive: true }));

async function verify(...options: string[]): Promise<{ code: number; output: string }> {
  const args = ["--without-replay", ...options];
  const { code, out, errors } = await callScript("verify.ts", args, environment);
  return { code, output: out + errors };
}

it(
  "a key of statements that the store did not make is named",
  async () => {
    const { sql } = database;
    await sql`
      insert into identity.statement_keys (kid, public_jwk, private_sealed, created_at)
      values ('planted-key', '{"kty": "EC"}', 'anything', now())`;
    await sql`
      update identity.statement_keys set private_sealed = null, retired_at = now()`;
    const { code, output } = await verify();
    await database.ownerSql`delete from identity.statement_keys`;
    expect(output).toContain(
      "! identity: The key of statements planted-key was not made by the store",
    );
    expect(code).toBe(1);
  },
  TIMEOUT,
);

it(
  "a key of ID tokens that the store did not make is named",
  async () => {
    const { ownerSql } = database;
    await ownerSql`
      insert into identity.signing_keys
        (kid, public_jwk, plain_jwk, created_at, signs_from, published_until)
      values ('planted-key', '{"kty": "EC"}', '{"kty": "EC"}', now(), now(), now() + interval '9 days')`;
    const { code, output } = await verify();
    await ownerSql`delete from identity.signing_keys`;
    expect(output).toContain(
      "! identity: The key of ID tokens planted-key is not as the store made it",
    );
    expect(code).toBe(1);
  },
  TIMEOUT,
);

it(
  "a line that was torn by a full disk is reported, and the proof still exits with 0",
  async () => {
    const head = await readFile(published, "utf8");
    await writeFile(published, `3:abc\n${head}`);
    const { code, output } = await verify();
    expect(output).toContain(`${published}, line 1: the head is torn, and was skipped`);
    expect(output).toContain("The books are right");
    expect(code).toBe(0);
  },
  TIMEOUT,
);

it(
  "heads that a restored log contradicts are set aside and recorded, once an operator accepts that",
  async () => {
    const head = await readFile(published, "utf8");
    const former = path.join(dataDir, "heads.log");
    const beyond = `900:${"0".repeat(64)}`;
    await writeFile(former, `${head}${beyond}\n`);
    await appendFile(published, "somebody was here\n");
    const before = await verify();
    expect(before.code).toBe(1);
    expect(before.output).toContain("position 900 was published");
    const accepted = await verify("--accept-heads");
    expect(accepted.output).toContain("2 lines were set aside");
    expect(accepted.code).toBe(0);
    expect(await verify()).toMatchObject({ code: 0 });
    const record = await readFile(path.join(dataDir, "heads", "accepted.txt"), "utf8");
    expect(record).toMatch(/^# .*: an operator accepted the log as it ends at \d+:[0-9a-f]{64}\n/u);
    expect(record).toContain(`heads.log:2 ${beyond}\n`);
    expect(record).toContain(`${path.basename(published)}:2 somebody was here\n`);
    expect(await readFile(former, "utf8")).toBe(head);
    expect(await readFile(published, "utf8")).toBe(head);
  },
  TIMEOUT,
);

it(
  "a store without its heads is not proved right until an operator accepts that",
  async () => {
    await rm(path.join(dataDir, "heads"), { recursive: true });
    const before = await verify();
    expect(before.output).toContain("No head of the log is published");
    expect(before.code).toBe(1);
    expect(await verify("--accept-heads")).toMatchObject({ code: 0 });
    const again = await verify("--accept-heads");
    expect(again).toMatchObject({ code: 0 });
    expect(again.output).toContain("There is nothing to accept");
  },
  TIMEOUT,
);

it(
  "books that are wrong themselves get no head that confirms them",
  async () => {
    await database.ownerSql`update log.events set actor = 'somebody' where position = 1`;
    await rm(path.join(dataDir, "heads"), { recursive: true });
    const { code, output } = await verify("--accept-heads");
    await database.ownerSql`update log.events set actor = 'system:test' where position = 1`;
    expect(output).toContain("Nothing was accepted");
    expect(code).toBe(1);
    expect(await readdir(dataDir)).not.toContain("heads");
  },
  TIMEOUT,
);

it(
  "several copies of heads can be given, and a wrong path is reported before anything is proved",
  async () => {
    const copy = path.join(dataDir, "copy");
    await writeFile(copy, `900:${"0".repeat(64)}\n`);
    const { code, output } = await verify("--heads", path.dirname(published), copy);
    expect(output).toContain(`${copy}, line 1`);
    expect(code).toBe(1);
    expect(await verify("--heads", path.join(dataDir, "none"))).toMatchObject({ code: 2 });
    expect(await verify("--heads", copy, "--accept-heads")).toMatchObject({ code: 2 });
  },
  TIMEOUT,
);
