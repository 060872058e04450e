// Guessing is stopped early, and never locks the owner out of where they signed in before.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAttempts, defaultAttemptRules } from "#features/sign-in/attempts.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import {
  openTestApp,
  type TestAnswer,
  type TestApp,
  type TestPerson,
} from "#testing/service/test-app.ts";
import { visitorOf } from "#testing/service/visitor.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [],
    projections: [],
    attemptRules: {
      ...defaultAttemptRules,
      signUpsByAddress: { attempts: 3, perSeconds: 60 },
      signInsByAccountAndAddress: { attempts: 4, perSeconds: 60 },
      resetsByAddress: { attempts: 4, perSeconds: 60 },
      resetsByAccountAndAddress: { attempts: 2, perSeconds: 60 },
      verificationsByAccount: { attempts: 2, perSeconds: 60 },
      tokensByAddress: { attempts: 3, perSeconds: 60 },
      flowsByAddress: { attempts: 2, perSeconds: 60 },
      signOutsByAddress: { attempts: 2, perSeconds: 60 },
      passwordLinksByAccount: { attempts: 2, perSeconds: 60 },
    },
    discord: { clientId: "app", clientSecret: "secret", baseUrl: "http://127.0.0.1:1024" },
  });
  await shop.identity.ensureUser({
    email: "owner@people.test",
    password: "open sesame",
  });
});

beforeEach(async () => {
  await shop.database.sql`delete from identity.rate_limits`;
});

afterAll(() => shop.close());

function signIn(password: string, email = "owner@people.test") {
  return shop.call("POST", "/api/identity/sign-in", { body: { email, password } });
}

test("concurrent guesses are all counted, and the response says when to try again", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signIn(`guess ${index}`)),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([400, 400, 400, 400, 429, 429, 429, 429, 429, 429]);
  const limited = answers.find(({ status }) => status === 429);
  expect(Number(limited?.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(limited?.body).toMatchObject({ error: "too_many_attempts" });
});

test("successful sign-ins do not count", async () => {
  for (let index = 0; index < 8; index += 1) {
    expect((await signIn("open sesame")).status).toBe(200);
  }
});

test("a right password after wrong ones resets the count", async () => {
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
  const attempts = createAttempts(createRateLimits(shop.deps.sql, shop.deps.clock), {
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

/** The statuses of this many calls in a row; every 429 must say when to try again. */
async function statusesOf(
  times: number,
  call: (index: number) => Promise<TestAnswer>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const { status, headers } = await call(index);
    statuses.push(status);
    if ((status === 429) !== Number(headers.get("Retry-After")) > 0) {
      throw new Error("Only a 429 has Retry-After");
    }
  }
  return statuses;
}

const post = (path: string, body: object, as?: TestPerson) =>
  shop.call("POST", `/api/identity/${path}`, { body, ...(as === undefined ? {} : { as }) });

test("mails for a new password are limited by account and by address", async () => {
  const reset = (email: string) => post("password-reset", { email });
  expect(await statusesOf(3, () => reset("owner@people.test"))).toEqual([200, 200, 429]);
  expect(await statusesOf(2, (index) => reset(`nobody-${index}@people.test`))).toEqual([400, 429]);
});

test("strangers' requests for an account's mails do not use up its owner's limit", async () => {
  const attempts = createAttempts(createRateLimits(shop.deps.sql, shop.deps.clock), {
    ...defaultAttemptRules,
    resetsByAccount: { attempts: 5, perSeconds: 60 },
  });
  await attempts.know("owner@people.test", "10.0.0.1");
  const asked = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      attempts.reset("owner@people.test", `203.0.113.${index}`),
    ),
  );
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await expect(attempts.reset("owner@people.test", "10.0.0.1")).resolves.toBeUndefined();
});

test("a new password set through the mail allows sign-ins from there again", async () => {
  const email = "beset@people.test";
  await shop.identity.ensureUser({ email, password: "open sesame" });
  const attempts = createAttempts(
    createRateLimits(shop.deps.sql, shop.deps.clock),
    defaultAttemptRules,
  );
  await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => attempts.signIn(email, `203.0.113.${index}`)),
  );
  expect((await signIn("open sesame", email)).status).toBe(429);
  await post("password-reset", { email });
  const token = shop.letters.at(-1)?.action.url.split("token=")[1];
  expect((await post("password-reset/confirm", { token, password: "a new one" })).status).toBe(200);
  expect((await signIn("a new one", email)).status).toBe(200);
});

