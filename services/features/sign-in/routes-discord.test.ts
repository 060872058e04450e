// Signing in with Discord: the real OAuth flow against a small stand-in, and only one's own flow succeeds.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DiscordStandIn, startDiscord } from "#testing/service/discord-stand-in.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

let discord: DiscordStandIn;
let shop: TestApp;

beforeAll(async () => {
  discord = await startDiscord();
  shop = await openTestApp({
    routes: [],
    projections: [],
    discord: discord.settings,
  });
});

afterAll(async () => {
  await shop.close();
  await discord.close();
});

let count = 0;

beforeEach(() => {
  count += 1;
  discord.mood = "agrees";
  discord.user = {
    id: String(900_000_000_000_000_000n + BigInt(count)),
    username: `person${count}`,
    global_name: `Person ${count}`,
    email: `person${count}@people.test`,
    verified: true,
  };
});

/** Goes from our page to Discord's; returns the address that Discord redirects to. */
async function goToDiscord(visitor: Visitor, query = ""): Promise<string> {
  const begun = await visitor.send("GET", `/api/auth/discord/state${query}`);
  expect(begun.status).toBe(200);
  const response = await fetch(textIn(begun, "authorizeUrl"), { redirect: "manual" });
  return response.headers.get("Location") ?? "";
}

/** The parameters that the screen gets after the redirect. */
async function comeBack(visitor: Visitor, address: string): Promise<Record<string, string>> {
  const screen = await visitor.follow(address);
  expect(screen.origin + screen.pathname).toBe("http://app.test/discord-success");
  return Object.fromEntries(screen.searchParams);
}

const handIn = (visitor: Visitor, token: string | undefined) =>
  visitor.enter("/api/identity/custom-token", { token });

async function signIn(visitor = visitorOf(shop)) {
  const { token } = await comeBack(visitor, await goToDiscord(visitor));
  return handIn(visitor, token);
}

const refused = {
  status: 400,
  body: {
    error: "custom_token_invalid",
    message: "Failed to complete Discord sign-in. Please try again.",
  },
};

