// When strangers guess at an account from everywhere, only the browsers that its owner used keep working.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DiscordStandIn, startDiscord } from "#testing/service/discord-stand-in.ts";
import { type GoogleStandIn, startGoogle } from "#testing/service/google-stand-in.ts";
import {
  BROWSER_COOKIE,
  moved,
  networkOf,
  post,
  type Siege,
  SIEGE_PASSWORD,
  siegeOf,
} from "#testing/service/siege.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const password = SIEGE_PASSWORD;

let google: GoogleStandIn;
let discord: DiscordStandIn;
let shop: TestApp;
let count = 0;
let siege: Siege;

beforeAll(async () => {
  [google, discord] = await Promise.all([startGoogle(), startDiscord()]);
  const { settings } = google;
  shop = await openTestApp({
    proxyCount: 1,
    google: settings,
    discord: discord.settings,
  });
});

beforeEach(async () => {
  await shop.database.sql`delete from identity.rate_limits`;
  count += 1;
  const email = `owner${count}@people.test`;
  siege = siegeOf(shop, email);
  google.user = { sub: `g-${count}`, email, email_verified: true, name: "Owner" };
  discord.mood = "agrees";
  discord.user = {
    id: String(900_000_000_000_000_000n + BigInt(count)),
    username: `owner${count}`,
    global_name: "Owner",
    email,
    verified: true,
  };
});

afterAll(async () => {
  await shop.close();
  await Promise.all([google.close(), discord.close()]);
});

const letterToken = (): string => shop.letters.at(-1)?.action.url.split("token=")[1] ?? "";

describe("fifty wrong sign-ins and ten letters from one /48", () => {
  test("lock out a browser that the account does not know, but not the one its owner signed up with", async () => {
    const owner = await siege.signUp();
    await post(owner, "sign-out", {});
    const statuses = await siege.attack();
    expect(statuses).toEqual([...Array(50).fill(400), ...Array(10).fill(200)]);

    const unknown = visitorOf(shop, networkOf(2_000));
    expect((await siege.signIn(unknown)).status).toBe(429);
    expect((await siege.askForLetter(unknown)).status).toBe(429);

    for (const known of [
      owner,
      moved(shop, owner, networkOf(2_001)),
      moved(shop, owner, networkOf(3)),
    ]) {
      expect((await siege.signIn(known, "mistyped")).status).toBe(400);
      expect((await siege.askForLetter(known)).status).toBe(200);
      const reset = { token: letterToken(), password };
      expect((await post(known, "password-reset/confirm", reset)).status).toBe(200);
      expect((await siege.signIn(known)).status).toBe(200);
    }
  });

  const waysIn: Readonly<Record<string, () => Promise<Visitor>>> = {
    "signed in with": async () => {
      await siege.signUp();
      const visitor = visitorOf(shop, networkOf(1_001));
      expect((await siege.signIn(visitor)).status).toBe(200);
      return visitor;
    },
    "was signed in with before there were known browsers": async () => {
      const visitor = await siege.signUp();
      visitor.cookies.delete(BROWSER_COOKIE);
      expect((await visitor.enter("/api/identity/refresh", {})).status).toBe(200);
      return visitor;
    },
    "set a new password with": async () => {
      await siege.signUp();
      const visitor = visitorOf(shop, networkOf(1_002));
      await siege.askForLetter(visitor);
      const reset = { token: letterToken(), password };
      expect((await post(visitor, "password-reset/confirm", reset)).status).toBe(200);
      return visitor;
    },
    "signed in to Google with": async () => {
      const visitor = visitorOf(shop, networkOf(1_003));
      await enterByGoogle(visitor);
      expect((await post(visitor, "link-password", { password })).status).toBe(200);
      return visitor;
    },
    "signed in to Discord with": async () => {
      const visitor = visitorOf(shop, networkOf(1_004));
      await enterByDiscord(visitor);
      expect((await post(visitor, "link-password", { password })).status).toBe(200);
      return visitor;
    },
  };

  test.each(Object.entries(waysIn))(
    "do not lock out one that its owner %s",
    async (_way, enter) => {
      const owner = moved(shop, await enter(), networkOf(2_002));
      await siege.attack();
      expect((await siege.signIn(visitorOf(shop, networkOf(2_003)))).status).toBe(429);
      expect((await siege.askForLetter(owner)).status).toBe(200);
      expect((await siege.signIn(owner)).status).toBe(200);
    },
  );

  test("lock out no known browser after all sessions were ended, or the password was reset elsewhere", async () => {
    const owner = await siege.signUp();
    const elsewhere = visitorOf(shop, networkOf(1_005));
    await siege.askForLetter(elsewhere);
    await post(elsewhere, "password-reset/confirm", { token: letterToken(), password });
    await elsewhere.enter("/api/identity/sign-in", { email: siege.email, password });
    expect((await elsewhere.send("DELETE", "/api/identity/sessions")).status).toBe(200);
    await siege.attack();
    expect((await siege.signIn(owner)).status).toBe(200);
    expect((await siege.signIn(elsewhere)).status).toBe(200);
  });
});

