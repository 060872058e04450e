// Access depends only on a valid token and on what the tables say at the time of the request.
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER, type Issuer } from "#identity/id-tokens.ts";
import { endAccount, giveRole } from "#testing/shop/people.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

const outsideName = "https://accounts.elsewhere.test";
const outside = await generateKeyPair("ES256", { extractable: true });
const stranger = await generateKeyPair("ES256", { extractable: true });

const outsideIssuer: Issuer = {
  issuer: outsideName,
  audience: "our-app",
  algorithms: ["ES256"],
  findKey: () => Promise.resolve(outside.publicKey),
  secondFactor: { amr: ["mfa"], acr: [] },
};

let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({
    outsideIssuers: [outsideIssuer],
  });
  [boss, avery] = await Promise.all([shop.person("Boss", "admin"), shop.person("Avery")]);
});

afterAll(() => shop.close());

const nowSeconds = Math.floor(TEST_NOW.getTime() / 1000);

type Claims = { issuer?: string; audience?: string; subject?: string; lifetime?: number };

function sign(key: CryptoKey, claims: Claims, header: object = {}): Promise<string> {
  return new SignJWT({ role: "admin", admin: true })
    .setProtectedHeader({ alg: "ES256", ...header })
    .setIssuer(claims.issuer ?? EMBEDDED_ISSUER)
    .setAudience(claims.audience ?? EMBEDDED_AUDIENCE)
    .setSubject(claims.subject ?? boss.uid)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + (claims.lifetime ?? 600))
    .sign(key);
}

function call(path: string, authorization?: string) {
  return shop.call("GET", path, {
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });
}

