// A clock that was ahead and was then corrected: nobody is locked out, and nothing stays valid too long.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, visitorOf } from "#testing/service/visitor.ts";

const AHEAD_MS = 40 * 86_400_000;
const password = "open sesame";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp();
});

beforeEach(async () => {
  await shop.database.sql`delete from identity.rate_limits`;
});

afterAll(() => shop.close());

/** Runs something while the clock is ahead, and corrects the clock afterwards. */
async function whileAhead<Result>(work: () => Promise<Result>): Promise<Result> {
  shop.advance(AHEAD_MS);
  try {
    return await work();
  } finally {
    shop.advance(-AHEAD_MS);
  }
}

test("a clock that was ahead locks nobody out, whether they signed in before, during or after it", async () => {
  const [before, during, after] = [visitorOf(shop), visitorOf(shop), visitorOf(shop)];
  const email = "before@people.test";
  expect((await before.enter("/api/identity/sign-up", { email, password })).status).toBe(200);
  await whileAhead(async () => {
    const asNew = { email: "during@people.test", password };
    expect((await during.enter("/api/identity/sign-up", asNew)).status).toBe(200);
    expect((await during.send("GET", "/api/auth/me")).status).toBe(200);
  });
  expect((await before.send("GET", "/api/auth/me")).status).toBe(200);
  expect((await before.enter("/api/identity/refresh", {})).status).toBe(200);
  expect((await during.send("GET", "/api/auth/me")).status).toBe(401);
  expect((await during.enter("/api/identity/refresh", {})).status).toBe(200);
  expect((await during.send("GET", "/api/auth/me")).status).toBe(200);
  expect((await after.enter("/api/identity/sign-in", { email, password })).status).toBe(200);
  expect((await after.send("GET", "/api/auth/me")).status).toBe(200);
});

test("a fresh session continues when the clock is set back ten minutes", async () => {
  const visitor = visitorOf(shop);
  await visitor.enter("/api/identity/sign-up", { email: "back@people.test", password });
  shop.advance(-600_000);
  try {
    expect((await visitor.send("GET", "/api/auth/me")).status).toBe(200);
    expect((await visitor.enter("/api/identity/refresh", {})).status).toBe(200);
    expect((await visitor.send("GET", "/api/auth/me")).status).toBe(200);
  } finally {
    shop.advance(600_000);
  }
});

test("limits that were reached while the clock was ahead end when it is corrected", async () => {
  const wrong = { email: "limited@people.test", password: "a guess" };
  const visitor = visitorOf(shop);
  const signIn = async () => (await visitor.send("POST", "/api/identity/sign-in", wrong)).status;
  await whileAhead(async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await signIn()).toBe(400);
    }
    expect(await signIn()).toBe(429);
  });
  expect(await signIn()).toBe(400);
});

test("a token that was replaced while the clock was ahead no longer opens its session", async () => {
  const visitor = visitorOf(shop);
  await visitor.enter("/api/identity/sign-up", { email: "twice@people.test", password });
  const old = visitor.cookies.get("refresh_token") ?? "";
  shop.advance(86_400_000);
  await visitor.enter("/api/identity/refresh", {});
  shop.advance(-86_400_000);
  const thief = visitorOf(shop);
  thief.cookies.set("refresh_token", old);
  expect((await thief.enter("/api/identity/refresh", {})).status).toBe(401);
});

test("a link for a new password that was mailed while the clock was ahead expires when it is corrected", async () => {
  const visitor = visitorOf(shop);
  const email = "letter@people.test";
  await visitor.enter("/api/identity/sign-up", { email, password });
  const ask = () => visitor.send("POST", "/api/identity/password-reset", { email });
  const open = () => {
    const token = shop.letters.at(-1)?.action.url.split("token=")[1];
    return visitor.send("POST", "/api/identity/password-reset/confirm", { token, password });
  };
  await whileAhead(ask);
  expect(await open()).toMatchObject({ status: 400, body: { error: "reset_link_invalid" } });
  await ask();
  expect((await open()).status).toBe(200);
});

test("a sign-in while the clock was ahead does not count as recent", async () => {
  const visitor = visitorOf(shop);
  await whileAhead(() =>
    visitor.enter("/api/identity/sign-up", { email: "recent@people.test", password }),
  );
  await visitor.enter("/api/identity/refresh", {});
  const link = await visitor.send("POST", "/api/identity/link-password", { password });
  expect(link.status).toBe(403);
  expect(textIn(link, "error")).toBe("recent_sign_in_required");
});