test("strangers on the owner's own network do not lock a known browser out of any way to sign in", async () => {
  const address = "203.0.113.7";
  const owner = await siege.signUp(visitorOf(shop, address));
  const stranger = visitorOf(shop, address);
  const fill = async (times: number, call: (index: number) => Promise<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: times }, (_, index) => call(index)));
    expect(answers.at(-1)?.status).not.toBe(200);
    expect((await call(times)).status).toBe(429);
  };
  await fill(110, (index) => siegeOf(shop, `n${index % 30}@people.test`).signIn(stranger));
  await fill(20, (index) => siegeOf(shop, `n${index}@people.test`).askForLetter(stranger));
  await fill(300, (index) =>
    post(stranger, "password-reset/confirm", { token: `guess-${index}`, password }),
  );
  await fill(600, () => post(stranger, "refresh", {}));
  await Promise.all(
    Array.from({ length: 301 }, () => stranger.send("GET", "/api/auth/discord/state")),
  );
  expect((await post(stranger, "google/start", {})).status).toBe(429);

  expect((await siege.signIn(owner)).status).toBe(200);
  expect((await owner.enter("/api/identity/refresh", {})).status).toBe(200);
  expect((await siege.askForLetter(owner)).status).toBe(200);
  // A valid link works anywhere, also in the mail program's own browser.
  const reset = { token: letterToken(), password };
  const mistyped = { token: "mistyped", password };
  expect((await post(owner, "password-reset/confirm", mistyped)).status).toBe(400);
  await enterByGoogle(owner);
  await enterByDiscord(owner);
  expect((await post(stranger, "password-reset/confirm", reset)).status).toBe(200);
}, 240_000);

test("guesses that are being checked do not delay the owner", async () => {
  const owner = await siege.signUp();
  await siege.attack();
  const neighbor = siegeOf(shop, `n${siege.email}`);
  const guesses = Array.from({ length: 60 }, (_, index) =>
    (index % 2 === 0 ? siege : neighbor).signIn(visitorOf(shop, networkOf(index)), "guess"),
  );
  const owners = [
    siege.signIn(owner),
    siege.signIn(owner),
    siege.askForLetter(owner),
    siege.signIn(owner),
  ];
  const statuses = async (calls: readonly Promise<{ status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status);
  expect(await statuses(owners)).toEqual([200, 200, 200, 200]);
  expect(new Set(await statuses(guesses))).toEqual(new Set([400, 429]));
});

test("a stranger who signed up with somebody's address gets no guesses once its owner has the account", async () => {
  const stranger = await siege.signUp();
  const owner = visitorOf(shop, networkOf(3_000));
  await siege.askForLetter(owner);
  shop.advance(1_000);
  const reset = { token: letterToken(), password: "the owner's own" };
  expect((await post(owner, "password-reset/confirm", reset)).status).toBe(200);
  await siege.attack();
  expect((await siege.signIn(stranger, "a guess")).status).toBe(429);
  expect((await siege.signIn(moved(shop, stranger, networkOf(3_001)), "a guess")).status).toBe(429);
  expect((await siege.signIn(owner, "the owner's own")).status).toBe(200);
});

test("another account's cookie opens nothing: in the attacker's own browser a guess counts as a stranger's", async () => {
  await siege.signUp();
  const attacker = siegeOf(shop, `attacker-${siege.email}`);
  const own = await attacker.signUp(visitorOf(shop, networkOf(3_002)));
  await siege.attack();
  expect((await siege.signIn(own, "a guess")).status).toBe(429);
  // Nor does an entry count for another account once its name is replaced: the signature is over all of it.
  const cookie = own.cookies.get(BROWSER_COOKIE) ?? "";
  const known = await siege.signUp(visitorOf(shop, networkOf(3_003))).catch(() => undefined);
  expect(known).toBeUndefined();
  own.cookies.set(BROWSER_COOKIE, `${"A".repeat(22)}${cookie.slice(22)}`);
  expect((await siege.signIn(own, "a guess")).status).toBe(429);
});

test("whoever once had the password gets no more guesses by the many browsers they made known", async () => {
  await siege.signUp();
  const harvested = [];
  for (let index = 0; index < 8; index += 1) {
    const visitor = visitorOf(shop, networkOf(3_100 + index));
    expect((await siege.signIn(visitor)).status).toBe(200);
    harvested.push(visitor);
  }
  const statuses: number[] = [];
  for (const visitor of harvested) {
    for (let guess = 0; guess < 10; guess += 1) {
      statuses.push((await siege.signIn(moved(shop, visitor, networkOf(4_000)), "a guess")).status);
    }
  }
  // Forty in known browsers, and ten as a stranger from this household.
  expect(statuses.filter((status) => status === 400)).toHaveLength(50);
});

test("a copied cookie cannot use up what its account's other browsers may do", async () => {
  const owner = await siege.signUp(visitorOf(shop, networkOf(5_000)));
  const shared = visitorOf(shop, networkOf(5_001));
  await siege.signIn(shared);
  const thief = moved(shop, shared, networkOf(5_002));
  const guesses = await Promise.all(
    Array.from({ length: 301 }, () =>
      post(thief, "password-reset/confirm", { token: "a guess", password: "a guess" }),
    ),
  );
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([400, 429]));
  const mistyped = { token: "mistyped", password: "a new password" };
  expect((await post(owner, "password-reset/confirm", mistyped)).status).toBe(400);
});

async function enterByGoogle(visitor: Visitor): Promise<void> {
  const started = await post(visitor, "google/start", {});
  const response = await fetch(textIn(started, "authorizeUrl"), { redirect: "manual" });
  const back = new URL(response.headers.get("Location") ?? "");
  const code = back.searchParams.get("code") ?? "";
  const entered = await visitor.enter("/api/identity/google", {
    code,
    state: textIn(started, "state"),
  });
  expect(entered.status).toBe(200);
}

async function enterByDiscord(visitor: Visitor): Promise<void> {
  const begun = await visitor.send("GET", "/api/auth/discord/state");
  const response = await fetch(textIn(begun, "authorizeUrl"), { redirect: "manual" });
  const screen = await visitor.follow(response.headers.get("Location") ?? "");
  const token = screen.searchParams.get("token");
  expect((await visitor.enter("/api/identity/custom-token", { token })).status).toBe(200);
}
