// A purge leaves nothing old in the write-ahead log, also where the server keeps its files for reuse.
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { startEmbedded } from "#db/embedded.ts";
import { createPurge } from "#db/purge.ts";

const WORD = "zebulon-was-here";
const FILES = 5;

let dataDir: string;
let server: EmbeddedPostgres;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ledger-purge-"));
  await chmod(dataDir, 0o755);
  server = await startEmbedded({ dataDir, durability: "durable", holder: "script" });
});

afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Files of the log that contain the word. */
async function filesWithWord(): Promise<readonly string[]> {
  const folder = join(dataDir, "postgres", "data", "pg_wal");
  const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/u.test(name));
  const found: string[] = [];
  for (const name of names) {
    if ((await readFile(join(folder, name))).includes(WORD)) {
      found.push(name);
    }
  }
  return found;
}

test("no table is rewritten while an older transaction still sees the deleted rows", async () => {
  const url = server.superuserLedgerUrl;
  const sql = connect(url, { applicationName: "test", maxConnections: 2 });
  await sql`create schema secret`;
  await sql`create table secret.notes as select ${WORD}::text as note`;
  const fileOf = async () => (await sql`select pg_relation_filenode('secret.notes') as file`)[0];
  const purge = createPurge(url);
  const before = await fileOf();
  await sql.begin("isolation level repeatable read", async (older) => {
    await older`select 1`;
    await sql`delete from secret.notes`;
    expect(await purge(["secret"])).toMatchObject({ rowsAreGone: false });
    expect(await fileOf()).toEqual(before);
  });
  expect(await purge(["secret"])).toMatchObject({ rowsAreGone: true });
  expect(await fileOf()).not.toEqual(before);
  await sql.end();
});

test("no file that was kept for reuse has its old contents afterwards, not even the one in use", async () => {
  const sql = connect(server.superuserLedgerUrl, { applicationName: "test", maxConnections: 1 });
  // 14 of a file's 16 MB.
  const write = () =>
    sql`select pg_logical_emit_message(false, 'test', repeat(${`${WORD} `}, 800000))`;
  for (let file = 0; file < FILES; file += 1) {
    await write();
    await sql`select pg_switch_wal()`;
  }
  await sql`checkpoint`;
  await write();
  expect((await filesWithWord()).length).toBeGreaterThanOrEqual(FILES - 1);
  const { logIsGone } = await createPurge(server.superuserLedgerUrl)([]);
  await sql.end();
  expect({ logIsGone, files: await filesWithWord() }).toEqual({ logIsGone: true, files: [] });
});
