// No admin acts under another admin's name: the audit log and payouts say by the name alone who acted.
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAdmin } from "#features/users/script-people.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let robin: TestPerson;
let eve: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  robin = await shop.person("Robin Admin", "admin");
  eve = await shop.person("Eve", "admin");
});

afterAll(() => shop.close());

const change = (uid: string, body: object, headers = {}) =>
  shop.call("PUT", `/api/auth/users/${uid}`, { as: eve, body, headers });

/** A consignor who signed up with this name. */
async function named(person: string, displayName: string): Promise<TestPerson> {
  const made = await shop.person(person);
  await shop.deps.sql`
    update identity.profiles set display_name = ${displayName} where uid = ${made.uid}`;
  return made;
}

const taken = {
  status: 409,
  body: {
    error: "admin_name_taken",
    message: "Another admin is called this, or something that looks the same. Choose another name",
  },
};

test.each([
  ["the same name", "Robin Admin"],
  ["it with a no-break space", "Robin\u00a0Admin"],
  ["it in other letters that look the same", "R\u043ebin \u0410dmin"],
  ["it in capitals and without its space", "ROBINADMIN"],
  ["it with an accent", "R\u00f3bin Admin"],
])("an admin cannot take another admin's name: %s", async (_what, displayName) => {
  expect(await change(eve.uid, { displayName })).toMatchObject(taken);
  expect(await change(eve.uid, { displayName }, { "Ledger-Rehearsal": "true" })).toMatchObject(
    taken,
  );
});

test("an admin takes no username that is another admin's name, nor shows one by removing the name", async () => {
  const sent = { as: eve, body: { username: "robin-admin" } };
  expect((await shop.call("POST", "/api/auth/set-username", sent)).status).toBe(200);
  expect(await change(eve.uid, { displayName: null })).toMatchObject(taken);
  expect((await change(eve.uid, { username: "eve" })).status).toBe(200);
  expect((await change(eve.uid, { displayName: null })).status).toBe(200);
  expect(await shop.call("POST", "/api/auth/set-username", sent)).toMatchObject(taken);
});

test("somebody with an admin's name becomes no admin before the name is another one", async () => {
  const { uid } = await named("Twin", "Robin Admin");
  expect(await change(uid, { role: "admin" })).toMatchObject(taken);
  expect(
    (await change(uid, { role: "admin", displayName: "Robin from the warehouse" })).status,
  ).toBe(200);
});

test("a consignor may have an admin's name, and an admin keeps their own", async () => {
  const { uid } = await shop.person("Kim");
  expect((await change(uid, { displayName: "Robin Admin" })).status).toBe(200);
  expect((await change(robin.uid, { displayName: "robin admin" })).status).toBe(200);
});

test("of two admins who take the same name at once, one gets it", async () => {
  const both = await Promise.all([
    shop.call("PUT", `/api/auth/users/${robin.uid}`, { as: robin, body: { displayName: "Sam" } }),
    change(eve.uid, { displayName: "Sam" }),
  ]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409,
  ]);
});

test("the operator makes somebody with an admin's name an admin, and is told", async () => {
  const { sql, ledger, clock } = shop.deps;
  const [found] = await sql<{ name: string }[]>`
    select display_name as name from identity.profiles where uid = ${robin.uid}`;
  const twin = await named("Other", found?.name ?? "");
  await sql`update identity.profiles set email_verified_at = now() where uid = ${twin.uid}`;
  expect(await makeAdmin({ sql, ledger, clock }, twin.email)).toMatchObject({
    kind: "made",
    isNamedLikeAnother: true,
  });
});
