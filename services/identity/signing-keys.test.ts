// Nobody notices a change of keys: the next is published before it signs, the old one until its last token has expired.
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTokenVerifier, embeddedIssuer, issueIdToken } from "#identity/id-tokens.ts";
import { createSealed } from "#identity/sealed.ts";
import { sealJwk } from "#identity/sealed-jwk.ts";
import { createSigningKeys } from "#identity/signing-keys.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

const DAY_MS = 86_400_000;
let database: TestDatabase;
let now: Date;
const clock = (): Date => now;
const uid = "avery-avery-avery-avery";
const sessionId = "6f1c2f5a-7f1e-4a51-9d53-0f6a8c3b2d10";

beforeEach(async () => {
  database = await testDatabase();
  now = new Date("2026-11-21T10:00:00.000Z");
});

afterEach(() => database.close());

function later(milliseconds: number): void {
  now = new Date(now.getTime() + milliseconds);
}

test("several processes that start at once agree on one key", async () => {
  const processes = Array.from({ length: 4 }, () =>
    createSigningKeys(database.sql, clock, testSealed),
  );
  const kids = await Promise.all(processes.map(async (keys) => (await keys.current()).kid));
  expect(new Set(kids).size).toBe(1);
});

test("a token of one process is valid in another with older keys", async () => {
  const [first, second] = [
    createSigningKeys(database.sql, clock, testSealed),
    createSigningKeys(database.sql, clock, testSealed),
  ];
  const { kid } = await second.current();
  later(30 * DAY_MS + 1);
  const { idToken } = await issueIdToken(first, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  expect((await first.current()).kid).not.toBe(kid);
  const verification = await createTokenVerifier([embeddedIssuer(second)], clock)(idToken);
  expect(verification).toMatchObject({ kind: "verified", token: { subject: uid } });
});

test("the next key is in the key set an hour before it signs, the old one a day after", async () => {
  const keys = createSigningKeys(database.sql, clock, testSealed);
  const { kid: old } = await keys.current();
  later(30 * DAY_MS - 3_600_000);
  expect((await keys.current()).kid).toBe(old);
  expect((await keys.jwks()).keys).toHaveLength(2);
  const { idToken } = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  later(3_600_000);
  const { kid: next } = await keys.current();
  expect(next).not.toBe(old);
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  expect((await verify(idToken)).kind).toBe("refused");
  expect((await keys.jwks()).keys.map(({ kid }) => kid)).toEqual([old, next]);
  later(DAY_MS + 60_000);
  expect((await keys.jwks()).keys.map(({ kid }) => kid)).toEqual([next]);
});

test("a token signed just before the change is valid after it", async () => {
  const keys = createSigningKeys(database.sql, clock, testSealed);
  await keys.current();
  later(30 * DAY_MS - 1_000);
  const { idToken } = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  later(120_000);
  await keys.rotate();
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  expect((await verify(idToken)).kind).toBe("verified");
});

test("the key set contains nothing private", async () => {
  const keys = createSigningKeys(database.sql, clock, testSealed);
  const { keys: published } = await keys.jwks();
  expect(published).toHaveLength(1);
  expect(published[0]).not.toHaveProperty("d");
  expect(published[0]).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
});

test("a database that does not answer is an error, not a refused token", async () => {
  const keys = createSigningKeys(database.sql, clock, testSealed);
  const { idToken } = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  await database.ownerSql`alter table identity.signing_keys rename to hidden`;
  later(61_000);
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  await expect(verify(idToken)).rejects.toThrow("could not be read");
});

/** A pair of somebody else, as the store keeps its own. */
async function foreignPair(kid: string) {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const [open, secret] = [await exportJWK(pair.publicKey), await exportJWK(pair.privateKey)];
  return { kid, key: pair.privateKey, open: { ...open, kid, alg: "ES256", use: "sig" }, secret };
}

type Foreign = Awaited<ReturnType<typeof foreignPair>>;

/** As the owner of the database, with dates a little before those of the store's own key. */
async function plant(
  { kid, open, secret }: Foreign,
  privateSealed: Buffer | null,
  sql = database.ownerSql,
): Promise<void> {
  const plain = privateSealed === null ? sql.json({ ...secret }) : null;
  await sql`
    insert into identity.signing_keys
      (kid, public_jwk, private_sealed, plain_jwk, created_at, signs_from, published_until)
    values (${kid}, ${sql.json(open)}, ${privateSealed}, ${plain}, ${now},
      ${new Date(now.getTime() - 60_000)}, ${new Date(now.getTime() + 20 * DAY_MS)})`;
}

function tokenBy({ kid, key }: Foreign): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ auth_time: issuedAt, epoch: 0, sid: sessionId })
    .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
    .setIssuer("urn:consignment-ledger:identity")
    .setAudience("consignment-ledger")
    .setSubject(uid)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 900)
    .sign(key);
}

