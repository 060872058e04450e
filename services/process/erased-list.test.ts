// The list of erased people is signed: a line that somebody else added is recognized, and a torn line is ignored.
import { appendFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newNote } from "#identity/notes.ts";
import { createSealed } from "#identity/sealed.ts";
import { followRestore } from "#process/after-restore.ts";
import { listErased, readErased } from "#process/erased-list.ts";
import { readKeptOutside } from "#process/kept-outside.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { describeAfter } from "../../scripts/restore-report.ts";

const avery = "avery-avery-avery-avery";
const blake = "blake-blake-blake-blake";
const AT = "2026-11-22T12:00:00.000Z";

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "erased-list-"));
  await database.ownerSql`insert into identity.erasures (uid, erased_at) values (${avery}, ${AT})`;
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function list(sealed = testSealed, into = folder): Promise<void> {
  const logger = pino({ level: "silent" });
  return listErased({ sql: database.sql, folders: [into], sealed, logger });
}

test("each erased person is listed once, and only lines that the store signed count as signed", async () => {
  const file = join(folder, "erased.txt");
  await list();
  const written = await readFile(file, "utf8");
  await list();
  expect(await readFile(file, "utf8")).toBe(written);

  await appendFile(file, `${blake} ${AT} ${"0".repeat(64)}\ntorn-line`);
  const folders = [folder, join(folder, "none")];
  expect(await readErased(folders, testSealed)).toEqual({ signed: [avery], unsigned: [blake] });
  expect(await readErased(folders, null)).toEqual({ signed: [], unsigned: [avery, blake] });
});

test("lines of the state before are signed at the next look, and with a new key again", async () => {
  await appendFile(join(folder, "erased.txt"), `${avery} ${AT}\n`);
  expect(await readErased([folder], testSealed)).toEqual({ signed: [], unsigned: [avery] });
  await list();
  expect(await readErased([folder], testSealed)).toEqual({ signed: [avery], unsigned: [] });
  const other = createSealed({ current: Buffer.alloc(32, 9), previous: [] });
  expect(await readErased([folder], other)).toEqual({ signed: [], unsigned: [avery] });
  await list(other);
  expect(await readErased([folder], other)).toEqual({ signed: [avery], unsigned: [] });
});

test("a restore into another folder reads the heads and the list of the configured one too", async () => {
  const heads = join(folder, "live", "heads");
  await mkdir(heads, { recursive: true });
  await list(testSealed, heads);
  await appendFile(join(heads, "a.log"), "");
  const dataDirs = [join(folder, "new"), join(folder, "live"), join(folder, "live", ".")];
  const backup = join(folder, "backup");
  const kept = await readKeptOutside({ backup, dataDirs, named: [] }, testSealed);
  expect(kept).toEqual({
    heads: [join(heads, "a.log")],
    erased: { signed: [avery], unsigned: [] },
  });
  const after = { restoreId: "r", erasedAgain: [], unsigned: [] };
  const secrets = { secrets: { sealed: 0, lost: [] } };
  expect(describeAfter(after, secrets, kept).join("\n")).not.toContain("No published heads");
  const none = await readKeptOutside({ backup, dataDirs: [backup], named: [] }, testSealed);
  expect(describeAfter(after, secrets, none)[0]).toContain(
    "No published heads and no list of erased people were found",
  );
});

test("the number of a certificate that was erased after the back-up is erased again, with an event", async () => {
  const store = await readableDatabase();
  try {
    const { sql, appUrl } = store;
    const [erased, kept] = [newNote("TX-1", null), newNote("TX-2", null)];
    for (const { id, salt, text } of [erased, kept]) {
      await sql`insert into identity.notes (id, salt, text) values (${id}, ${salt}, ${text})`;
    }
    const heads = { compared: 0, lostThrough: null };
    await followRestore({
      appUrl,
      ownerUrl: database.ownerUrl,
      restored: { position: 0, backedUpAt: AT, heads, secrets: { sealed: 0, lost: [] } },
      erased: {
        signed: [`note:${erased.id}`, avery],
        unsigned: [`note:${kept.id}`, "note:no-such-note-at-all"],
      },
      trustsUnsigned: false,
      clock: () => new Date(AT),
    });
    const ids = await sql<{ id: string }[]>`select id from identity.notes`;
    expect(ids.map(({ id }) => id)).toEqual([kept.id]);
    const events = await sql<{ data: unknown }[]>`
      select data from log.events where type = 'TaxCertificateErased'`;
    expect(events.map(({ data }) => data)).toEqual([{ saleId: null, noteIds: [erased.id] }]);
    expect(await sql`select uid from identity.erasures`).toMatchObject([
      { uid: `note:${erased.id}` },
    ]);
  } finally {
    await store.close();
  }
});
