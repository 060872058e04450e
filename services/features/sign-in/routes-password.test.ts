// People sign up, sign in, stay signed in and sign out, and each refusal reads as the specification says.
import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD_COST } from "#identity/passwords.ts";
import { endAccount } from "#testing/shop/people.ts";
import { openTestApp, type TestAnswer, type TestApp } from "#testing/service/test-app.ts";
import { textIn } from "#testing/service/visitor.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({
    passwordCost: PASSWORD_COST,
  });
});

afterAll(() => shop.close());

const ourPage = { Origin: "http://app.test" };

function signUp(body: object, headers: Record<string, string> = ourPage) {
  return shop.call("POST", "/api/identity/sign-up", { body, headers });
}

function signIn(email: string, password: string, headers: Record<string, string> = ourPage) {
  return shop.call("POST", "/api/identity/sign-in", { body: { email, password }, headers });
}

function refresh(cookie: string | undefined, headers: Record<string, string> = ourPage) {
  return shop.call("POST", "/api/identity/refresh", {
    body: {},
    headers: { ...headers, ...(cookie === undefined ? {} : { Cookie: cookie }) },
  });
}

/** `refresh_token=…` as a browser would return it. */
function cookieOf(answer: TestAnswer): string {
  return answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

function tokenOf(answer: TestAnswer): string {
  const token: unknown = answer.body instanceof Object ? Reflect.get(answer.body, "idToken") : null;
  return String(token);
}

function me(token: string) {
  return shop.call("GET", "/api/auth/me", { headers: { Authorization: `Bearer ${token}` } });
}

describe("signing in", () => {
  test("a new account is signed in at once, as a user, whatever role it requested", async () => {
    const answer = await signUp({
      email: " Casey@People.test ",
      password: "zk4-um",
      displayName: "Casey",
    });
    expect(answer).toMatchObject({ status: 200, body: { expiresIn: 900 } });
    const profile = await me(tokenOf(answer));
    expect(profile).toMatchObject({
      status: 200,
      body: {
        email: "casey@people.test",
        displayName: "Casey",
        username: null,
        role: "user",
        discord: null,
        discordNotificationsEnabled: true,
        migratedFrom: null,
        balance: 0,
      },
    });
    const uid: unknown = profile.body instanceof Object ? Reflect.get(profile.body, "uid") : null;
    expect(String(uid)).toMatch(/^[A-Za-z0-9]{28}$/);
    expect(
      await signUp({ email: "r@people.test", password: "123456", role: "admin" }),
    ).toMatchObject({
      status: 400,
    });
  });

  test("email and password open the account, ignoring the case of the email", async () => {
    await signUp({ email: "dana@people.test", password: "open sesame" });
    expect((await signIn("DANA@people.test", "open sesame")).status).toBe(200);
  });

  test("the refusals read as the specification says", async () => {
    await signUp({ email: "erin@people.test", password: "open sesame" });
    const inUse = await signUp({ email: "Erin@people.test", password: "another one" });
    expect(inUse).toMatchObject({
      status: 409,
      body: {
        error: "email_already_in_use",
        message: "This email is already registered. Try signing in instead.",
      },
    });
    expect(await signUp({ email: "f@people.test", password: "12345" })).toMatchObject({
      status: 400,
      body: { message: "Password should be at least 6 characters." },
    });
    expect(await signUp({ email: "not an address", password: "123456" })).toMatchObject({
      status: 400,
      body: { message: "Invalid email address." },
    });
    expect(await signIn("nobody@people.test", "open sesame")).toMatchObject({
      status: 400,
      body: { error: "user_not_found", message: "No account found with this email." },
    });
    expect(await signIn("erin@people.test", "open says me")).toMatchObject({
      status: 400,
      body: { error: "wrong_password", message: "Incorrect password." },
    });
  });

  test("two concurrent sign-ups with one email make one account", async () => {
    const answers = await Promise.all(
      ["one password", "two passwords"].map((password) =>
        signUp({ email: "twin@people.test", password }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test("an unknown email takes as much work as a wrong password", async () => {
    await signUp({ email: "slow@people.test", password: "open sesame" });
    // The CPU time of this process, which other processes do not affect.
    const time = async (email: string): Promise<number> => {
      const before = process.cpuUsage();
      await signIn(email, "wrong password");
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      known.push(await time("slow@people.test"));
      unknown.push(await time(`nobody-${round}@people.test`));
    }
    const median = (times: number[]): number => times.toSorted((a, b) => a - b)[3] ?? 0;
    // Without the hash, a response takes a twentieth of the time.
    expect(median(unknown)).toBeGreaterThan(median(known) / 2);
  });

  test("a deactivated person cannot sign in, and their earlier tokens are invalid", async () => {
    const answer = await signUp({ email: "gone@people.test", password: "open sesame" });
    await endAccount(shop.deps, textIn(answer, "uid"));
    expect(await me(tokenOf(answer))).toMatchObject({
      status: 403,
      body: { error: "account_deactivated" },
    });
    expect(await signIn("gone@people.test", "open sesame")).toMatchObject({ status: 403 });
    expect((await refresh(cookieOf(answer))).status).toBe(401);
    expect(await signIn("gone@people.test", "wrong")).toMatchObject({
      status: 400,
      body: { error: "wrong_password" },
    });
  });
});

describe("staying signed in", () => {
  test("scripts and other sites cannot read the cookie", async () => {
    const answer = await signUp({ email: "cookie@people.test", password: "open sesame" });
    const cookie = answer.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(cookie).toMatch(/; Path=\/api\/identity/);
    expect(JSON.stringify(answer.body)).not.toContain(cookie.slice(14, 60));
  });

  test("each refresh gives a new token and a new cookie", async () => {
    const first = await signUp({ email: "stay@people.test", password: "open sesame" });
    const second = await refresh(cookieOf(first));
    const third = await refresh(cookieOf(second));
    expect(third).toMatchObject({ status: 200, body: { expiresIn: 900 } });
    expect(new Set([first, second, third].map(cookieOf)).size).toBe(3);
    expect((await me(tokenOf(third))).status).toBe(200);
  });

  test("five tabs that refresh at once, with one response lost, all stay signed in", async () => {
    const first = await signUp({ email: "tabs@people.test", password: "open sesame" });
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(cookieOf(first))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(cookieOf)).size).toBe(1);
    expect((await refresh(cookieOf(first))).status).toBe(200);
    const next = await refresh(cookieOf(answers[4] ?? first));
    expect(next.status).toBe(200);
  });

  test("reusing an old token ends the session for thief and owner", async () => {
    const first = await signUp({ email: "theft@people.test", password: "open sesame" });
    const second = await refresh(cookieOf(first));
    shop.advance(21_000);
    expect((await refresh(cookieOf(first))).status).toBe(401);
    expect((await refresh(cookieOf(second))).status).toBe(401);
    expect((await signIn("theft@people.test", "open sesame")).status).toBe(200);
  });

  test("a token two refreshes old ends the session at once", async () => {
    const first = await signUp({ email: "older@people.test", password: "open sesame" });
    const second = await refresh(cookieOf(first));
    const third = await refresh(cookieOf(second));
    expect((await refresh(cookieOf(first))).status).toBe(401);
    expect((await refresh(cookieOf(third))).status).toBe(401);
  });

  test("a copied token ends the session from up to 64 refreshes back; from further back it is only refused", async () => {
    for (const [steps, after] of [
      [64, 401],
      [65, 200],
    ] as const) {
      const first = await signUp({ email: `back-${steps}@people.test`, password: "open sesame" });
      const [name = "", family = "", , value = ""] = cookieOf(first).split(/[=.]/);
      const [row] = await shop.database.sql<{ secret: Buffer }[]>`
        select secret from identity.refresh_families where id = ${family}`;
      let newest = Buffer.from(value, "base64url");
      for (let step = 0; step < steps; step += 1) {
        newest = createHmac("sha256", row?.secret ?? "")
          .update(newest)
          .digest();
      }
      await shop.database.sql`
        update identity.refresh_families
        set generation = ${steps}, token_hash = ${createHash("sha256").update(newest).digest()}
        where id = ${family}`;
      expect((await refresh(cookieOf(first))).status).toBe(401);
      const current = `${name}=${family}.${steps}.${newest.toString("base64url")}`;
      expect((await refresh(current)).status).toBe(after);
    }
  });

  test("a made-up token for a known session is refused and changes nothing", async () => {
    const first = await signUp({ email: "forged@people.test", password: "open sesame" });
    const [family = ""] = cookieOf(first).split(".");
    for (const forged of [
      `${family}.0.${"A".repeat(43)}`,
      `${family}.99.${"A".repeat(43)}`,
      `${family}.0.`,
      "refresh_token=nonsense",
      "refresh_token=",
    ]) {
      expect(await refresh(forged)).toMatchObject({ status: 401, body: { error: "no_session" } });
    }
    expect((await refresh(cookieOf(first))).status).toBe(200);
  });

  test("an unused session ends after a month", async () => {
    const first = await signUp({ email: "idle@people.test", password: "open sesame" });
    shop.advance(31 * 86_400_000);
    expect((await refresh(cookieOf(first))).status).toBe(401);
  });

  test("signing out ends the session and clears the cookie", async () => {
    const first = await signUp({ email: "out@people.test", password: "open sesame" });
    const out = await shop.call("POST", "/api/identity/sign-out", {
      body: {},
      headers: { ...ourPage, Cookie: cookieOf(first) },
    });
    expect(out).toMatchObject({ status: 200, body: { signedOut: true } });
    expect(out.headers.get("Set-Cookie")).toContain("Max-Age=0");
    expect((await refresh(cookieOf(first))).status).toBe(401);
  });
});

describe("other sites", () => {
  test.each([
    ["another origin", { Origin: "https://evil.test" }],
    ["our host on another port", { Origin: "http://app.test:8080" }],
    ["an opaque origin", { Origin: "null" }],
    ["no origin", {}],
    ["a page of another site", { ...ourPage, "Sec-Fetch-Site": "cross-site" }],
  ])("%s cannot refresh or sign out", async (_who, headers) => {
    const first = await signUp({
      email: `csrf-${Math.abs(JSON.stringify(headers).length)}-${_who.length}@people.test`,
      password: "open sesame",
    });
    for (const path of ["/api/identity/refresh", "/api/identity/sign-out"]) {
      const answer = await shop.call("POST", path, {
        body: {},
        headers: { ...headers, Cookie: cookieOf(first) },
      });
      expect(answer).toMatchObject({ status: 403, body: { error: "foreign_origin" } });
    }
    expect((await refresh(cookieOf(first))).status).toBe(200);
  });

  test("a form posted by another site is not accepted as JSON", async () => {
    const first = await signUp({ email: "form@people.test", password: "open sesame" });
    const answer = await shop.call("POST", "/api/identity/refresh", {
      headers: { ...ourPage, Cookie: cookieOf(first), "Content-Type": "text/plain" },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: "not_json" } });
  });

  test("another site cannot sign its visitors in", async () => {
    await signUp({ email: "login@people.test", password: "open sesame" });
    const answer = await signIn("login@people.test", "open sesame", {
      Origin: "https://evil.test",
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
  });
});

test("neither passwords nor refresh tokens are stored in clear text", async () => {
  const answer = await signUp({ email: "vault@people.test", password: "a very secret word" });
  const [, , value = ""] = cookieOf(answer).split(".");
  const rows = await shop.database.sql`
    select c.password_hash, encode(f.secret, 'base64') as secret, encode(f.token_hash, 'base64') as hash
    from identity.credentials c join identity.refresh_families f using (uid)
    where c.email = 'vault@people.test'`;
  expect(rows).toHaveLength(1);
  expect(rows[0]?.["password_hash"]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const stored = JSON.stringify(rows).replaceAll("+", "-").replaceAll("/", "_");
  expect(stored).not.toContain(value);
});
