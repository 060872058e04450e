// The link printed at start makes the first admin: once, within an hour, and only while there is none.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSetupLink } from "#identity/setup-link.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;

beforeEach(async () => {
  shop = await openTestApp({ fixedTimeZone: null });
});

afterEach(() => shop.close());

async function printedToken(): Promise<string | undefined> {
  const { sql, clock } = shop.deps;
  const link = await createSetupLink(sql, clock, "http://127.0.0.1:3000");
  return link?.split("#setup=")[1];
}

function use(token: string | undefined, as: TestPerson) {
  return shop.call("POST", "/api/identity/setup", { as, body: { token: token ?? "" } });
}

async function adminCount(): Promise<number> {
  const rows = await shop.database.sql`select uid from identity.profiles where role = 'admin'`;
  return rows.length;
}

test("the signed-in person who opens the link is the first admin, and nobody can become the second with it", async () => {
  const [avery, blake] = [await shop.person("Avery"), await shop.person("Blake")];
  const token = await printedToken();
  expect(await use(token, avery)).toMatchObject({ status: 200, body: { role: "admin" } });
  expect(await use(token, blake)).toMatchObject({
    status: 400,
    body: { error: "setup_link_invalid" },
  });
  expect(await adminCount()).toBe(1);
  expect(await printedToken()).toBeUndefined();
  expect((await shop.call("GET", "/api/auth/search?q=b", { as: avery })).status).toBe(200);
});

test.each([
  ["Asia/Kolkata", "Asia/Kolkata"],
  // Node.js knows it, PostgreSQL does not.
  ["Canada/East-Saskatchewan", "UTC"],
])(
  "the first admin's browser says %s, and the store's time zone is %s",
  async (timeZone, chosen) => {
    const body = { token: (await printedToken()) ?? "", timeZone };
    const as = await shop.person("Avery");
    expect((await shop.call("POST", "/api/identity/setup", { as, body })).status).toBe(200);
    expect(await shop.deps.store.timeZone()).toBe(chosen);
  },
);

test("exactly one of many concurrent users becomes admin", async () => {
  const people = await Promise.all(["A", "B", "C", "D", "E"].map((name) => shop.person(name)));
  const token = await printedToken();
  const answers = await Promise.all(people.map((person) => use(token, person)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await adminCount()).toBe(1);
});

test("a link from before the restart, an expired one and a made-up one do not work", async () => {
  const avery = await shop.person("Avery");
  const before = await printedToken();
  const current = await printedToken();
  expect((await use(before, avery)).status).toBe(400);
  expect((await use("made-up", avery)).status).toBe(400);
  shop.advance(3_600_001);
  const later = { ...avery, token: await shop.identity.issueTokenFor(avery.uid) };
  expect((await use(current, later)).status).toBe(400);
  expect(await adminCount()).toBe(0);
});

test("a link that was printed before an admin was made another way does not work", async () => {
  const avery = await shop.person("Avery");
  const token = await printedToken();
  await shop.person("Boss", "admin");
  expect((await use(token, avery)).status).toBe(400);
  expect(await adminCount()).toBe(1);
});

test("the token is not stored in clear text", async () => {
  const token = (await printedToken()) ?? "";
  const rows = await shop.database.sql`
    select encode(token_hash, 'base64') as hash from identity.setup_link`;
  expect(rows).toHaveLength(1);
  expect(Buffer.from(String(rows[0]?.["hash"]), "base64").toString("base64url")).not.toBe(token);
});

test("nobody becomes admin without signing in", async () => {
  const answer = await shop.call("POST", "/api/identity/setup", {
    body: { token: await printedToken() },
  });
  expect(answer.status).toBe(401);
});