test("a key that somebody with the database puts among the store's signs nothing, and is not published", async () => {
  const own = createSigningKeys(database.sql, clock, testSealed);
  const { kid } = await own.current();
  const [row] = await database.sql<{ private_sealed: Buffer }[]>`
    select private_sealed from identity.signing_keys where kid = ${kid}`;
  const others = createSealed({ current: Buffer.alloc(32, 7), previous: [] });
  const forged = await Promise.all(
    ["plain", "seal-of-another", "key-of-another", "unreadable"].map(foreignPair),
  );
  const seals = [
    null,
    row?.private_sealed ?? null,
    sealJwk(others, { purpose: "signing-key", of: "key-of-another" }, forged[2]?.secret ?? {}),
    Buffer.from([0]),
  ];
  for (const [index, one] of forged.entries()) {
    await plant(one, seals[index] ?? null);
  }
  const named: string[] = [];
  const keys = createSigningKeys(database.sql, clock, testSealed, (one) => void named.push(one));
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  for (const one of forged) {
    expect([one.kid, (await verify(await tokenBy(one))).kind]).toEqual([one.kid, "refused"]);
  }
  expect((await keys.jwks()).keys.map((one) => one.kid)).toEqual([kid]);
  expect((await keys.current()).kid).toBe(kid);
  later(61_000);
  await keys.rotate();
  expect(named).toEqual(["plain", "seal-of-another", "unreadable"]);
});

test("a key whose public part was exchanged checks no tokens, and the next one is made at once", async () => {
  const forged = await foreignPair("forged");
  const { kid } = await createSigningKeys(database.sql, clock, testSealed).current();
  const open = { ...forged.open, kid };
  await database.ownerSql`
    update identity.signing_keys set public_jwk = ${database.ownerSql.json(open)} where kid = ${kid}`;
  const keys = createSigningKeys(database.sql, clock, testSealed);
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  expect((await verify(await tokenBy({ ...forged, kid }))).kind).toBe("refused");
  const { idToken } = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  expect((await verify(idToken)).kind).toBe("verified");
  expect((await keys.current()).kid).not.toBe(kid);
});

test("one unreadable key locks nobody out: the newest good key signs, and the bad one is named once", async () => {
  const before = createSigningKeys(database.sql, clock, testSealed);
  const { kid: first } = await before.current();
  later(30 * DAY_MS - 3_600_000);
  await before.rotate();
  later(3_600_000);
  const { kid: second } = await before.current();
  await database.ownerSql`
    update identity.signing_keys set private_sealed = '\\x00' where kid = ${second}`;
  const named: string[] = [];
  const keys = createSigningKeys(database.sql, clock, testSealed, (one) => void named.push(one));
  const { kid } = await keys.current();
  expect([first, second]).not.toContain(kid);
  const { idToken } = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  expect((await createTokenVerifier([embeddedIssuer(keys)], clock)(idToken)).kind).toBe("verified");
  await expect(keys.find({ alg: "ES256", kid: second })).rejects.toThrow("no applicable key");
  await keys.rotate();
  expect(named).toEqual([second]);
});

test("tokens stay valid in a running process whose keys another one seals with a new SECRET_KEY", async () => {
  const keys = createSigningKeys(database.sql, clock, testSealed);
  const { idToken } = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: now,
    epoch: 0,
    sessionId,
  });
  const newer = createSealed({ current: Buffer.alloc(32, 7), previous: [] });
  const [row] = await database.sql<{ kid: string; private_sealed: Buffer }[]>`
    select kid, private_sealed from identity.signing_keys`;
  const what = { purpose: "signing-key", of: row?.kid ?? "" } as const;
  const opened = testSealed.open(what, row?.private_sealed ?? Buffer.alloc(0));
  const again = newer.seal(what, opened.kind === "opened" ? opened.bytes : Buffer.alloc(0));
  await database.sql`update identity.signing_keys set private_sealed = ${again}`;
  later(61_000);
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  expect((await verify(idToken)).kind).toBe("verified");
  await expect(keys.current()).rejects.toThrow("sealed with another SECRET_KEY");
  expect(await database.sql`select from identity.signing_keys`).toHaveLength(1);
});
