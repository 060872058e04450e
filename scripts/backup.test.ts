// Back-ups of a filled store: complete, incremental, encrypted, taken while the store sells, killed, and refused by name.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { backUp } from "#db/backup/back-up.ts";
import type { BackupOptions } from "#db/backup/back-up.ts";
import { checkBackup, finishRestore, loadBackup } from "#db/backup/load.ts";
import { readManifest } from "#db/backup/manifest.ts";
import { openDatabase } from "#db/open.ts";
import { parseConfig } from "#config";
import { RESTORES, restoresStream } from "#features/restores/streams.ts";
import { readSealed } from "#identity/sealed-columns.ts";
import { publishedKeys } from "#identity/statement-keys.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { followRestore } from "#process/after-restore.ts";
import { openStore } from "#process/open-store.ts";
import type { Store } from "#process/open-store.ts";
import { restoreStore } from "#process/restore-store.ts";
import { addLamp, contentsOf } from "#testing/backup/copied-rows.ts";
import { leaveWaiting, sentAfter } from "#testing/backup/sent-after.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { filledOnce, testDatabase } from "#testing/database/test-database.ts";
import { TEST_SECRET_KEY, testSealed } from "#testing/service/test-secrets.ts";
import { bookChecks, events, projections, streams } from "../services/features.ts";
import { makeStore } from "./tamper/ground.ts";

const NOW = new Date("2026-11-22T12:00:00.000Z");
const PASSPHRASE = "correct horse battery staple";

const folders: string[] = [];
const open: { close: () => Promise<unknown> }[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "backup-"));
  folders.push(folder);
  return folder;
}

const filled = filledOnce(async ({ appUrl, ownerUrl }) => {
  await makeStore({
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    DATA_DIR: await newFolder(),
    SECRET_KEY: TEST_SECRET_KEY,
  });
}, "empty");

let live: TestDatabase;
let store: Store;
/** A back-up of the store as it was filled, encrypted. */
let first: string;

beforeAll(async () => {
  live = await filled();
  store = await openStore({
    config: parseConfig({
      DATABASE_URL: live.appUrl,
      DATABASE_OWNER_URL: live.ownerUrl,
      DATA_DIR: await newFolder(),
      SECRET_KEY: TEST_SECRET_KEY,
    }),
    logger: pino({ level: "silent" }),
    name: "start",
    works: true,
  });
  await store.identity.parts.statementKeys.sign({});
  await leaveWaiting(live.sql, NOW);
  first = await newFolder();
  await backUp(optionsFor(first));
});

afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close();
  }
});

