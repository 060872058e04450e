// A dump signs nothing: keys are sealed at the first start, sealed again with a new key, and given up only when asked.
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compactVerify, CompactSign, exportJWK, generateKeyPair, importJWK } from "jose";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "#config";
import { backUp } from "#db/backup/back-up.ts";
import { openDatabase } from "#db/open.ts";
import { createPurge } from "#db/purge.ts";
import { secretKeyId } from "#identity/sealed.ts";
import { readSealed } from "#identity/sealed-columns.ts";
import { publishedKeys } from "#identity/statement-keys.ts";
import { openStore } from "#process/open-store.ts";
import { openSealed } from "#process/secret-keys.ts";
import type { Store } from "#process/open-store.ts";
import { finishErasures } from "#process/erasing.ts";
import { restoreStore } from "#process/restore-store.ts";
import type { OldDatabase } from "#testing/database/old-database.ts";
import { databasesOf } from "#testing/database/old-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import { callScript } from "#testing/service/script-host.ts";

const uid = "avery-avery-avery-avery";
const OLD = "a1b2".padEnd(64, "0123456789abcdef");
const NEW = "c3d4".padEnd(64, "fedcba9876543210");

const beforeSealing = databasesOf(37);
const logger = pino({ level: "silent" });
let old: OldDatabase;
let dataDir: string;
let store: Store | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sealed-secrets-"));
  old = await beforeSealing();
});

afterEach(async () => {
  await close();
  await old.close();
  await rm(dataDir, { recursive: true });
});

async function close(): Promise<void> {
  await store?.close();
  store = undefined;
}

function environment(keys: Readonly<Record<string, string>>) {
  return {
    DATABASE_URL: old.appUrl,
    DATABASE_OWNER_URL: old.ownerUrl,
    DATA_DIR: dataDir,
    PORT: "0",
    ...keys,
  };
}

async function start(keys: Readonly<Record<string, string>> = {}): Promise<Store> {
  await close();
  const config = parseConfig(environment(keys));
  store = await openStore({ config, logger, name: "sealing", works: false });
  return store;
}

/** A pair as the state before stored it. */
async function plainPair(kid: string) {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const { d = "", ...open } = await exportJWK(pair.privateKey);
  const publicJwk = { ...open, kid, alg: "ES256", use: "sig" };
  return { kid, key: pair.privateKey, d, publicJwk, privateJwk: { ...open, d } };
}

type Pair = Awaited<ReturnType<typeof plainPair>>;

/** What a store of the state before has: a key of ID tokens, one of statements, and the planner's samples of both. */
async function fillAsBefore(): Promise<{ signing: Pair; statement: Pair }> {
  const { sql, ownerSql } = old;
  const [signing, other, statement] = [
    await plainPair("signing"),
    await plainPair("signing-next"),
    await plainPair("statement"),
  ];
  for (const [index, { kid, publicJwk, privateJwk }] of [signing, other].entries()) {
    await sql`
      insert into identity.signing_keys
        (kid, public_jwk, private_jwk, created_at, signs_from, published_until, turn)
      values (${kid}, ${sql.json(publicJwk)}, ${sql.json(privateJwk)}, now(),
        now() + ${index * 20} * interval '1 day', now() + interval '60 days', ${index + 1})`;
  }
  await sql`
    insert into identity.statement_keys (kid, public_jwk, private_jwk, created_at)
    values (${statement.kid}, ${sql.json(statement.publicJwk)}, ${sql.json(statement.privateJwk)}, now())`;
  await sql`
    insert into identity.profiles (uid, email, created_at) values (${uid}, 'a@demo.test', now())`;
  await ownerSql`analyze identity.signing_keys`;
  return { signing, statement };
}

/** Every row of both tables and of the planner's samples, as a dump shows them. */
async function dump(): Promise<string> {
  const [row] = await old.ownerSql<{ text: string }[]>`
    select concat((select string_agg(k::text, '') from identity.signing_keys k),
      (select string_agg(k::text, '') from identity.statement_keys k),
      (select string_agg(s::text, '') from pg_stats s where schemaname = 'identity')) as text`;
  return row?.text ?? "";
}

/** Whether a statement's signature is by a key that this store publishes. */
async function isGenuine(jws: string): Promise<boolean> {
  const { sealed } = (store ?? (await start())).identity.parts;
  const keys = await publishedKeys(old.sql, sealed);
  const verified = await compactVerify(jws, async ({ kid }) => {
    const key = keys.find((one) => one.kid === kid);
    return importJWK(key ?? {}, "ES256");
  });
  return verified.payload.length > 0;
}

function signStatement({ kid, key }: Pair): Promise<string> {
  return new CompactSign(Buffer.from("a statement"))
    .setProtectedHeader({ alg: "ES256", kid })
    .sign(key);
}