describe("signing in", () => {
  test("starts with a client ID as plain text and a state", async () => {
    const visitor = visitorOf(shop);
    const id = await visitor.send("GET", "/api/auth/discord/client-id");
    expect(id.headers.get("Content-Type")).toContain("text/plain");
    expect(String(id.body)).toBe(discord.settings.clientId);
    const begun = await visitor.send("GET", "/api/auth/discord/state");
    const { searchParams } = new URL(textIn(begun, "authorizeUrl"));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: discord.settings.clientId,
      scope: "identify email",
      redirect_uri: "http://app.test/api/auth/discord/callback",
      state: textIn(begun, "state"),
      code_challenge_method: "S256",
    });
    expect(begun.headers.get("Set-Cookie")).toMatch(/; Max-Age=600.*; HttpOnly; SameSite=Lax/);
  });

  test("makes a profile for a newcomer, and finds it again", async () => {
    const visitor = visitorOf(shop);
    const told = await comeBack(visitor, await goToDiscord(visitor));
    expect(told).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), isNew: "true" });
    const session = await handIn(visitor, told["token"]);
    expect(session).toMatchObject({ status: 200, body: { expiresIn: 900 } });
    const [profile] = await shop.database.sql`
      select email, email_verified_at is not null as verified, display_name, role, discord_id,
        discord_username, discord_linked_at is not null as linked
      from identity.profiles where uid = ${textIn(session, "uid")}`;
    expect(profile).toEqual({
      email: discord.user.email,
      verified: true,
      display_name: discord.user.global_name,
      role: "user",
      discord_id: discord.user.id,
      discord_username: discord.user.username,
      linked: true,
    });
    const again = visitorOf(shop);
    const returning = await comeBack(again, await goToDiscord(again));
    expect(returning["isNew"]).toBe("false");
    expect(textIn(await handIn(again, returning["token"]), "uid")).toBe(textIn(session, "uid"));
  });

  test("uses Discord's own ID, even after it was changed in the profile", async () => {
    const uid = textIn(await signIn(), "uid");
    const { user } = discord;
    await shop.database.sql`
      update identity.profiles set discord_id = '900000000000999999' where uid = ${uid}`;
    discord.user = { ...user, id: "900000000000999999", email: "thief@people.test" };
    expect(textIn(await signIn(), "uid")).not.toBe(uid);
    discord.user = user;
    expect(textIn(await signIn(), "uid")).toBe(uid);
    const [profile] = await shop.database.sql`
      select discord_id from identity.profiles where uid = ${uid}`;
    expect(profile).toEqual({ discord_id: "900000000000999999" });
  });

  test("returns to the requested page of the app", async () => {
    const visitor = visitorOf(shop);
    const path = "/user-shipments?page=2#last";
    const query = `?returnPath=${encodeURIComponent(path)}`;
    const told = await comeBack(visitor, await goToDiscord(visitor, query));
    expect(told["returnPath"]).toBe(path);
  });

  test.each([
    "https://evil.test",
    "//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "/\t/evil.test",
    "/\n/evil.test",
    "javascript:alert(1)",
    "profile",
    "@evil.test",
    "/profile/..//evil.test",
    "",
  ])("never leads to another site: %j", async (path) => {
    const query = `?returnPath=${encodeURIComponent(path)}`;
    const answer = await visitorOf(shop).send("GET", `/api/auth/discord/state${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: "validation_failed" } });
    expect(answer.headers.get("Set-Cookie")).toBeNull();
  });

  test("is not offered if it is not configured", async () => {
    const other = await openTestApp({
      routes: [],
      projections: [],
    });
    const visitor = visitorOf(other);
    expect(await visitor.send("GET", "/api/auth/discord/client-id")).toMatchObject({
      status: 200,
      body: "",
    });
    expect(await visitor.send("GET", "/api/auth/discord/state")).toMatchObject({
      status: 409,
      body: { message: "Discord client ID is not configured" },
    });
    expect(await comeBack(visitor, "/api/auth/discord/callback?code=a&state=b")).toEqual({
      error: "discord_not_configured",
    });
    await other.close();
  });
});

describe("the return is refused", () => {
  const callback = (query: string) => `http://app.test/api/auth/discord/callback?${query}`;

  test.each(["", "code=abc", "state=abc", "code=a&code=b&state=c&state=d", "error=x&state[]=1"])(
    "with %j",
    async (query) => {
      const visitor = visitorOf(shop);
      await goToDiscord(visitor);
      expect(await comeBack(visitor, callback(query))).toEqual({ error: "state_invalid" });
    },
  );

  test("with a wrong state", async () => {
    const visitor = visitorOf(shop);
    const back = new URL(await goToDiscord(visitor));
    back.searchParams.set("state", "A".repeat(43));
    expect(await comeBack(visitor, back.href)).toEqual({ error: "state_invalid" });
  });

  test("in another browser, and both browsers' own flows still work", async () => {
    const owner = visitorOf(shop);
    const back = await goToDiscord(owner);
    const other = visitorOf(shop);
    expect(await comeBack(other, back)).toEqual({ error: "state_invalid" });
    await goToDiscord(other);
    expect(await comeBack(other, back)).toEqual({ error: "state_invalid" });
    expect(await comeBack(owner, back)).toHaveProperty("token");
  });

  test("with somebody else's code in one's own flow", async () => {
    const victim = visitorOf(shop);
    const back = new URL(await goToDiscord(victim));
    const stolen = new URL(await goToDiscord(visitorOf(shop))).searchParams.get("code") ?? "";
    back.searchParams.set("code", stolen);
    expect(await comeBack(victim, back.href)).toEqual({ error: "discord_failed" });
  });

  test("a second time, and only one of two concurrent ones succeeds", async () => {
    const visitor = visitorOf(shop);
    const back = await goToDiscord(visitor);
    const told = await Promise.all([1, 2, 3].map(() => comeBack(visitor, back)));
    expect(told.filter(({ token }) => token !== undefined)).toHaveLength(1);
    expect(told.filter(({ error }) => error === "state_invalid")).toHaveLength(2);
    expect(await comeBack(visitor, back)).toEqual({ error: "state_invalid" });
  });

  test("after ten minutes", async () => {
    const visitor = visitorOf(shop);
    const back = await goToDiscord(visitor);
    shop.advance(601_000);
    expect(await comeBack(visitor, back)).toEqual({ error: "state_invalid" });
  });

  test("if consent was denied, and works once it is given", async () => {
    const visitor = visitorOf(shop);
    discord.mood = "denies";
    expect(await comeBack(visitor, await goToDiscord(visitor))).toEqual({ error: "access_denied" });
    discord.mood = "agrees";
    expect((await signIn(visitor)).status).toBe(200);
  });

  test("when Discord is down", async () => {
    const visitor = visitorOf(shop);
    const back = await goToDiscord(visitor);
    discord.mood = "fails";
    expect(await comeBack(visitor, back)).toEqual({ error: "discord_unavailable" });
  });

  test("for a deactivated person", async () => {
    const uid = textIn(await signIn(), "uid");
    await shop.database.ownerSql`
      update identity.profiles set deactivated_at = now() where uid = ${uid}`;
    const visitor = visitorOf(shop);
    expect(await comeBack(visitor, await goToDiscord(visitor))).toEqual({
      error: "account_deactivated",
    });
  });
});

describe("the custom token", () => {
  async function tokenFor(visitor: Visitor): Promise<string | undefined> {
    return (await comeBack(visitor, await goToDiscord(visitor)))["token"];
  }

  test("works once, and for only one of many concurrent calls", async () => {
    const visitor = visitorOf(shop);
    const token = await tokenFor(visitor);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        visitor.send("POST", "/api/identity/custom-token", { token }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await handIn(visitor, token)).toMatchObject(refused);
  });

  test("does not work in another browser, and still works in its own", async () => {
    const owner = visitorOf(shop);
    const token = await tokenFor(owner);
    const thief = visitorOf(shop);
    expect(await handIn(thief, token)).toMatchObject(refused);
    await goToDiscord(thief);
    expect(await handIn(thief, token)).toMatchObject(refused);
    expect((await handIn(owner, token)).status).toBe(200);
  });

  test("does not work after a minute, if it is made up, or from another site", async () => {
    const visitor = visitorOf(shop);
    const token = await tokenFor(visitor);
    const foreign = { Origin: "https://evil.test" };
    const send = (headers: Record<string, string>) =>
      visitor.send("POST", "/api/identity/custom-token", { token }, headers);
    expect((await send(foreign)).status).toBe(403);
    expect(await handIn(visitor, "A".repeat(43))).toMatchObject(refused);
    shop.advance(61_000);
    expect(await handIn(visitor, token)).toMatchObject(refused);
  });

  test("is not stored in clear text", async () => {
    const token = await tokenFor(visitorOf(shop));
    const rows = await shop.database.sql`
      select encode(token_hash, 'base64') as hash from identity.custom_tokens`;
    const stored = JSON.stringify(rows).replaceAll("+", "-").replaceAll("/", "_");
    expect(rows.length).toBeGreaterThan(0);
    expect(stored).not.toContain(token);
  });

  test("expires when all sessions of its person are ended", async () => {
    const first = visitorOf(shop);
    await signIn(first);
    const second = visitorOf(shop);
    const token = await tokenFor(second);
    expect((await first.send("DELETE", "/api/identity/sessions")).status).toBe(200);
    expect(await handIn(second, token)).toMatchObject(refused);
  });
});

describe("accounts are linked", () => {
  const signUp = async (email: string | null | undefined) =>
    textIn(
      await shop.call("POST", "/api/identity/sign-up", {
        body: { email, password: "open sesame" },
      }),
      "uid",
    );
  const prove = (uid: string) => shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${uid}`;

  test("if both sides have verified the email; then nobody is new", async () => {
    const uid = await signUp(discord.user.email);
    await prove(uid);
    const visitor = visitorOf(shop);
    const told = await comeBack(visitor, await goToDiscord(visitor));
    expect(told["isNew"]).toBe("false");
    expect(textIn(await handIn(visitor, told["token"]), "uid")).toBe(uid);
  });

  test("but not by an email that only one side or neither has verified", async () => {
    for (const [isProvenHere, verified] of [
      [false, true],
      [true, false],
      [false, false],
    ] as const) {
      count += 1;
      discord.user = {
        id: String(900_000_000_000_000_000n + BigInt(count)),
        username: "stranger",
        email: `person${count}@people.test`,
        verified,
      };
      const uid = await signUp(discord.user.email);
      if (isProvenHere) {
        await prove(uid);
      }
      const entered = await signIn();
      expect(entered.status).toBe(200);
      expect(textIn(entered, "uid")).not.toBe(uid);
    }
  });

  test("but not for people without an email, who can still sign in", async () => {
    discord.user = { ...discord.user, email: null, verified: false, global_name: null };
    const visitor = visitorOf(shop);
    await signIn(visitor);
    expect((await visitor.send("GET", "/api/identity/account")).body).toMatchObject({
      email: null,
      emailVerified: false,
      providers: [{ provider: "discord" }],
    });
  });
});