afterAll(async () => {
  await store.close();
  await live.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

function optionsFor(folder: string, more: Partial<BackupOptions> = {}): BackupOptions {
  const usual = { passphrase: PASSPHRASE, guessCost: 16, clock: () => NOW };
  return { ownerUrl: live.ownerUrl, folder, ...usual, ...more };
}

const write = () => addLamp(store);

/** What a restore does before it makes anything. */
async function check(folder: string, passphrase = PASSPHRASE) {
  const read = await readManifest(folder, passphrase);
  if (read === null) {
    throw new Error("There is no back-up");
  }
  await checkBackup({ folder, manifest: read.manifest });
  return read;
}

async function restore(folder: string): Promise<TestDatabase> {
  const read = await check(folder);
  const target = await testDatabase("empty");
  open.push(target);
  await loadBackup({ folder, ...read, ownerUrl: target.ownerUrl, appRole: "ledger_app" });
  await finishRestore(target.ownerUrl);
  return target;
}

async function copyOf(folder: string): Promise<string> {
  const copy = await newFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}

async function fileWith(folder: string, part: string): Promise<string> {
  const name = (await readdir(folder)).find((each) => each.includes(part));
  return path.join(folder, name ?? "");
}

it("back-ups of what is new restore to every row that the store has, with its triggers", async () => {
  const folder = await copyOf(first);
  for (const after of [1, 2]) {
    await write();
    const report = await backUp(optionsFor(folder));
    expect(report).toMatchObject({ segments: after + 1 });
    expect(report.after).toBeGreaterThan(0);
  }
  const target = await restore(folder);
  expect(await contentsOf(target.ownerSql)).toEqual(await contentsOf(live.ownerSql));
  expect(
    await target.ownerSql`select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`,
  ).toEqual([]);
  expect(await backUp(optionsFor(folder, { isFull: true }))).toMatchObject({
    after: 0,
    segments: 1,
  });
});

it("only the newest copy of the tables with people's data is kept", async () => {
  const folder = await copyOf(first);
  await write();
  await backUp(optionsFor(folder));
  const profiles = (await readdir(folder)).filter((name) => name.includes("identity.profiles"));
  expect(profiles).toEqual(["000002-identity.profiles.copy.zst.sealed"]);
});

it("a full back-up that is taken while the store sells, without a passphrase, has the store of one moment", async () => {
  const folder = await newFolder();
  const before = await contentsOf(live.ownerSql);
  await backUp(optionsFor(folder, { passphrase: null, onSnapshot: write }));
  const target = await restore(folder);
  expect(await contentsOf(target.ownerSql)).toEqual(before);
  expect(await contentsOf(live.ownerSql)).not.toEqual(before);
  await expect(backUp(optionsFor(folder))).rejects.toThrow("are not encrypted");
  const restored = restoreStore({
    folder,
    passphrase: optionsFor(folder).passphrase,
    secretKeys: null,
    heads: [],
    openTarget: () => Promise.reject(new Error("A target was opened")),
  });
  await expect(restored).rejects.toThrow("is not encrypted, and BACKUP_PASSPHRASE is set");
});

it("a second back-up at the same time waits for the first", async () => {
  const folder = await newFolder();
  const waiting = Promise.withResolvers<void>();
  const order: string[] = [];
  let second: Promise<unknown> = Promise.resolve();
  await backUp(
    optionsFor(folder, {
      onSnapshot: async () => {
        second = backUp(optionsFor(folder, { onWaiting: waiting.resolve })).then(() =>
          order.push("second"),
        );
        await waiting.promise;
      },
    }),
  );
  order.push("first");
  await second;
  expect(order).toEqual(["first", "second"]);
});

it("a back-up that ends in the middle leaves the one before it whole, and the next one tidies up", async () => {
  const folder = await copyOf(first);
  const before = await readFile(path.join(folder, "manifest.json"), "utf8");
  await expect(
    backUp(
      optionsFor(folder, {
        onProgress: (_label, done) => {
          if (done === 9) {
            throw new Error("The machine stopped");
          }
        },
      }),
    ),
  ).rejects.toThrow("The machine stopped");
  await writeFile(path.join(folder, "000002-identity.zzz.copy.zst.sealed.part"), "half");
  expect(await readFile(path.join(folder, "manifest.json"), "utf8")).toBe(before);
  await check(folder);
  await backUp(optionsFor(folder));
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
  await check(folder);
});

it("a back-up that is stopped while it copies ends at once, and so does one whose disk takes no more", async () => {
  const folder = await copyOf(first);
  const stop = new AbortController();
  const stopped = optionsFor(folder, {
    signal: stop.signal,
    onSnapshot: () => Promise.resolve(stop.abort(new Error("The worker ends"))),
  });
  await expect(backUp(stopped)).rejects.toThrow("aborted");
  await mkdir(path.join(folder, "000002-log.events.copy.zst.sealed"));
  await expect(backUp(optionsFor(folder))).rejects.toThrow("EISDIR");
  await check(folder);
});

it("a folder that takes no files is refused by its name", async () => {
  for (const folder of ["/proc", "/proc/ledger-backups"]) {
    const message = new RegExp(`^The folder takes no back-up: ENOENT: .+'${folder}`, "u");
    await expect(backUp(optionsFor(folder))).rejects.toThrow(message);
  }
});

it("a file with a changed byte is refused by its name", async () => {
  const folder = await copyOf(first);
  const file = await fileWith(folder, "log.postings");
  const bytes = await readFile(file);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  await writeFile(file, bytes);
  await expect(check(folder)).rejects.toThrow(`${path.basename(file)} was changed`);
});

it("a missing file is refused by its name", async () => {
  const folder = await copyOf(first);
  const file = await fileWith(folder, "log.movements");
  await rm(file);
  await expect(check(folder)).rejects.toThrow(`${path.basename(file)} is missing`);
});

it("a changed manifest is refused, and so is a wrong or missing passphrase", async () => {
  const folder = await copyOf(first);
  await expect(check(folder, "another one")).rejects.toThrow(
    "BACKUP_PASSPHRASE is not the passphrase that this back-up was made with",
  );
  await expect(readManifest(folder, null)).rejects.toThrow(
    "This back-up is encrypted: set BACKUP_PASSPHRASE",
  );
  const file = path.join(folder, "manifest.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("2026-11-22", "2026-11-23"));
  await expect(check(folder)).rejects.toThrow("manifest.json was changed");
});

it("a back-up of a newer program is refused by its migration", async () => {
  const folder = await newFolder();
  await backUp(optionsFor(folder, { passphrase: null }));
  const file = path.join(folder, "manifest.json");
  const text = await readFile(file, "utf8");
  const last = (await readManifest(folder, null))?.manifest.schema.at(-1)?.name ?? "";
  await writeFile(
    file,
    text.replace(last, "9999_newer").replace(`: ${Number(last.slice(0, 4))},`, ": 9999,"),
  );
  await expect(check(folder)).rejects.toThrow("Migration 9999_newer was applied");
});

it("a database that is not empty is not a target", async () => {
  const read = await check(first);
  await expect(
    loadBackup({ folder: first, ...read, ownerUrl: live.ownerUrl, appRole: "ledger_app" }),
  ).rejects.toThrow("is not empty");
});

it("the folder of another store is refused", async () => {
  const other = await filled();
  open.push(other);
  await other.ownerSql`update log.events set hash = sha256('other') where position = 1`;
  await expect(backUp(optionsFor(first, { ownerUrl: other.ownerUrl }))).rejects.toThrow(
    "another store",
  );
});

it("a start backs a store up before it migrates it, and leaves one of a newer program alone", async () => {
  const older = await filled();
  open.push(older);
  const folder = await newFolder();
  const start = () =>
    openDatabase(
      {
        dataDir: folder,
        database: {
          kind: "external",
          appUrl: older.appUrl,
          ownerUrl: older.ownerUrl,
          readUrl: null,
        },
        isProduction: false,
        backup: { folder, passphrase: null },
      },
      "service",
      () => undefined,
    );
  await older.ownerSql`insert into ledger_meta.migrations values (9999, '9999_newer', 'hash')`;
  await expect(start()).rejects.toThrow("Migration 9999_newer was applied");
  expect(await readManifest(folder, null)).toBeNull();
  // The first migration that seems to be missing fails, because its table is there.
  const missing = "0093_discord_confirmations";
  await older.ownerSql`delete from ledger_meta.migrations where name >= ${missing}`;
  await expect(start()).rejects.toThrow(`${missing} failed`);
  const made = await readManifest(folder, null);
  expect(made?.manifest.position).toBeGreaterThan(0);
  expect(made?.manifest.schema.map(({ name }) => name)).not.toContain(missing);
});

it("a restored store lets payouts wait, erases again who was erased after the back-up, and without its key gives up its secrets", async () => {
  const target = await restore(first);
  await ensureProjections({ sql: target.sql, projections, events });
  await createRunner({ sql: target.sql, projections, events }).catchUp();
  const [uid = "", blake = ""] = await Promise.all(
    ["avery", "blake"].map(async (name) => {
      const [present] = await target.sql<{ uid: string }[]>`
        select uid from identity.profiles where username = ${name}`;
      return present?.uid ?? "";
    }),
  );
  const lost = await readSealed(target.sql);
  const published = await publishedKeys(target.sql, testSealed);
  expect(lost.map(({ purpose }) => purpose)).toContain("statement-key");
  const after = await followRestore({
    appUrl: target.appUrl,
    ownerUrl: target.ownerUrl,
    restored: {
      secrets: { sealed: lost.length, lost },
      position: 10,
      backedUpAt: NOW.toISOString(),
      heads: { compared: 1, lostThrough: 14 },
    },
    erased: { signed: [uid], unsigned: [blake] },
    trustsUnsigned: false,
    clock: () => NOW,
  });
  expect(after.unsigned).toEqual([blake]);
  // What was requested and paid is not zero: the deleted user's money is still named.
  expect(after.erasedAgain).toMatchObject([{ uid }]);
  expect(
    await target.sql`select email, username, deactivated_at from identity.profiles where uid = ${uid}`,
  ).toMatchObject([{ email: null, username: null, deactivated_at: NOW }]);
  expect(await readSealed(target.sql)).toEqual([]);
  expect(await target.sql`select from identity.signing_keys`).toHaveLength(0);
  expect((await publishedKeys(target.sql, testSealed)).map(({ kid }) => kid)).toEqual(
    published.map(({ kid }) => kid),
  );
  expect(await sentAfter(target.sql, NOW)).toEqual({
    states: ["dropped restored"],
    tried: 0,
    told: 0,
  });
  const { last } = await readState(
    { sql: target.sql, readEvent: createReadEvent(events) },
    restoresStream,
    RESTORES,
  );
  expect(last).toMatchObject({ restoreId: after.restoreId, isChecked: false, lostThrough: 14 });
  const report = await verifyBooks({
    sql: target.sql,
    events,
    streams,
    projections,
    checks: bookChecks,
    heads: [],
    withoutReplay: true,
  });
  expect(report.problems).toEqual([]);
});