describe("a protected call without a valid token is a 401", () => {
  test("without a token", async () => {
    const answer = await call("/api/auth/me");
    expect(answer).toMatchObject({
      status: 401,
      body: { error: "unauthenticated", message: "No user logged in" },
    });
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  test.each([
    "Bearer",
    "Bearer x",
    "Bearer a.b.c",
    "Basic Ym9zczpib3Nz",
    `Bearer ${"a".repeat(6_000)}`,
    "Bearer .e30.",
    "Bearer bnVsbA.bnVsbA.bnVsbA",
  ])("with %s", async (authorization) => {
    expect((await call("/api/auth/me", authorization)).status).toBe(401);
  });

  test("made with our own key for longer than our tokens live", async () => {
    const { kid, key } = await shop.identity.parts.keys.current();
    const made = (lifetime: number) => sign(key, { lifetime }, { kid });
    expect((await call("/api/auth/me", `Bearer ${await made(900)}`)).status).toBe(200);
    expect((await call("/api/auth/me", `Bearer ${await made(901)}`)).status).toBe(401);
  });

  test("whose key is gone, at once, although the token was good a moment before", async () => {
    const { ownerSql } = shop.database;
    const authorization = `Bearer ${await shop.identity.issueTokenFor(avery.uid)}`;
    expect((await call("/api/auth/me", authorization)).status).toBe(200);
    await ownerSql`create table kept_keys as table identity.signing_keys`;
    await ownerSql`delete from identity.signing_keys`;
    expect((await call("/api/auth/me", authorization)).status).toBe(401);
    await ownerSql`insert into identity.signing_keys table kept_keys`;
    expect((await call("/api/auth/me", authorization)).status).toBe(200);
  });

  test("forged with another key, even one that is sent along or has our key's id", async () => {
    const { body } = await call("/api/identity/jwks");
    const kid = JSON.stringify(body).match(/"kid":"([^"]+)"/)?.[1] ?? "";
    const jwk = await exportJWK(stranger.publicKey);
    for (const header of [{}, { kid }, { kid, jwk }, { kid: "../../etc/passwd" }]) {
      const forged = await sign(stranger.privateKey, {}, header);
      expect((await call("/api/auth/me", `Bearer ${forged}`)).status).toBe(401);
    }
  });

  test("without a signature, or signed with our public key as if it were a secret", async () => {
    const payload = Buffer.from(
      JSON.stringify({
        iss: EMBEDDED_ISSUER,
        aud: EMBEDDED_AUDIENCE,
        sub: boss.uid,
        iat: nowSeconds,
        exp: nowSeconds + 600,
      }),
    ).toString("base64url");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    expect((await call("/api/auth/me", `Bearer ${none}.${payload}.`)).status).toBe(401);
    const { body } = await call("/api/identity/jwks");
    const hmac = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(EMBEDDED_ISSUER)
      .setAudience(EMBEDDED_AUDIENCE)
      .setSubject(boss.uid)
      .setExpirationTime(nowSeconds + 600)
      .sign(Buffer.from(JSON.stringify(body)));
    expect((await call("/api/auth/me", `Bearer ${hmac}`)).status).toBe(401);
  });

  test("of an issuer that is not configured, or for another app", async () => {
    const unknown = await sign(outside.privateKey, { issuer: "https://nobody.test" });
    const elsewhere = await sign(outside.privateKey, {
      issuer: outsideName,
      audience: "another-app",
    });
    const asOurs = await sign(outside.privateKey, { audience: EMBEDDED_AUDIENCE });
    for (const token of [unknown, elsewhere, asOurs]) {
      expect((await call("/api/auth/me", `Bearer ${token}`)).status).toBe(401);
    }
  });
});

describe("a valid token", () => {
  test("gives access until it expires, also if it was seen before", async () => {
    const own = await openTestApp();
    const person = await own.person("Kim");
    const ask = () => own.call("GET", "/api/auth/me", { as: person });
    expect((await ask()).status).toBe(200);
    own.advance(890_000);
    expect((await ask()).status).toBe(200);
    own.advance(16_000);
    expect(await ask()).toMatchObject({
      status: 401,
      body: { error: "invalid_token", message: "The sign-in has expired" },
    });
    await own.close();
  });

  test("of an outside issuer gives access to the linked person, with the role in our tables", async () => {
    const token = await sign(outside.privateKey, {
      issuer: outsideName,
      audience: "our-app",
      subject: "subject-1",
    });
    expect(await call("/api/auth/me", `Bearer ${token}`)).toMatchObject({
      status: 403,
      body: { error: "no_profile" },
    });
    await shop.database.sql`
      insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
      values (${outsideName}, 'subject-1', ${avery.uid}, now())`;
    expect(await call("/api/auth/me", `Bearer ${token}`)).toMatchObject({
      status: 200,
      body: { uid: avery.uid, role: "user" },
    });
  });

  test("of an outside issuer with a uid of ours as its subject is not that person's", async () => {
    const token = await sign(outside.privateKey, {
      issuer: outsideName,
      audience: "our-app",
      subject: boss.uid,
    });
    expect((await call("/api/auth/me", `Bearer ${token}`)).status).toBe(403);
  });

  test("is ignored by open calls if it is invalid", async () => {
    expect((await call("/api/identity/jwks", "Bearer nonsense")).status).toBe(200);
  });
});

describe("what a person may see", () => {
  const get = (path: string, as: TestPerson) => shop.call("GET", path, { as });

  test("is their own data; an admin may see everybody's", async () => {
    expect((await get(`/api/auth/users/${avery.uid}`, avery)).status).toBe(200);
    expect((await get(`/api/auth/users/${boss.uid}`, avery)).status).toBe(403);
    expect((await get(`/api/auth/users/${avery.uid}`, boss)).status).toBe(200);
  });

  test("somebody who does not exist is a 404 for an admin and a 403 for everybody else", async () => {
    const nobody = "/api/auth/users/nobody-nobody-nobody";
    expect(await get(nobody, boss)).toMatchObject({ status: 404, body: { error: "unknown_user" } });
    expect((await get(nobody, avery)).status).toBe(403);
  });

  test("an admin's call refuses others with the specification's words", async () => {
    expect(await get("/api/auth/search?q=a", avery)).toMatchObject({
      status: 403,
      body: { error: "forbidden", message: "Admin access required" },
    });
    expect((await call("/api/auth/search?q=a")).status).toBe(401);
  });

  test("an admin who is demoted or deactivated loses access on the next call", async () => {
    const deputy = await shop.person("Deputy", "admin");
    const search = () => get("/api/auth/search?q=a", deputy);
    expect((await search()).status).toBe(200);
    await giveRole(shop.deps, deputy.uid, "user");
    expect((await search()).status).toBe(403);
    await giveRole(shop.deps, deputy.uid, "admin");
    expect((await search()).status).toBe(200);
    await endAccount(shop.deps, deputy.uid);
    expect(await search()).toMatchObject({ status: 403, body: { error: "account_deactivated" } });
  });
});
