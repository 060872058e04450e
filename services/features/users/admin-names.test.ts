// No admin acts under another admin's name: the audit log and payouts say by the name alone who acted.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeAdmin } from "#features/users/script-people.ts";
import { createLetterBox } from "#testing/service/letter-box.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

const box = createLetterBox();

let shop: TestApp;
let robin: TestPerson;
let eve: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({ mailer: box.mailer });
  robin = await shop.person("Robin Admin", "admin");
  eve = await shop.person("Eve", "admin");
});

beforeEach(() => {
  box.empty();
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
    message:
      "Another admin is called this, or was lately, or something that looks the same. Choose another name",
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

test.each(["System: trades", "Deleted user", "\u0405ystem: payouts"])(
  "an admin gives nobody the name %s, which only the program writes",
  async (displayName) => {
    const { uid } = await shop.person(`Not ${displayName}`);
    const message = "This name stands for the program. Choose another one";
    expect(await change(uid, { displayName })).toMatchObject({
      status: 400,
      body: { error: "validation_failed", details: [{ path: "displayName", message }] },
    });
    expect(
      await shop.call("POST", "/api/auth/invitations", {
        as: eve,
        body: { email: "program@people.test", displayName },
      }),
    ).toMatchObject({ status: 400, body: { details: [{ path: "displayName", message }] } });
  },
);

describe("another admin's name", () => {
  let kim: TestPerson;
  let made = 0;

  beforeEach(async () => {
    eve = { ...eve, token: await shop.identity.issueTokenFor(eve.uid) };
    kim = await shop.person(`Kim ${(made += 1)}`, "admin");
  });

  const nameOf = async (uid: string) =>
    Object((await shop.call("GET", `/api/auth/users/${uid}`, { as: eve })).body) as {
      displayName: string | null;
    };
  const notes = () => shop.database.sql`
    select kind, outcome from security.log where uid = ${kim.uid} and by_uid = ${eve.uid}`;

  test.each([{ displayName: "Somebody" }, { username: "somebody" }, { displayName: null }])(
    "changes to %j with a letter to them and a note in the security log",
    async (body) => {
      expect((await change(kim.uid, body)).status).toBe(200);
      expect(box.letters).toMatchObject([{ to: kim.email }]);
      expect(JSON.stringify(box.letters)).not.toMatch(/somebody/iu);
      expect(await notes()).toMatchObject([{ kind: "name-changed", outcome: "ok" }]);
    },
  );

  test("stays if the letter cannot be sent", async () => {
    box.setDown(true);
    expect(await change(kim.uid, { displayName: "Unheard" })).toMatchObject({
      status: 503,
      body: { error: "mail_unavailable" },
    });
    box.setDown(false);
    expect(await nameOf(kim.uid)).toMatchObject({ displayName: `Kim ${made}` });
  });

  test("needs an admin who signed in lately or confirmed who they are, unlike a consignor's", async () => {
    const avery = await shop.person("Avery");
    shop.advance(11 * 60_000);
    expect(await change(kim.uid, { displayName: "Taken" })).toMatchObject({
      status: 403,
      body: { error: "confirmation_required" },
    });
    expect((await change(kim.uid, { displayName: `Kim ${made}` })).status).toBe(200);
    expect((await change(avery.uid, { displayName: "Avery B." })).status).toBe(200);
    expect((await change(eve.uid, { displayName: "Eve herself" })).status).toBe(200);
    expect(box.letters).toEqual([]);
  });

  test("is as hard to change for 30 days after the role was taken", async () => {
    await change(kim.uid, { role: "user" });
    box.empty();
    await change(kim.uid, { displayName: "Nobody" });
    expect(box.letters).toMatchObject([{ to: kim.email }]);
  });

  test.each([
    ["they were renamed", { displayName: "Somebody else" }],
    ["they are no admin", { role: "user" }],
  ])("is not taken for 90 days after %s", async (_what, body) => {
    const was = `Kim ${made}`;
    expect((await change(kim.uid, body)).status).toBe(200);
    expect(await change(eve.uid, { displayName: was })).toMatchObject(taken);
    const twin = await named(`Twin ${made}`, was);
    expect(await change(twin.uid, { role: "admin" })).toMatchObject(taken);
    shop.advance(91 * 86_400_000);
    eve = { ...eve, token: await shop.identity.issueTokenFor(eve.uid) };
    expect((await change(eve.uid, { displayName: was })).status).toBe(200);
    expect((await change(eve.uid, { displayName: "Eve" })).status).toBe(200);
  });

  test("is theirs again whenever they want it", async () => {
    expect((await change(kim.uid, { displayName: "Kim for a day" })).status).toBe(200);
    expect((await change(kim.uid, { displayName: `Kim ${made}` })).status).toBe(200);
  });

  test("is not lost to somebody who had it as a consignor, or as a username under another name", async () => {
    const was = `Kim ${made}`;
    const other = await named(`Other ${made}`, was);
    expect((await change(other.uid, { displayName: `Lee ${made}`, role: "admin" })).status).toBe(
      200,
    );
    for (const username of [`kim-${made}`, "eve"]) {
      expect((await change(eve.uid, { username })).status).toBe(200);
    }
    expect((await change(kim.uid, { displayName: "Kim for an hour" })).status).toBe(200);
    expect((await change(kim.uid, { displayName: was })).status).toBe(200);
  });
});
