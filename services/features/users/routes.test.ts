// Users over HTTP as they see themselves: profile, notifications, username, first profile, and the consignor field.
import { SignJWT, createLocalJWKSet, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;
let outsideKey: CryptoKey;

const ISSUER = "https://outside.test";

beforeAll(async () => {
  const pair = await generateKeyPair("ES256");
  outsideKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), alg: "ES256", kid: "outside" };
  shop = await openTestApp({
    outsideIssuers: [
      {
        issuer: ISSUER,
        audience: "store",
        algorithms: ["ES256"],
        findKey: createLocalJWKSet({ keys: [jwk] }),
        secondFactor: { amr: ["mfa"], acr: [] },
      },
    ],
  });
  boss = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());

/** A token as the external issuer makes it. */
async function outsideToken(subject: string, claims: Record<string, unknown> = {}) {
  const issuedAt = Math.floor(TEST_NOW.getTime() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: "outside" })
    .setIssuer(ISSUER)
    .setAudience("store")
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3_600)
    .sign(outsideKey);
}

const post = (path: string, as: TestPerson, body: unknown = {}) =>
  shop.call("POST", `/api/auth${path}`, { as, body });
const me = async (as: TestPerson) => (await shop.call("GET", "/api/auth/me", { as })).body;

describe("a whole record of a user", () => {
  const putUser = (uid: string, body: unknown) =>
    shop.call("PUT", `/api/auth/users/${uid}`, { as: boss, body });

  test("changes nothing where a field is empty, and null removes a name", async () => {
    const nora = await shop.person("Nora");
    await putUser(nora.uid, { username: "nora-n" });
    const before = await shop.call("GET", `/api/auth/users/${nora.uid}`, { as: boss });
    for (const empty of ["", null]) {
      const record = { username: empty, email: empty, role: "user" };
      expect(await putUser(nora.uid, { ...record, displayName: "" })).toMatchObject({
        status: 200,
        body: { user: { displayName: "Nora", username: "nora-n", email: nora.email } },
      });
    }
    expect(await shop.call("GET", `/api/auth/users/${nora.uid}`, { as: boss })).toEqual({
      ...before,
      headers: expect.anything(),
    });
    expect(await putUser(nora.uid, { displayName: null })).toMatchObject({
      body: { user: { displayName: null, username: "nora-n" } },
    });
    expect(await putUser(nora.uid, { username: "no" })).toMatchObject({
      status: 400,
      body: {
        message: "Username must be 3-20 characters (letters, numbers, hyphens, underscores)",
      },
    });
  });
});

describe("one's own profile", () => {
  test("says where notifications go, and changes nothing else", async () => {
    const avery = await shop.person("Avery");
    const discord = { id: "123456789012345678", username: "avery#1" };
    const answer = await shop.call("PUT", "/api/auth/me", { as: avery, body: { discord } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        uid: avery.uid,
        role: "user",
        discord: { ...discord, linkedAt: TEST_NOW.toISOString() },
        discordNotificationsEnabled: true,
      },
    });
    await shop.call("PUT", "/api/auth/me", {
      as: avery,
      body: { discordNotificationsEnabled: false },
    });
    expect(await me(avery)).toMatchObject({ discord, discordNotificationsEnabled: false });
    await shop.call("PUT", "/api/auth/me", { as: avery, body: { discord: null } });
    expect(await me(avery)).toMatchObject({ discord: null });
    const subjects = await shop.database.sql`select from identity.issuer_subjects`;
    expect(subjects).toHaveLength(0);
  });

  test("names at most three Discord accounts a day that nobody has proved", async () => {
    const casey = await shop.person("Casey");
    const name = async (id: string) =>
      (await shop.call("PUT", "/api/auth/me", { as: casey, body: { discord: { id } } })).status;
    const ids = [1, 1, 2, 3, 3, 4].map((nth) => `12345678901234500${nth}`);
    const answers: number[] = [];
    for (const id of ids) {
      answers.push(await name(id));
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    await shop.database.sql`
      insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
      values ('https://discord.com', '123456789012345009', ${casey.uid}, now())`;
    expect(await name("123456789012345009"), "one's own").toBe(200);
    await shop.database.sql`delete from identity.issuer_subjects`;
  });

  test.each([
    { role: "admin" },
    { email: "other@people.test" },
    { discord: { id: "12" } },
    { discord: { id: "123456789012345678", role: "admin" } },
  ])("refuses %j", async (body) => {
    const answer = await shop.call("PUT", "/api/auth/me", { as: boss, body });
    expect(answer).toMatchObject({ status: 400, body: { error: "validation_failed" } });
  });
});

