// The standing of a request's bearer is one query, whatever the token's kind, and one for many requests at once.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "#db/connect.ts";
import { EMBEDDED_ISSUER, type VerifiedToken } from "#identity/id-tokens.ts";
import { defaultSessionLimits } from "#identity/session-life.ts";
import { createSessions } from "#identity/sessions.ts";
import { createSigningKeys } from "#identity/signing-keys.ts";
import { createStandingLookup } from "#identity/standing.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

const now = new Date("2026-11-22T10:00:00.000Z");
const clock = () => now;
const uids = Array.from({ length: 20 }, (_, index) => `person-000000000000-${index + 10}`);

let database: TestDatabase;
let keyId = "";
let queries = 0;

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`
    insert into identity.profiles (uid, created_at) select uid, now() from unnest(${uids}::text[]) as u (uid)`;
  keyId = (await createSigningKeys(database.sql, clock, testSealed).current()).kid;
});

afterAll(() => database.close());

/** Counts the statements that are sent through it. */
function counted(sql: Sql): Sql {
  return new Proxy(sql, {
    apply: (target, self, parts: Parameters<Sql>) => {
      queries += 1;
      return Reflect.apply(target, self, parts) as unknown;
    },
  });
}

const tokenOf = (
  uid: string,
  sessionId: string | null,
  issuer = EMBEDDED_ISSUER,
): VerifiedToken => ({
  issuer,
  subject: uid,
  authenticatedAt: now,
  issuedAt: now,
  expiresAt: new Date(now.getTime() + 900_000),
  epoch: 0,
  sessionId,
  keyId,
  claims: { email: null, emailVerified: false, name: null },
  hasSecondFactor: false,
});

test("one query reads role, deactivation, session and limits, for one request and for twenty at once", async () => {
  const sessions = createSessions(database.sql, clock, defaultSessionLimits);
  const started = await Promise.all(uids.map((uid) => sessions.start({ uid, epoch: 0 })));
  const find = createStandingLookup(counted(database.sql), clock, defaultSessionLimits, "required");
  const tokens = uids.map((uid, index) => tokenOf(uid, started[index]?.sessionId ?? null));
  const [first] = tokens;
  if (first === undefined) {
    throw new Error("There is nobody");
  }
  expect(await find(first)).toMatchObject({ kind: "present", role: "user" });
  expect(queries).toBe(1);
  const standings = await Promise.all(tokens.map(find));
  expect(new Set(standings.map(({ kind }) => kind))).toEqual(new Set(["present"]));
  expect(queries).toBe(2);
});

test.each([
  ["without a session, from before an upgrade", null, "present"],
  ["of a session that there is not", "6f1c2f5a-7f1e-4a51-9d53-0f6a8c3b2d10", "ended"],
  ["of a session whose name is not an id", "' or true --", "ended"],
] as const)("a token %s is %s: %s", async (_, sessionId, kind) => {
  const find = createStandingLookup(database.sql, clock, defaultSessionLimits, "optional");
  expect((await find(tokenOf(uids[0] ?? "", sessionId))).kind).toBe(kind);
});
