// Another identity provider can replace the embedded one just by configuration: its tokens are verified with its own keys.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseConfig } from "#config";
import { outsideIssuer } from "#identity/id-tokens.ts";
import { type GoogleStandIn, startGoogle } from "#testing/service/google-stand-in.ts";
import { openTestApp, TEST_NOW, type TestApp } from "#testing/service/test-app.ts";
import { textIn } from "#testing/service/visitor.ts";

let provider: GoogleStandIn;
let shop: TestApp;

const AUDIENCE = "our-project";

beforeAll(async () => {
  provider = await startGoogle();
  const { issuers } = parseConfig({
    TOKEN_ISSUERS: JSON.stringify([
      {
        issuer: provider.settings.baseUrl,
        audience: AUDIENCE,
        jwksUrl: provider.jwksUrl,
        algorithms: ["RS256"],
      },
    ]),
  });
  shop = await openTestApp({ outsideIssuers: issuers.map(outsideIssuer) });
});

afterAll(async () => {
  await shop.close();
  await provider.close();
});

const now = Math.floor(TEST_NOW.getTime() / 1000);

/** A token like the provider's, valid for half an hour. */
async function tokenOf(sub: string, more: object = {}): Promise<Record<string, string>> {
  const times = { iat: now, nbf: now, exp: now + 1_800 };
  const token = await provider.sign({ sub, aud: AUDIENCE, ...times, ...more });
  return { Authorization: `Bearer ${token}` };
}

const me = (headers: Record<string, string>) => shop.call("GET", "/api/auth/me", { headers });
const introduce = (headers: Record<string, string>, body: object = {}) =>
  shop.call("POST", "/api/auth/users", { headers, body });

test("its people get a profile at their first call, always as plain users", async () => {
  const sub = "firebase|7f3c";
  const claims = { email: "ada@elsewhere.test", email_verified: true, name: "Ada", role: "admin" };
  const headers = await tokenOf(sub, { ...claims, admin: true });
  expect(await me(headers)).toMatchObject({ status: 403, body: { error: "no_profile" } });
  const made = await introduce(headers, {
    uid: sub,
    email: "boss@elsewhere.test",
    displayName: "Boss",
    role: "admin",
  });
  expect(made).toMatchObject({
    status: 200,
    body: { email: "ada@elsewhere.test", displayName: "Ada", role: "user" },
  });
  const uid = textIn(made, "uid");
  expect(uid).toMatch(/^\w{28}$/);
  expect(await me(headers)).toMatchObject({ status: 200, body: { uid, role: "user" } });
  expect((await shop.call("GET", "/api/auth/all-users", { headers })).status).toBe(403);
  expect(textIn(await introduce(headers, { uid: sub, role: "admin" }), "uid")).toBe(uid);
  const [row] = await shop.database.sql`
    select issuer, subject from identity.issuer_subjects where uid = ${uid}`;
  expect(row).toEqual({ issuer: provider.settings.baseUrl, subject: sub });
});

test("two first calls at once make one profile", async () => {
  const headers = await tokenOf("twins", { email: "twins@elsewhere.test", email_verified: true });
  const uids = await Promise.all(
    Array.from({ length: 4 }, async () => textIn(await introduce(headers), "uid")),
  );
  expect(new Set(uids).size).toBe(1);
});

test("its token is refused when it is for another app, expired, early, or signed otherwise", async () => {
  for (const wrong of [
    { aud: "another-project" },
    { exp: now - 60 },
    { nbf: now + 600 },
    { iss: "https://evil.test" },
    { sub: "" },
    { sub: undefined },
  ]) {
    expect((await me(await tokenOf("somebody", wrong))).status).toBe(401);
  }
  const { Authorization = "" } = await tokenOf("somebody");
  const [header, payload] = Authorization.split(".");
  expect((await me({ Authorization: `${header}.${payload}.AAAA` })).status).toBe(401);
});

test("its people are linked to existing ones only by an email that both sides have verified", async () => {
  const [proven, unproven] = [await shop.person("Proven"), await shop.person("Unproven")];
  await shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${proven.uid}`;
  const enter = async (sub: string, claims: object) =>
    textIn(await introduce(await tokenOf(sub, claims)), "uid");
  const verified = { email_verified: true };
  expect(await enter("linked", { email: proven.email, ...verified })).toBe(proven.uid);
  expect(shop.letters.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    expect.stringMatching(`^${proven.email}: Another account was linked`),
  ]);
  expect(await enter("said-only", { email: proven.email })).not.toBe(proven.uid);
  expect(await enter("stranger", { email: unproven.email, ...verified })).not.toBe(unproven.uid);
});

test("whoever has a second factor here needs one there too, by what the token says", async () => {
  const claims = { email: "two@elsewhere.test", email_verified: true, auth_time: now };
  const uid = textIn(await introduce(await tokenOf("two", claims)), "uid");
  const answer = async (more: object) =>
    (await me(await tokenOf("two", { ...claims, ...more }))).status;
  expect(await answer({})).toBe(200);
  await shop.database.sql`
    insert into identity.factors (id, uid, kind, name, added_at, secret_sealed, last_step)
    values (gen_random_uuid(), ${uid}, 'totp', 'App', now(), sha256('sealed'), 0)`;
  const refused = { status: 403, body: { error: "provider_second_factor_required" } };
  expect(await me(await tokenOf("two", claims))).toMatchObject(refused);
  expect(await me(await tokenOf("two", { ...claims, amr: ["pwd"] }))).toMatchObject(refused);
  // Only Firebase itself may say it like this.
  const firebase = { firebase: { sign_in_second_factor: "totp" } };
  expect(await me(await tokenOf("two", { ...claims, ...firebase }))).toMatchObject(refused);
  expect(await answer({ amr: ["pwd", "mfa"] })).toBe(200);
});

test("a first profile does not treat the body's address as verified", async () => {
  const headers = await tokenOf("no-mail");
  const made = await introduce(headers, { email: "somebody@elsewhere.test" });
  expect(made).toMatchObject({ status: 200, body: { emailVerified: false } });
});

test("a token without a sign-in time is never recent", async () => {
  const link = (headers: Record<string, string>) =>
    shop.call("POST", "/api/identity/link-password", {
      headers,
      body: { password: "open sesame" },
    });
  const claims = { email: "late@elsewhere.test", email_verified: true };
  await introduce(await tokenOf("late", claims));
  expect(await link(await tokenOf("late", claims))).toMatchObject({
    status: 403,
    body: { error: "recent_sign_in_required" },
  });
  const recent = await tokenOf("late", { ...claims, auth_time: now - 60 });
  expect((await link(recent)).status).toBe(200);
});
