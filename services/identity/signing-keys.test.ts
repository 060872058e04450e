// Nobody notices a change of keys: the next is published before it signs, the old one until its last token has expired.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTokenVerifier, embeddedIssuer, issueIdToken } from "#identity/id-tokens.ts";
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
