// People made by scripts are found again, get the best known name, and keep their payout handles.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [],
    projections: [],
  });
});

afterAll(() => shop.close());

test("a person is created once, also with another spelling of the same address", async () => {
  const { ensureUser } = shop.identity;
  const first = await ensureUser({ email: "Once@people.test", displayName: "Once" });
  expect(await ensureUser({ email: "once@people.test", displayName: "Other" })).toBe(first);
  const withPassword = await ensureUser({
    email: "once@people.test",
    displayName: "Once",
    password: "demo-password",
  });
  expect(withPassword).toBe(first);
  const signedIn = await shop.call("POST", "/api/identity/sign-in", {
    body: { email: "once@people.test", password: "demo-password" },
  });
  expect(signedIn).toMatchObject({ status: 200, body: { uid: first } });
});

test("people are named by what is known about them", async () => {
  const { ensureUser, profiles } = shop.identity;
  const named = await ensureUser({ email: "n@people.test", displayName: "Nora" });
  const bare = await ensureUser({ email: "bare@people.test" });
  const gone = await ensureUser({ email: "gone@people.test", displayName: "Gone" });
  await shop.database
    .ownerSql`update identity.profiles set deactivated_at = now() where uid = ${gone}`;
  const names = await profiles.displayNames([named, bare, gone, "unknown-unknown-unknown"]);
  expect([...names.values()]).toEqual([
    "Nora",
    "bare@people.test",
    "Deleted user",
    "unknown-unknown-unknown",
  ]);
});

test("the same payout handle has the same id and hash forever, and the last used one is remembered", async () => {
  const { payoutHandles, ensureUser } = shop.identity;
  const uid = await ensureUser({ email: "handles@people.test" });
  const use = async (method: "cashapp" | "venmo", handle: string, by = uid) => {
    const bound = await payoutHandles.bind(uid, method, handle, by);
    await shop.deps.sql.begin(async (transaction) => bound?.keep(transaction));
    return bound;
  };
  const first = await use("cashapp", "$one");
  shop.advance(1_000);
  const second = await use("cashapp", "$two");
  const venmo = await use("venmo", "@one");
  await payoutHandles.bind(uid, "cashapp", "$never-used", uid);
  await use("cashapp", "$of-an-admin", "somebody-else");
  expect(await payoutHandles.lastUsed(uid)).toMatchObject([
    { id: second?.id, uid, method: "cashapp", handle: "$two" },
    { id: venmo?.id, uid, method: "venmo", handle: "@one" },
  ]);
  shop.advance(1_000);
  expect(await use("cashapp", "$one")).toMatchObject({ id: first?.id, hash: first?.hash });
  expect((await payoutHandles.lastUsed(uid))[0]?.handle).toBe("$one");
  const { id = "" } = second ?? {};
  expect((await payoutHandles.findMany([id])).get(id)?.handle).toBe("$two");
});