describe("the first profile", () => {
  test("is made once for an external sign-in, and ignores a role in the body", async () => {
    const token = await outsideToken("subject-1", {
      email: "Robin@people.test",
      email_verified: true,
      name: "Robin",
      role: "admin",
      admin: true,
    });
    const as = { uid: "", email: "", token };
    expect(await shop.call("GET", "/api/auth/me", { as })).toMatchObject({
      status: 403,
      body: { error: "no_profile" },
    });
    const profile = { uid: "subject-1", email: "x@y.test", displayName: "Root", role: "admin" };
    const first = await post("/users", as, profile);
    expect(first).toMatchObject({
      status: 200,
      body: { role: "user", email: "robin@people.test", emailVerified: true, displayName: "Robin" },
    });
    expect(await post("/users", as, profile)).toEqual({ ...first, headers: expect.anything() });
    expect(await me(as)).toMatchObject({ role: "user" });
    expect(await shop.call("GET", "/api/auth/search?q=r", { as })).toMatchObject({ status: 403 });
  });

  test("stores an address that only the body names as unverified", async () => {
    const as = { uid: "", email: "", token: await outsideToken("subject-2") };
    const { body } = await post("/users", as, { email: boss.email, displayName: "Sly" });
    expect(body).toMatchObject({ email: boss.email, emailVerified: false, displayName: "Sly" });
    expect(Reflect.get(Object(body), "uid")).not.toBe(boss.uid);
  });

  test("has no name that passes for the store's, and neither has any other account", async () => {
    const name = `The ${(await shop.deps.store.name()).toUpperCase()}!`;
    const as = { uid: "", email: "", token: await outsideToken("store-named", { name }) };
    const { body } = await post("/users", as, {});
    expect(body).toMatchObject({ displayName: null });
    const mia = await shop.person("Mia");
    const account = { email: "not-the-store@people.test", password: "open sesame" };
    const answers = [
      await shop.call("POST", "/api/identity/sign-up", { body: { ...account, displayName: name } }),
      await shop.call("PUT", `/api/auth/users/${mia.uid}`, {
        as: boss,
        body: { displayName: name },
      }),
      await shop.call("POST", "/api/auth/invitations", {
        as: boss,
        body: { email: account.email, displayName: name },
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 400,
        body: { error: "validation_failed", details: [{ path: "displayName" }] },
      });
    }
  });

  test("is made only once by two concurrent calls", async () => {
    const as = { uid: "", email: "", token: await outsideToken("subject-3") };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post("/users", as)));
    expect(new Set(answers.map(({ body }) => Reflect.get(Object(body), "uid"))).size).toBe(1);
  });

  test("cannot be made for anybody else", async () => {
    const avery = await shop.person("Avery2");
    expect(await post("/users", avery, { uid: boss.uid })).toMatchObject({ status: 403 });
    expect(await post("/users", avery, { uid: avery.uid, role: "admin" })).toMatchObject({
      status: 200,
      body: { uid: avery.uid, role: "user" },
    });
    const as = { uid: "", email: "", token: await outsideToken("subject-4") };
    expect(await post("/users", as, { uid: boss.uid })).toMatchObject({
      status: 403,
      body: { error: "foreign_uid" },
    });
  });
});

