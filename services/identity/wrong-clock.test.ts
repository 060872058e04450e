// When the clock jumps forwards or back, people can always sign in, and tokens stay valid for their time.
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  createTokenVerifier,
  embeddedIssuer,
  ID_TOKENS_MAY_BE_AHEAD_SECONDS,
  issueIdToken,
} from "#identity/id-tokens.ts";
import { createSigningKeys, ID_TOKEN_SECONDS, KEPT_KEYS } from "#identity/signing-keys.ts";
import type { SigningKeys } from "#identity/signing-keys.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { sized } from "#testing/trial/size.ts";

// These tests make and look up hundreds of keys.
vi.setConfig({ testTimeout: 240_000 });

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = Date.parse("2026-11-21T10:00:00.000Z");
const uid = "avery-avery-avery-avery";
const sessionId = "6f1c2f5a-7f1e-4a51-9d53-0f6a8c3b2d10";

let database: TestDatabase;
let now = START;
const clock = (): Date => new Date(now);

beforeAll(async () => {
  database = await testDatabase();
});

beforeEach(async () => {
  now = START;
  await database.sql`delete from identity.signing_keys`;
});

afterAll(() => database.close());

const start = (): SigningKeys => createSigningKeys(database.sql, clock, testSealed);

async function sign(keys: SigningKeys): Promise<string> {
  const token = await issueIdToken(keys, clock, {
    uid,
    authenticatedAt: clock(),
    epoch: 0,
    sessionId,
  });
  return token.idToken;
}

/** Verifies without any cache. */
async function isGood(keys: SigningKeys, token: string): Promise<boolean> {
  const verification = await createTokenVerifier([embeddedIssuer(keys)], clock)(token);
  return verification.kind === "verified";
}

async function countKeys(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::bigint as count from identity.signing_keys`;
  return row?.count ?? 0;
}

test("after a clock was forty days ahead, there is a key to sign with when it is right again", async () => {
  const keys = start();
  const before = await sign(keys);
  now = START + 40 * DAY_MS;
  expect(await isGood(keys, await sign(keys))).toBe(true);
  now = START + MINUTE_MS;
  for (const process of [keys, start()]) {
    expect(await isGood(process, await sign(process))).toBe(true);
    expect(await isGood(process, before)).toBe(true);
  }
});

test("a new store whose clock is set back ten minutes keeps signing with the same key", async () => {
  const keys = start();
  const { kid } = await keys.current();
  const before = await sign(keys);
  now = START - 10 * MINUTE_MS;
  for (const process of [keys, start()]) {
    expect((await process.current()).kid).toBe(kid);
    expect(await isGood(process, await sign(process))).toBe(true);
    expect(await isGood(process, before)).toBe(true);
  }
});

test("a store that its clock locked out can sign again, before and after that day", async () => {
  const ahead = START + 40 * DAY_MS;
  now = ahead;
  const { kid } = await start().current();
  // As an older version left it: only this key, without turns.
  await database.sql`update identity.signing_keys set turn = 0`;
  now = START;
  const keys = start();
  expect((await keys.current()).kid).not.toBe(kid);
  expect(await isGood(keys, await sign(keys))).toBe(true);
  now = ahead;
  expect((await keys.current()).kid).toBe(kid);
  expect(await isGood(keys, await sign(keys))).toBe(true);
});

test("a token made while the clock was ahead is not valid until that day", async () => {
  const keys = start();
  now = START + 40 * DAY_MS;
  const token = await sign(keys);
  const verify = createTokenVerifier([embeddedIssuer(keys)], clock);
  expect((await verify(token)).kind).toBe("verified");
  now = START;
  expect((await verify(token)).kind).toBe("refused");
  expect(await isGood(keys, token)).toBe(false);
});

test("keys are at least a month of clock time apart, however the clock is set back", async () => {
  const keys = start();
  for (let step = 0; step < 60; step += 1) {
    now = START - step * DAY_MS;
    await keys.current();
  }
  expect(await countKeys()).toBeLessThanOrEqual(3);
});

test("switching between the right time and ever later times keeps the right time's key", async () => {
  const keys = start();
  const { kid } = await keys.current();
  for (let months = 2; months < 2 * KEPT_KEYS; months += 1) {
    now = START + months * 31 * DAY_MS;
    await keys.current();
    now = START + months;
    expect((await keys.current()).kid).toBe(kid);
  }
});

type Step = { readonly to: number; readonly restart: boolean };
type Signed = { readonly token: string; readonly at: number };

/** Real clocks: from 1970, where a machine without a battery starts, to 2100. */
const anyTime = fc.integer({ min: 0, max: Date.parse("2100-01-01T00:00:00.000Z") });
const nearby = fc.integer({ min: -2 * ID_TOKEN_SECONDS * 1000, max: 2 * ID_TOKEN_SECONDS * 1000 });
const months = fc.integer({ min: -100, max: 100 }).map((count) => count * 30 * DAY_MS);

/** The clock jumps between and around a few times, and sometimes processes restart. */
const walks: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      anyTime,
      months.map((offset) => START + offset),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .chain((times) =>
    fc.array(
      fc
        .tuple(fc.constantFrom(...times), fc.oneof(fc.constant(0), nearby), fc.boolean())
        .map(([time, offset, restart]) => ({ to: time + offset, restart })),
      { minLength: 1, maxLength: 25 },
    ),
  );

function jump(processes: SigningKeys[], { to, restart }: Step): void {
  now = to;
  if (restart) {
    processes.splice(0, 1, start());
  }
}

test("whatever the clock does, every process signs and verifies the others' tokens, and no token ends early", async () => {
  await fc.assert(
    fc.asyncProperty(walks, async (walk) => {
      await database.sql`delete from identity.signing_keys`;
      const processes = [start(), start()];
      const signed: Signed[] = [];
      for (const step of walk) {
        jump(processes, step);
        const tokens = await Promise.all(processes.map(sign));
        signed.push(...tokens.map((token) => ({ token, at: now })));
        const living = signed.filter(
          ({ at }) =>
            now >= at - ID_TOKENS_MAY_BE_AHEAD_SECONDS * 1000 + 1_000 &&
            now < at + ID_TOKEN_SECONDS * 1000 - 1_000,
        );
        for (const process of processes) {
          const published = (await process.jwks()).keys.map(({ kid }) => kid);
          expect(published).toContain((await process.current()).kid);
          for (const { token } of living) {
            expect(await isGood(process, token)).toBe(true);
          }
        }
      }
    }),
    { numRuns: sized(8, 30), seed: 11 },
  );
});

test("whatever the clock does, keys do not pile up", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTime, { minLength: 40, maxLength: 60 }), async (times) => {
      const keys = start();
      for (const time of times) {
        now = time;
        expect(await isGood(keys, await sign(keys))).toBe(true);
      }
      // In addition to the kept keys: one that was just made, and those that are accepted now.
      expect(await countKeys()).toBeLessThanOrEqual(KEPT_KEYS + 4);
    }),
    { numRuns: sized(1, 3), seed: 11 },
  );
});

test("two processes whose clocks are far apart both sign, and neither takes the other's key away", async () => {
  const behind = createSigningKeys(database.sql, () => new Date(START), testSealed);
  const ahead = createSigningKeys(database.sql, () => new Date(START + 400 * DAY_MS), testSealed);
  const [first, second] = [await behind.current(), await ahead.current()];
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([behind.rotate(), ahead.rotate()]);
    expect((await behind.current()).kid).toBe(first.kid);
    expect((await ahead.current()).kid).toBe(second.kid);
  }
  expect(await countKeys()).toBe(2);
});
