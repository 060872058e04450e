// Signing in with Google: the real OAuth flow against a local provider, and only one's own flow succeeds.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type GoogleStandIn, startGoogle } from "#testing/service/google-stand-in.ts";
import { openTestApp, TEST_NOW, type TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

let google: GoogleStandIn;
let shop: TestApp;

beforeAll(async () => {
  google = await startGoogle();
  shop = await openTestApp({
    routes: [],
    projections: [],
    google: google.settings,
  });
});

afterAll(async () => {
  await shop.close();
  await google.close();
});

let count = 0;

beforeEach(() => {
  count += 1;
  const name = `person${count}`;
  google.user = {
    sub: `google-${count}`,
    email: `${name}@people.test`,
    email_verified: true,
    name: `Person ${count}`,
  };
  google.claims = {};
  google.status = 200;
});

/** The pop-up's parameters. */
async function popUp(visitor: Visitor): Promise<{ code: string; state: string }> {
  const started = await visitor.send("POST", "/api/identity/google/start", {});
  expect(started.status).toBe(200);
  const response = await fetch(textIn(started, "authorizeUrl"), { redirect: "manual" });
  const back = new URL(response.headers.get("Location") ?? "");
  expect(back.origin + back.pathname).toBe("http://app.test/google-callback");
  expect(back.searchParams.get("state")).toBe(textIn(started, "state"));
  return { code: back.searchParams.get("code") ?? "", state: textIn(started, "state") };
}

async function signIn(visitor = visitorOf(shop)) {
  return visitor.enter("/api/identity/google", await popUp(visitor));
}

const failed = {
  status: 400,
  body: { error: "google_failed", message: "Failed to sign in with Google" },
};

describe("signing in", () => {
  test("makes a profile the first time and finds it again, and ignores a role in the token", async () => {
    google.claims = { role: "admin", admin: true };
    const visitor = visitorOf(shop);
    const first = await signIn(visitor);
    expect(first).toMatchObject({ status: 200, body: { expiresIn: 900 } });
    const account = await visitor.send("GET", "/api/identity/account");
    expect(account).toMatchObject({
      status: 200,
      body: {
        email: google.user.email,
        emailVerified: true,
        hasPassword: false,
        providers: [{ provider: "google" }],
      },
    });
    const [profile] = await shop.database.sql`
      select role, display_name from identity.profiles where uid = ${textIn(first, "uid")}`;
    expect(profile).toEqual({ role: "user", display_name: google.user.name });
    expect(textIn(await signIn(), "uid")).toBe(textIn(first, "uid"));
  });

  test("goes to Google with PKCE, state and nonce, none of which are stored in clear text", async () => {
    const visitor = visitorOf(shop);
    const started = await visitor.send("POST", "/api/identity/google/start", {});
    const { searchParams } = new URL(textIn(started, "authorizeUrl"));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: google.settings.clientId,
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
      nonce: textIn(started, "nonce"),
    });
    const cookie = started.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Max-Age=600/);
    const rows = await shop.database.sql`
      select encode(state_hash, 'base64') as s, encode(browser_hash, 'base64') as b
      from identity.oauth_flows`;
    const stored = JSON.stringify(rows).replaceAll("+", "-").replaceAll("/", "_");
    for (const secret of [textIn(started, "state"), visitor.cookies.get("oauth_browser") ?? "-"]) {
      expect(stored).not.toContain(secret);
    }
  });

  test("works with the credential of Google's own button, once, for its own sign-in", async () => {
    const visitor = visitorOf(shop);
    const now = Math.floor(TEST_NOW.getTime() / 1000);
    const times = { iat: now, nbf: now, exp: now + 600 };
    const begin = () => visitor.send("POST", "/api/identity/google/start", {});
    const signed = (nonce: string, more: object = {}) =>
      google.sign({ ...google.user, ...times, aud: google.settings.clientId, nonce, ...more });
    const started = await begin();
    const credential = await signed(textIn(started, "nonce"));
    const body = { credential, state: textIn(started, "state") };
    expect((await visitor.enter("/api/identity/google", body)).status).toBe(200);
    expect(await visitor.enter("/api/identity/google", body)).toMatchObject(failed);

    for (const more of [
      { nonce: "another" },
      { nonce: undefined },
      { aud: "another-app" },
      { iss: "https://evil.test" },
      { exp: 1_700_000_000 },
    ]) {
      const again = await begin();
      const wrong = {
        credential: await signed(textIn(again, "nonce"), more),
        state: textIn(again, "state"),
      };
      expect(await visitor.enter("/api/identity/google", wrong)).toMatchObject(failed);
    }
  });

  test("makes one profile for two concurrent first sign-ins", async () => {
    const uids = await Promise.all([1, 2, 3].map(async () => textIn(await signIn(), "uid")));
    expect(new Set(uids).size).toBe(1);
  });

  test("works in two tabs of one browser at once", async () => {
    const visitor = visitorOf(shop);
    const first = await popUp(visitor);
    const second = await popUp(visitor);
    expect((await visitor.enter("/api/identity/google", first)).status).toBe(200);
    expect((await visitor.enter("/api/identity/google", second)).status).toBe(200);
  });
});