test("sign-ups with one email are limited over all addresses", async () => {
  const attempts = createAttempts(createRateLimits(shop.deps.sql, shop.deps.clock), {
    ...defaultAttemptRules,
    signUpsByEmail: { attempts: 3, perSeconds: 60 },
  });
  const tried = await Promise.allSettled(
    Array.from({ length: 6 }, () => attempts.signUpAs("wanted@people.test")),
  );
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test("sign-ups with a password that is refused do not count for the email", async () => {
  const email = "squatted@people.test";
  const answers = await statusesOf(3, () => post("sign-up", { email, password: "password" }));
  expect(answers).toEqual([400, 400, 400]);
  const rows = await shop.database.sql`
    select key from identity.rate_limits where key like 'sign-up-email:%'`;
  expect(rows).toEqual([]);
});

test("confirmations are limited also when they are right, and only a few overtake strangers", async () => {
  const attempts = createAttempts(createRateLimits(shop.deps.sql, shop.deps.clock), {
    ...defaultAttemptRules,
    confirmationsByAccount: { attempts: 2, perSeconds: 60 },
    rightConfirmationsByAccount: { attempts: 4, perSeconds: 60 },
    firstTurnsByAccount: { attempts: 2, perSeconds: 60 },
  });
  for (let index = 0; index < 4; index += 1) {
    const succeeded = await attempts.confirmation("kim");
    await succeeded();
  }
  await expect(attempts.confirmation("kim")).rejects.toMatchObject({ status: 429 });
  await attempts.confirmation("lee");
  await attempts.confirmation("lee");
  await expect(attempts.confirmation("lee")).rejects.toMatchObject({ status: 429 });
  const turns = [await attempts.turnOf("kim"), await attempts.turnOf("kim")];
  expect([...turns, await attempts.turnOf("kim"), await attempts.turnOf("lee")]).toEqual([
    "first",
    "first",
    "in order",
    "first",
  ]);
});

test("sign-outs of an unknown browser are limited by address", async () => {
  const signOut = () => visitorOf(shop).send("POST", "/api/identity/sign-out", {});
  expect(await statusesOf(3, signOut)).toEqual([200, 200, 429]);
});

test("mails that verify an address, and backup passwords, are limited by person", async () => {
  const [kim, lee] = [await shop.person("Kim"), await shop.person("Lee")];
  expect(await statusesOf(3, () => post("verify-email", {}, kim))).toEqual([200, 200, 429]);
  expect((await post("verify-email", {}, lee)).status).toBe(200);
  const link = () => post("link-password", { password: "open sesame" }, kim);
  expect(await statusesOf(3, link)).toEqual([409, 409, 429]);
});

test("attempts with links and tokens are limited by address, and so are sign-ins with other providers", async () => {
  const guess = (index: number) =>
    post("password-reset/confirm", { token: `guess-${index}`, password: "open sesame" });
  expect(await statusesOf(4, guess)).toEqual([400, 400, 400, 429]);
  const callback = await shop.call("GET", "/api/auth/discord/callback?code=a&state=b");
  expect(callback.headers.get("Location")).toBe("/discord-success?error=too_many_attempts");
  const begin = () => shop.call("GET", "/api/auth/discord/state");
  expect(await statusesOf(3, begin)).toEqual([200, 200, 429]);
});

test("counting does not store addresses or emails", async () => {
  await signIn("wrong");
  const rows = await shop.database.sql`select key from identity.rate_limits`;
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/owner|people|none/);
});