describe("usernames", () => {
  const check = async (as: TestPerson, name: string) =>
    (
      await shop.call("GET", `/api/auth/check-username?username=${encodeURIComponent(name)}`, {
        as,
      })
    ).body;

  test("are lower case, free or taken, and one's own name is free for oneself", async () => {
    const [kim, lee] = [await shop.person("Kim"), await shop.person("Lee")];
    expect(await check(kim, "Kimono")).toEqual({ available: true, message: null });
    expect(await post("/set-username", kim, { username: " KimOno " })).toMatchObject({
      status: 200,
      body: { username: "kimono" },
    });
    expect(await me(kim)).toMatchObject({ username: "kimono" });
    expect(await check(kim, "kimono")).toEqual({ available: true, message: null });
    expect(await check(lee, "KIMONO")).toEqual({
      available: false,
      message: "Username already taken",
    });
    expect(await post("/set-username", lee, { username: "kimono" })).toMatchObject({
      status: 409,
      body: { error: "username_taken", message: "Username already taken" },
    });
    expect(await post("/set-username", kim, { username: "kimono" })).toMatchObject({ status: 200 });
    await post("/set-username", kim, { username: "kimchi" });
    expect(await post("/set-username", lee, { username: "kimono" })).toMatchObject({ status: 200 });
  });

  test.each(["", "ab", "a".repeat(21), "with space", "ümlaut", "a.b"])(
    "%j has the wrong shape",
    async (name) => {
      const message = "Username must be 3-20 characters (letters, numbers, hyphens, underscores)";
      expect(await check(boss, name)).toEqual({ available: false, message });
      expect(await post("/set-username", boss, { username: name })).toMatchObject({
        status: 400,
        body: { message },
      });
    },
  );

  test("go to only one of many concurrent callers", async () => {
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => shop.person(`Racer${n}`)));
    const answers = await Promise.all(
      people.map((person) => post("/set-username", person, { username: "winner" })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
  });

  test("that only a profile has are taken like any other, and become no event", async () => {
    const { uid } = await shop.person("Old hand");
    await shop.database.sql`
      update identity.profiles set username = 'old-hand' where uid = ${uid}`;
    expect(await post("/set-username", boss, { username: "old-hand" })).toMatchObject({
      status: 409,
      body: { error: "username_taken" },
    });
    const changes = async () =>
      (await shop.call("GET", `/api/auth/users/${uid}/changes`, { as: boss })).body;
    expect(await changes()).toMatchObject({ changes: [] });
    const body = { username: "new-hand" };
    await shop.call("PUT", `/api/auth/users/${uid}`, { as: boss, body });
    expect(await changes()).toMatchObject({
      changes: [{ before: "old-hand", after: "new-hand", actor: { uid: boss.uid } }],
    });
  });

  test("are not readable in the log", async () => {
    const [row] = await shop.database.sql<{ found: number }[]>`
      select (select count(*) from log.events where data::text ~ 'kimono|kimchi|winner')
        + (select count(*) from log.streams where id ~ 'kimono|kimchi|winner' or state::text ~ 'kim|winner')
        + (select count(*) from log.command_keys where answer::text ~ 'kimono|kimchi|winner') as found`;
    expect(row?.found).toBe(0);
  });

  test("cannot be enumerated by a machine", async () => {
    const eager = await shop.person("Eager");
    const waits: (string | null)[] = [];
    for (let nth = 0; nth < 61; nth += 1) {
      const answer = await shop.call("GET", `/api/auth/check-username?username=name${nth}`, {
        as: eager,
      });
      waits.push(answer.status === 429 ? answer.headers.get("Retry-After") : String(answer.status));
    }
    expect(waits.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => "200"));
    expect(Number(waits[60])).toBeLessThanOrEqual(60);
  });
});

describe("the consignor field", () => {
  async function found(q: string): Promise<unknown> {
    const { body } = await shop.call("GET", `/api/auth/search?q=${encodeURIComponent(q)}`, {
      as: boss,
    });
    const users: unknown = Reflect.get(Object(body), "users");
    return Array.isArray(users)
      ? users.map((user: unknown) => Reflect.get(Object(user), "displayName"))
      : body;
  }

  beforeAll(async () => {
    for (const [displayName, email, username] of [
      ["Ann", "zz@people.test", null],
      ["Joanna", "joanna@people.test", "joey"],
      ["Annabel", "annabel@people.test", null],
      ["Under_score", "under@people.test", null],
      ["No Address", null, "ann"],
      ["100% Sure", "sure@people.test", null],
    ] as const) {
      const uid = await shop.identity.ensureUser({ displayName, email });
      await shop.database
        .sql`update identity.profiles set username = ${username} where uid = ${uid}`;
    }
  });

  test("exact matches come first, then beginnings, then the rest; people without an email are left out", async () => {
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

  test("at most 20 are found, whatever the query", async () => {
    for (let index = 0; index < 25; index += 1) {
      await shop.person(`Crowd${index}`);
    }
    expect(await found("crowd")).toHaveLength(20);
  });
});