test("only the pop-up's page stays connected to the page that opened it", async () => {
  const policyOf = async (path: string) => {
    const page = await shop.call("GET", path, { headers: { Accept: "text/html" } });
    return page.headers.get("Cross-Origin-Opener-Policy");
  };
  expect(await policyOf("/google-callback?code=a&state=b")).toBe("unsafe-none");
  expect(await policyOf("/login")).toBe("same-origin-allow-popups");
});

describe("nobody can sign in", () => {
  test.each(["made-up", "A".repeat(43)])("with a state such as %s", async (state) => {
    const visitor = visitorOf(shop);
    const { code } = await popUp(visitor);
    expect(await visitor.enter("/api/identity/google", { code, state })).toMatchObject(failed);
  });

  test("with the state of another browser, whose owner can still sign in", async () => {
    const owner = visitorOf(shop);
    const thief = visitorOf(shop);
    const taken = await popUp(owner);
    await popUp(thief);
    expect(await thief.enter("/api/identity/google", taken)).toMatchObject(failed);
    expect(await visitorOf(shop).enter("/api/identity/google", taken)).toMatchObject(failed);
    expect((await owner.enter("/api/identity/google", taken)).status).toBe(200);
  });

  test("with a code of somebody else's flow", async () => {
    const victim = visitorOf(shop);
    const attacker = visitorOf(shop);
    const { code } = await popUp(attacker);
    const { state } = await popUp(victim);
    expect(await victim.enter("/api/identity/google", { code, state })).toMatchObject(failed);
  });

  test("with a used code, even with a fresh state, and only one of two concurrent calls can", async () => {
    const visitor = visitorOf(shop);
    const used = await popUp(visitor);
    const both = await Promise.all(
      [1, 2].map(() => visitor.send("POST", "/api/identity/google", used)),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const { state } = await popUp(visitor);
    expect(await visitor.enter("/api/identity/google", { code: used.code, state })).toMatchObject(
      failed,
    );
  });

  test("after ten minutes", async () => {
    const visitor = visitorOf(shop);
    const late = await popUp(visitor);
    shop.advance(601_000);
    expect(await visitor.enter("/api/identity/google", late)).toMatchObject(failed);
  });

  test.each([
    ["that has expired", { exp: 1_700_000_000 }],
    ["for another app", { aud: "another-app" }],
    ["for another sign-in", { nonce: "another" }],
    ["of another issuer", { iss: "https://evil.test" }],
    ["of nobody", { sub: "" }],
  ])("with an ID token %s", async (_what, claims) => {
    google.claims = claims;
    expect(await signIn()).toMatchObject(failed);
  });

  test("from another site's page", async () => {
    const visitor = visitorOf(shop);
    const body = await popUp(visitor);
    const foreign = { Origin: "https://evil.test" };
    expect(await visitor.send("POST", "/api/identity/google", body, foreign)).toMatchObject({
      status: 403,
      body: { error: "foreign_origin" },
    });
  });

  test("after being deactivated", async () => {
    const visitor = visitorOf(shop);
    const uid = textIn(await signIn(visitor), "uid");
    await shop.database.ownerSql`
      update identity.profiles set deactivated_at = now() where uid = ${uid}`;
    expect(await signIn()).toMatchObject({ status: 403, body: { error: "account_deactivated" } });
  });
});

describe("accounts are linked", () => {
  const password = "open sesame";
  const signUp = (email: string | undefined) =>
    shop.call("POST", "/api/identity/sign-up", { body: { email, password } });
  const prove = (uid: string) => shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${uid}`;

  test("if both sides have verified the e-mail", async () => {
    const uid = textIn(await signUp(google.user.email), "uid");
    await prove(uid);
    expect(textIn(await signIn(), "uid")).toBe(uid);
  });

  test("but not if somebody signed up with the e-mail without verifying it", async () => {
    const squatter = textIn(await signUp(google.user.email), "uid");
    const owner = textIn(await signIn(), "uid");
    expect(owner).toMatch(/^\w{28}$/);
    expect(owner).not.toBe(squatter);
  });

  test.each([false, undefined, "true", 1])(
    "but not if Google says that the e-mail is verified: %s",
    async (verified) => {
      const uid = textIn(await signUp(google.user.email), "uid");
      await prove(uid);
      google.claims = { email_verified: verified };
      const other = textIn(await signIn(), "uid");
      expect(other).toMatch(/^\w{28}$/);
      expect(other).not.toBe(uid);
    },
  );

  test("and a password cannot be set for an address that somebody verified with Google", async () => {
    await signIn();
    expect(await signUp(google.user.email)).toMatchObject({
      status: 409,
      body: { error: "email_already_in_use" },
    });
  });
});

describe("when Google", () => {
  test("fails, the response says so, and the next attempt works", async () => {
    google.status = 503;
    const down = { status: 503, body: { error: "google_unavailable" } };
    expect(await signIn()).toMatchObject(down);
    google.status = 200;
    expect((await signIn()).status).toBe(200);
  });

  test("is unreachable, the pop-up is not even opened", async () => {
    const other = await openTestApp({
      routes: [],
      projections: [],
      google: { ...google.settings, baseUrl: "http://127.0.0.1:1024" },
    });
    const start = (app: TestApp) => visitorOf(app).send("POST", "/api/identity/google/start", {});
    expect(await start(other)).toMatchObject({
      status: 503,
      body: { error: "google_unavailable", message: "Failed to sign in with Google" },
    });
    await other.close();
  });
});
