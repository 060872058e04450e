// When a session ends, by itself or because somebody ends it, and that its ID tokens end with it.
import { generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from "#identity/id-tokens.ts";
import { endAllSessions } from "#identity/session-list.ts";
import { endAccount, giveRole } from "#testing/shop/people.ts";
import { openTestApp, TEST_NOW, type TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const password = "open sesame";
const outside = await generateKeyPair("ES256");
const outsideName = "https://issuer.test";

let shop: TestApp;
let passed = 0;
let count = 0;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [],
    projections: [],
    outsideIssuers: [
      {
        issuer: outsideName,
        audience: "our-app",
        algorithms: ["ES256"],
        findKey: () => Promise.resolve(outside.publicKey),
        secondFactor: { amr: ["mfa"], acr: [] },
      },
    ],
  });
});

beforeEach(async () => {
  await shop.database.sql`delete from identity.rate_limits`;
});

afterAll(() => shop.close());

function pass(milliseconds: number): void {
  passed += milliseconds;
  shop.advance(milliseconds);
}

const now = () => new Date(TEST_NOW.getTime() + passed);

/** A person with two browsers, both signed in. */
async function withTwo() {
  const email = `ends-${(count += 1)}@people.test`;
  const [desk, phone] = [visitorOf(shop), visitorOf(shop)];
  const uid = textIn(await desk.enter("/api/identity/sign-up", { email, password }), "uid");
  await phone.enter("/api/identity/sign-in", { email, password });
  return { desk, phone, email, uid };
}

const calls = async (visitor: Visitor) =>
  (await visitor.send("GET", "/api/identity/account")).status;
const refresh = async (visitor: Visitor, body: object = {}) =>
  (await visitor.enter("/api/identity/refresh", body)).status;

async function otherSession(visitor: Visitor): Promise<string> {
  const { body } = await visitor.send("GET", "/api/identity/sessions");
  const sessions = Reflect.get(Object(body), "sessions") as { id: string; isCurrent: boolean }[];
  return sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "";
}

describe("an ID token ends on the next call", () => {
  test("after signing out, and only that browser's", async () => {
    const { desk, phone } = await withTwo();
    expect((await desk.send("POST", "/api/identity/sign-out", {})).status).toBe(200);
    expect(await desk.send("GET", "/api/identity/account")).toMatchObject({
      status: 401,
      body: { error: "invalid_token", message: "The sign-in has ended" },
    });
    expect(await calls(phone)).toBe(200);
  });

  test("after its owner ended the session in the list", async () => {
    const { desk, phone } = await withTwo();
    const id = await otherSession(desk);
    expect((await desk.send("DELETE", `/api/identity/sessions/${id}`)).status).toBe(200);
    expect([await calls(phone), await calls(desk)]).toEqual([401, 200]);
  });

  test("after an old refresh token was used", async () => {
    const { desk, phone } = await withTwo();
    const stolen = desk.cookies.get("refresh_token") ?? "";
    await refresh(desk);
    pass(21_000);
    const thief = visitorOf(shop);
    thief.cookies.set("refresh_token", stolen);
    expect(await refresh(thief)).toBe(401);
    expect([await calls(desk), await calls(phone)]).toEqual([401, 200]);
  });

  test("after the same browser signed in again", async () => {
    const { desk, email } = await withTwo();
    const former = desk.token() ?? "";
    await desk.enter("/api/identity/sign-in", { email, password });
    const asFormer = await desk.send("GET", "/api/identity/account", undefined, {
      Authorization: `Bearer ${former}`,
    });
    expect([asFormer.status, await calls(desk)]).toEqual([401, 200]);
  });

  test("after the person was deactivated", async () => {
    const { desk, uid } = await withTwo();
    await endAccount(shop.deps, uid);
    expect(await desk.send("GET", "/api/identity/account")).toMatchObject({
      status: 403,
      body: { error: "account_deactivated" },
    });
  });

  test("and another person's token does not name one's own session", async () => {
    const [own, other] = [await withTwo(), await withTwo()];
    const sid = await otherSession(own.desk);
    const forged = await signOwn({ subject: other.uid, sid });
    expect(await callWith(forged)).toBe(401);
  });
});