test("the next start seals the keys of the state before, which go on signing, and their old bytes are purged", async () => {
  const { signing, statement } = await fillAsBefore();
  const signed = await signStatement(statement);
  expect(await dump()).toContain(signing.d);
  expect(await dump()).toContain(statement.d);

  const { identity, sql } = await start();
  const dumped = await dump();
  expect(dumped).not.toContain(signing.d);
  expect(dumped).not.toContain(statement.d);
  const token = await identity.issueTokenFor(uid);
  expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toMatchObject({
    kid: signing.kid,
  });
  expect(await identity.verifyToken(token)).toMatchObject({ kind: "verified" });
  expect(await isGenuine(signed)).toBe(true);
  expect(await isGenuine(await identity.parts.statementKeys.sign({}))).toBe(true);
  expect((await publishedKeys(sql, identity.parts.sealed)).map(({ kid }) => kid)).toEqual([
    statement.kid,
  ]);

  expect(await sql`select from identity.purge_due`).toHaveLength(1);
  const purge = createPurge(old.ownerUrl);
  const deps = { sql, clock: () => new Date(), outbox: null, logger };
  await finishErasures({
    ...deps,
    purge: () => Promise.resolve({ rowsAreGone: false, logIsGone: false }),
  });
  expect(await sql`select from identity.purge_due`).toHaveLength(1);
  await finishErasures({ ...deps, purge });
  expect(await sql`select from identity.purge_due`).toHaveLength(0);
});

test("a start does not seal a key in plain sight beside sealed ones, and an unreadable one does not keep it from starting", async () => {
  await personIn(old);
  await start({ SECRET_KEY: OLD });
  const { ownerSql } = old;
  const forged = await plainPair("forged");
  await ownerSql`
    insert into identity.signing_keys
      (kid, public_jwk, private_sealed, plain_jwk, created_at, signs_from, published_until)
    values ('forged', ${ownerSql.json(forged.publicJwk)}, null, ${ownerSql.json(forged.privateJwk)},
      now(), now() - interval '1 minute', now() + interval '20 days'),
      ('unreadable', ${ownerSql.json(forged.publicJwk)}, '\\x00', null,
      now(), now() - interval '1 minute', now() + interval '20 days')`;
  const { identity } = await start({ SECRET_KEY: OLD });
  expect((await identity.parts.keys.jwks()).keys.map(({ kid }) => kid)).not.toContain("forged");
  expect(await identity.verifyToken(await identity.issueTokenFor(uid))).toMatchObject({
    kind: "verified",
  });
  expect(
    await ownerSql`select from identity.signing_keys where kid = 'forged' and private_sealed is null`,
  ).toHaveLength(1);
  expect((await secretKey()).text).toContain(
    "1 secrets are not sealed although others are: somebody put them there",
  );
});

