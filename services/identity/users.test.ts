// The consignor field finds the right people, and a balance is shown in dollars.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestPerson } from "#testing/test-app.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [],
    streams: new Map(),
    events: new Map(),
    projections: [],
    balance: () => ({ projections: [], read: (uid) => Promise.resolve(-uid.length * 100 - 5) }),
  });
  boss = await shop.person("Boss", "admin");
  const { ensureUser } = shop.identity;
  for (const [displayName, email, username] of [
    ["Ann", "zz@people.test", null],
    ["Joanna", "joanna@people.test", "joey"],
    ["Annabel", "annabel@people.test", null],
    ["Under_score", "under@people.test", null],
    ["No Address", null, "ann"],
    ["100% Sure", "sure@people.test", null],
  ] as const) {
    await ensureUser({ displayName, email, username, role: "user" });
  }
});

afterAll(() => shop.close());

async function found(q: string): Promise<unknown> {
  const { body } = await shop.call("GET", `/api/auth/search?q=${encodeURIComponent(q)}`, {
    as: boss,
  });
  const users: unknown = body instanceof Object ? Reflect.get(body, "users") : undefined;
  return Array.isArray(users)
    ? users.map((user: unknown) =>
        user instanceof Object ? Reflect.get(user, "displayName") : null,
      )
    : body;
}

test("whole matches come first, then beginnings, then the rest; who has no e-mail is left out", async () => {
  expect(await found("ann")).toEqual(["Ann", "Annabel", "Joanna"]);
  expect(await found("JO")).toEqual(["Joanna"]);
  expect(await found("annabel@people.test")).toEqual(["Annabel"]);
});

test("percent signs and underscores are letters like any other", async () => {
  expect(await found("_")).toEqual(["Under_score"]);
  expect(await found("100%")).toEqual(["100% Sure"]);
  expect(await found("a%n")).toEqual([]);
  expect(await found("  ")).toEqual([]);
});

test("at most 20 are found, whatever is asked", async () => {
  for (let index = 0; index < 25; index += 1) {
    await shop.person(`Crowd${index}`);
  }
  expect(await found("crowd")).toHaveLength(20);
});

test("a person is found once, also by a second sign of the same address", async () => {
  const { ensureUser } = shop.identity;
  const first = await ensureUser({ email: "Once@people.test", displayName: "Once", role: "user" });
  expect(await ensureUser({ email: "once@people.test", displayName: "Other", role: "admin" })).toBe(
    first,
  );
  const withPassword = await ensureUser({
    email: "once@people.test",
    displayName: "Once",
    role: "user",
    password: "demo-password",
  });
  expect(withPassword).toBe(first);
  const signedIn = await shop.call("POST", "/api/identity/sign-in", {
    body: { email: "once@people.test", password: "demo-password" },
  });
  expect(signedIn).toMatchObject({ status: 200, body: { uid: first } });
});

test("a balance below zero is shown in dollars, to the cent", async () => {
  const { body } = await shop.call("GET", "/api/auth/me", { as: boss });
  expect(body).toMatchObject({ balance: -28.05 });
});

test("people are named by what is known of them", async () => {
  const { ensureUser, profiles } = shop.identity;
  const named = await ensureUser({ email: "n@people.test", displayName: "Nora", role: "user" });
  const bare = await ensureUser({ email: "bare@people.test", role: "user" });
  const gone = await ensureUser({ email: "gone@people.test", displayName: "Gone", role: "user" });
  await shop.database.sql`update identity.profiles set deactivated_at = now() where uid = ${gone}`;
  const names = await profiles.displayNames([named, bare, gone, "unknown-unknown-unknown"]);
  expect([...names.values()]).toEqual([
    "Nora",
    "bare@people.test",
    "Deleted user",
    "unknown-unknown-unknown",
  ]);
  expect(await profiles.exists(gone)).toBe(false);
  expect(await profiles.exists(named)).toBe(true);
});

test("the same payout handle has the same id for ever, and the last used one is remembered", async () => {
  const { payoutHandles, ensureUser } = shop.identity;
  const uid = await ensureUser({ email: "handles@people.test", role: "user" });
  const first = await payoutHandles.idOf(uid, "cashapp", "$one");
  shop.advance(1_000);
  const second = await payoutHandles.idOf(uid, "cashapp", "$two");
  const venmo = await payoutHandles.idOf(uid, "venmo", "@one");
  expect(await payoutHandles.lastUsed(uid)).toEqual([
    { id: second, uid, method: "cashapp", handle: "$two" },
    { id: venmo, uid, method: "venmo", handle: "@one" },
  ]);
  shop.advance(1_000);
  expect(await payoutHandles.idOf(uid, "cashapp", "$one")).toBe(first);
  expect((await payoutHandles.lastUsed(uid))[0]?.handle).toBe("$one");
  expect((await payoutHandles.findMany([first, second])).get(second)?.handle).toBe("$two");
});