describe("a session ends by itself", () => {
  test("90 days after the sign-in, however it is used", async () => {
    const { desk } = await withTwo();
    for (let week = 0; week < 12; week += 1) {
      pass(7 * DAY_MS);
      expect(await refresh(desk)).toBe(200);
    }
    pass(6 * DAY_MS - 60_000);
    expect(await refresh(desk)).toBe(200);
    pass(61_000);
    // The ID token would live for another quarter of an hour.
    expect(await calls(desk)).toBe(401);
    expect(await refresh(desk)).toBe(401);
  });

  test("after 30 days in which no page was used, however often a tab renews it", async () => {
    const { desk } = await withTwo();
    for (let week = 0; week < 4; week += 1) {
      pass(7 * DAY_MS);
      expect(await refresh(desk, { idle: true })).toBe(200);
    }
    pass(2 * DAY_MS - 60_000);
    expect(await refresh(desk, { idle: true })).toBe(200);
    pass(61_000);
    expect([await calls(desk), await refresh(desk)]).toEqual([401, 401]);
  });

  test("for an admin after 12 idle hours, and 30 days after the sign-in", async () => {
    const { desk, phone, uid } = await withTwo();
    await giveRole(shop.deps, uid, "admin");
    pass(11 * HOUR_MS);
    expect([await refresh(desk), await refresh(phone, { idle: true })]).toEqual([200, 200]);
    pass(HOUR_MS + 1_000);
    expect([await refresh(desk), await refresh(phone)]).toEqual([200, 401]);
    const { body } = await desk.send("GET", "/api/identity/sessions");
    expect(body).toMatchObject({
      sessions: [
        { isCurrent: true, expiresAt: new Date(now().getTime() + DAY_MS / 2).toISOString() },
      ],
    });
    for (let half = 0; half < 60; half += 1) {
      pass(DAY_MS / 2 - HOUR_MS / 2);
      expect(await refresh(desk)).toBe(200);
    }
    for (const hours of [11, 6]) {
      pass(hours * HOUR_MS);
      expect(await refresh(desk)).toBe(200);
    }
    pass(HOUR_MS);
    expect([await calls(desk), await refresh(desk)]).toEqual([401, 401]);
  });

  test("sooner for somebody who becomes an admin, because the role of this moment counts", async () => {
    const { desk, uid } = await withTwo();
    pass(13 * HOUR_MS);
    expect(await refresh(desk, { idle: true })).toBe(200);
    await giveRole(shop.deps, uid, "admin");
    expect(await calls(desk)).toBe(401);
    await giveRole(shop.deps, uid, "user");
    expect(await calls(desk)).toBe(200);
  });

  test("no later because its clock was ahead at the sign-in", async () => {
    shop.advance(400 * DAY_MS);
    const { desk } = await withTwo();
    shop.advance(-400 * DAY_MS);
    for (let week = 0; week < 13; week += 1) {
      expect(await refresh(desk)).toBe(200);
      pass(7 * DAY_MS);
    }
    expect(await refresh(desk)).toBe(401);
  });
});

describe("a token without a session", () => {
  test("of ours, made before an upgrade, lives its own quarter of an hour at most", async () => {
    const { uid } = await withTwo();
    const token = await signOwn({ subject: uid });
    expect(await callWith(token)).toBe(200);
    pass(906_000);
    expect(await callWith(token)).toBe(401);
  });

  test("of ours ends when all sessions are ended", async () => {
    const { desk, uid } = await withTwo();
    const token = await signOwn({ subject: uid });
    await desk.send("DELETE", "/api/identity/sessions");
    expect(await callWith(token)).toBe(401);
  });

  test("of an outside issuer ends when all sessions are ended, until the person signs in there again", async () => {
    const { uid } = await linked("subject-all");
    const former = await signOutside("subject-all", now());
    expect(await callWith(former)).toBe(200);
    pass(60_000);
    await shop.deps.sql.begin((transaction) => endAllSessions(transaction, uid, now()));
    pass(60_000);
    expect(await callWith(former)).toBe(401);
    const renewed = await signOutside("subject-all", new Date(now().getTime() - 120_000));
    expect(await callWith(renewed)).toBe(401);
    expect(await callWith(await signOutside("subject-all", now()))).toBe(200);
  });

  test("of an outside issuer that says when the person signed in ends like ours", async () => {
    await linked("subject-old");
    const signedInAgo = (days: number) =>
      signOutside("subject-old", new Date(now().getTime() - days * DAY_MS));
    expect(await callWith(await signedInAgo(89))).toBe(200);
    expect(await callWith(await signedInAgo(91))).toBe(401);
    expect(await callWith(await signOutside("subject-old"))).toBe(200);
  });
});

async function callWith(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await shop.call("GET", "/api/identity/account", { headers })).status;
}

async function signOwn({ subject, sid }: { readonly subject: string; readonly sid?: string }) {
  const { kid, key } = await shop.identity.parts.keys.current();
  const issuedAt = Math.floor(now().getTime() / 1000);
  return new SignJWT({ auth_time: issuedAt, epoch: 0, ...(sid === undefined ? {} : { sid }) })
    .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
    .setIssuer(EMBEDDED_ISSUER)
    .setAudience(EMBEDDED_AUDIENCE)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 900)
    .sign(key);
}

/** Without a time of the sign-in if the issuer does not say it. */
async function signOutside(subject: string, signedInAt?: Date): Promise<string> {
  const issuedAt = Math.floor(now().getTime() / 1000);
  const authTime = signedInAt === undefined ? undefined : Math.floor(signedInAt.getTime() / 1000);
  return new SignJWT(authTime === undefined ? {} : { auth_time: authTime })
    .setProtectedHeader({ alg: "ES256" })
    .setIssuer(outsideName)
    .setAudience("our-app")
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 600)
    .sign(outside.privateKey);
}

async function linked(subject: string) {
  const person = await shop.person(subject);
  await shop.database.sql`
    insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
    values (${outsideName}, ${subject}, ${person.uid}, ${now()})`;
  return person;
}
