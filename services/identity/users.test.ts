// People made by scripts are found again, named as well as can be, and keep their payout handles.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#testing/test-app.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [],
    streams: new Map(),
    events: new Map(),
    projections: [],
  });
});

afterAll(() => shop.close());

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

test("people are named by what is known of them", async () => {
  const { ensureUser, profiles } = shop.identity;
  const named = await ensureUser({ email: "n@people.test", displayName: "Nora", role: "user" });
  const bare = await ensureUser({ email: "bare@people.test", role: "user" });
  const gone = await ensureUser({ email: "gone@people.test", displayName: "Gone", role: "user" });
  await shop.database
    .ownerSql`update identity.profiles set deactivated_at = now() where uid = ${gone}`;
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
  const use = async (method: "cashapp" | "venmo", handle: string) => {
    const id = await payoutHandles.idOf(uid, method, handle);
    await shop.deps.sql.begin((transaction) =>
      payoutHandles.markUsed(transaction, id === undefined ? [] : [id]),
    );
    return id;
  };
  const first = await use("cashapp", "$one");
  shop.advance(1_000);
  const second = await use("cashapp", "$two");
  const venmo = await use("venmo", "@one");
  await payoutHandles.idOf(uid, "cashapp", "$never-used");
  expect(await payoutHandles.lastUsed(uid)).toEqual([
    { id: second, uid, method: "cashapp", handle: "$two" },
    { id: venmo, uid, method: "venmo", handle: "@one" },
  ]);
  shop.advance(1_000);
  expect(await use("cashapp", "$one")).toBe(first);
  expect((await payoutHandles.lastUsed(uid))[0]?.handle).toBe("$one");
  expect((await payoutHandles.findMany([second ?? ""])).get(second ?? "")?.handle).toBe("$two");
});