test("without SECRET_KEY the first start makes a key that only this user can read, and later starts use it", async () => {
  const file = join(dataDir, "secret.key");
  // As a process with this id in another container may have it at the same moment.
  const drafted = `${file}.${process.pid}`;
  await writeFile(drafted, "another's");
  const token = await (await start()).identity.issueTokenFor(await personIn(old));
  expect(await readFile(drafted, "utf8")).toBe("another's");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/u);
  await chmod(file, 0o644);
  const { identity } = await start();
  expect(await identity.verifyToken(token)).toMatchObject({ kind: "verified" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

async function personIn({ sql }: OldDatabase): Promise<string> {
  await sql`
    insert into identity.profiles (uid, email, created_at) values (${uid}, 'a@demo.test', now())`;
  return uid;
}

test("a key is changed by naming the previous one for one start; another key is refused by name", async () => {
  await personIn(old);
  const { identity } = await start({ SECRET_KEY: OLD });
  const [token, signed] = [
    await identity.issueTokenFor(uid),
    await identity.parts.statementKeys.sign({}),
  ];

  await expect(start({ SECRET_KEY: NEW })).rejects.toThrow(
    "3 secrets in the database are sealed with key",
  );
  await start({ SECRET_KEY: NEW, PREVIOUS_SECRET_KEY: OLD });
  const after = await start({ SECRET_KEY: NEW });
  expect(await after.identity.verifyToken(token)).toMatchObject({ kind: "verified" });
  expect(await after.identity.verifyToken(await after.identity.issueTokenFor(uid))).toMatchObject({
    kind: "verified",
  });
  expect(await isGenuine(signed)).toBe(true);
  expect(await publishedKeys(after.sql, after.identity.parts.sealed)).toHaveLength(1);
});

test("a second process with another key is refused at its start, also before anybody has signed in", async () => {
  await start({ SECRET_KEY: OLD });
  await expect(start({ SECRET_KEY: NEW })).rejects.toThrow(
    /^\d+ secrets in the database are sealed with key/u,
  );
});

test("of two processes that start at once with different keys, one is refused", async () => {
  const open = (key: string) =>
    openStore({
      config: parseConfig(environment({ SECRET_KEY: key })),
      logger,
      name: "sealing",
      works: false,
    });
  const starts = await Promise.allSettled([open(OLD), open(NEW)]);
  const opened = starts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  await Promise.all(opened.map(({ close: end }) => end()));
  expect(opened).toHaveLength(1);
  expect(starts.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: expect.stringContaining("are sealed with key") },
  });
});

test("a start reads each sealed secret once", async () => {
  const scansAfterStart = async (): Promise<number> => {
    await start({ SECRET_KEY: OLD });
    await close();
    // PostgreSQL counts what a connection did by the time it has ended.
    const left = () => old.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name like 'ledger-%'`;
    await expect.poll(left).toEqual([]);
    const [row] = await old.sql<{ count: number }[]>`
      select seq_scan + idx_scan as count from pg_stat_user_tables
      where schemaname = 'identity' and relname = 'chosen_handles'`;
    return row?.count ?? 0;
  };
  const before = await scansAfterStart();
  expect(await scansAfterStart()).toBe(before + 1);
});

test("a store whose keys are sealed with SECRET_KEY gets no key file when it is started without it", async () => {
  await personIn(old);
  await (await start({ SECRET_KEY: OLD })).identity.issueTokenFor(uid);
  await expect(start()).rejects.toThrow("SECRET_KEY is not set, and there is no");
  expect(await readdir(dataDir)).not.toContain("secret.key");
});

test("secrets that are sealed again with another key are logged with that key and where it is from", async () => {
  await personIn(old);
  await (await start()).identity.issueTokenFor(uid);
  await close();
  const lines: string[] = [];
  const config = parseConfig(environment({ SECRET_KEY: NEW }));
  await openSealed(config, old.sql, (line) => void lines.push(line));
  const id = secretKeyId(Buffer.from(NEW, "hex"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`1 secrets in the database were sealed with a previous key`);
  expect(lines[0]).toContain(`${id} (SECRET_KEY)`);
  await openSealed(config, old.sql, (line) => void lines.push(line));
  expect(lines).toHaveLength(1);
});

/** The exit code of `npm run secret-key` and all that it printed. */
async function secretKey(): Promise<{ code: number; text: string }> {
  const { code, out, errors } = await callScript("secret-key.ts", [], environment({}));
  return { code, text: out + errors };
}

test("npm run secret-key does not upgrade a store, and counts what the next start will seal", async () => {
  await fillAsBefore();
  expect(await secretKey()).toMatchObject({
    code: 1,
    text: expect.stringContaining("This store is older: start the service to upgrade it") as string,
  });
  const said: string[] = [];
  await openDatabase(parseConfig(environment({})), "script", (line) => void said.push(line));
  expect(said).toEqual([expect.stringContaining("its schema is migrated now")]);
  expect(await secretKey()).toMatchObject({
    code: 1,
    text: expect.stringContaining("3 secrets are not sealed yet") as string,
  });
});

test("once a lost key is given up, people sign in again with new keys, and old statements stay genuine", async () => {
  await personIn(old);
  const { identity } = await start({ SECRET_KEY: OLD });
  const [token, signed] = [
    await identity.issueTokenFor(uid),
    await identity.parts.statementKeys.sign({}),
  ];
  await close();

  const keys = environment({ SECRET_KEY: NEW });
  const { code, out } = await callScript("secret-key.ts", ["--lost", "--json"], keys);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ givenUp: 3, unproved: [expect.any(String)] });

  const after = await start({ SECRET_KEY: NEW });
  expect(await after.identity.verifyToken(token)).toMatchObject({ kind: "refused" });
  expect(await after.identity.verifyToken(await after.identity.issueTokenFor(uid))).toMatchObject({
    kind: "verified",
  });
  expect(await isGenuine(signed)).toBe(true);
  expect(await isGenuine(await after.identity.parts.statementKeys.sign({}))).toBe(true);
  expect(
    (await publishedKeys(after.sql, after.identity.parts.sealed)).map((key) => "retired_at" in key),
  ).toEqual([false, true]);
});

test("a back-up does not have the key, and a restore refuses another one by name", async () => {
  await personIn(old);
  const { identity, sql } = await start({ SECRET_KEY: OLD });
  await identity.issueTokenFor(uid);
  const folder = join(dataDir, "back-up");
  await backUp({ ownerUrl: old.ownerUrl, folder, passphrase: null, clock: () => new Date() });
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name))),
  );
  expect(files.some((bytes) => bytes.includes(OLD))).toBe(false);

  await using target = await emptyDatabase();
  const other = Buffer.from(NEW, "hex");
  const restored = restoreStore({
    folder,
    passphrase: null,
    secretKeys: { current: other, previous: [] },
    heads: [],
    openTarget: () => Promise.resolve(target),
  });
  const [secret] = await readSealed(sql);
  await expect(restored).rejects.toThrow(
    `sealed with key ${secret?.keyId}, and the key at hand (SECRET_KEY or secret.key) is ${secretKeyId(other)}`,
  );
});

async function emptyDatabase(): Promise<TestDatabase & AsyncDisposable> {
  const database = await testDatabase("empty");
  return { ...database, [Symbol.asyncDispose]: database.close };
}
