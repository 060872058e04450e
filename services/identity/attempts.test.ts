// Guessing is stopped early, and never keeps the owner out from where they signed in before.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAttempts, defaultAttemptRules } from "#identity/attempts.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { openTestApp, type TestApp } from "#testing/test-app.ts";

let shop: TestApp;

beforeEach(async () => {
  shop = await openTestApp({
    routes: [],
    streams: new Map(),
    events: new Map(),
    projections: [],
    attemptRules: {
      ...defaultAttemptRules,
      signUpsByAddress: { attempts: 3, perSeconds: 60 },
      signInsByAccountAndAddress: { attempts: 4, perSeconds: 60 },
    },
  });
  await shop.identity.ensureUser({
    email: "owner@people.test",
    role: "user",
    password: "open sesame",
  });
});

afterEach(() => shop.close());

function signIn(password: string, email = "owner@people.test") {
  return shop.call("POST", "/api/identity/sign-in", { body: { email, password } });
}

test("guesses sent at once count one by one, and the answer says when to come back", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signIn(`guess ${index}`)),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([400, 400, 400, 400, 429, 429, 429, 429, 429, 429]);
  const limited = answers.find(({ status }) => status === 429);
  expect(Number(limited?.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(limited?.body).toMatchObject({ error: "too_many_attempts" });
});

test("signing in rightly does not count, however often", async () => {
  for (let index = 0; index < 8; index += 1) {
    expect((await signIn("open sesame")).status).toBe(200);
  }
});

test("a right password after wrong ones starts the count anew", async () => {
  for (let round = 0; round < 3; round += 1) {
    await signIn("wrong");
    await signIn("wrong");
    expect((await signIn("open sesame")).status).toBe(200);
  }
});

test("one account's guesses do not limit another's", async () => {
  for (let index = 0; index < 6; index += 1) {
    await signIn("wrong", "other@people.test");
  }
  expect((await signIn("open sesame")).status).toBe(200);
});

test("sign-ups from one address are limited", async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { status } = await shop.call("POST", "/api/identity/sign-up", {
      body: { email: `new-${index}@people.test`, password: "open sesame" },
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
});

test("guessing from many addresses stops, but the owner's known address stays open", async () => {
  const attempts = createAttempts(createRateLimits(shop.deps.sql), {
    ...defaultAttemptRules,
    signInsByAccount: { attempts: 5, perSeconds: 60 },
  });
  const succeeded = await attempts.signIn("owner@people.test", "10.0.0.1");
  await succeeded();
  const guesses = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      attempts.signIn("owner@people.test", `203.0.113.${index}`),
    ),
  );
  expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await expect(attempts.signIn("owner@people.test", "10.0.0.1")).resolves.toBeTypeOf("function");
});

test("addresses and e-mails are not written down by counting them", async () => {
  await signIn("wrong");
  const rows = await shop.database.sql`select key from identity.rate_limits`;
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/owner|people|none/);
});
