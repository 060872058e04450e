// What is left to somebody who had a way into an account before its owner proved the address, reset the password, moved or unlinked it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DiscordStandIn, startDiscord } from "#testing/service/discord-stand-in.ts";
import { type GoogleStandIn, startGoogle } from "#testing/service/google-stand-in.ts";
import { readConfirmation } from "#identity/discord-confirmations.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const password = "open sesame";

let google: GoogleStandIn;
let discord: DiscordStandIn;
let shop: TestApp;
let boss: TestPerson;
let count = 0;

beforeAll(async () => {
  [google, discord] = await Promise.all([startGoogle(), startDiscord()]);
  shop = await openTestApp({ google: google.settings, discord: discord.settings });
});

beforeEach(async () => {
  count += 1;
  await shop.database.sql`delete from identity.rate_limits`;
  boss = await shop.person(`Boss${count}`, "admin");
});

afterAll(async () => {
  await shop.close();
  await Promise.all([google.close(), discord.close()]);
});

type Newcomer = { readonly email: string; readonly visitor: Visitor; readonly uid: string };

async function signUp(displayName?: string): Promise<Newcomer> {
  const [email, visitor] = [`olive${count}@people.test`, visitorOf(shop)];
  const named = displayName === undefined ? {} : { displayName };
  const entered = await visitor.enter("/api/identity/sign-up", { email, password, ...named });
  return { email, visitor, uid: textIn(entered, "uid") };
}

/** Resets the password by letter and signs in with the new one. */
async function reset(email: string): Promise<Visitor> {
  const owner = visitorOf(shop);
  await owner.send("POST", "/api/identity/password-reset", { email });
  const letter = shop.letters.findLast(({ to }) => to === email);
  const token = letter?.action.url.split("token=")[1];
  const chosen = { token, password: "the owner's own" };
  const confirmed = await owner.send("POST", "/api/identity/password-reset/confirm", chosen);
  expect(confirmed.status).toBe(200);
  await owner.enter("/api/identity/sign-in", { email, password: "the owner's own" });
  return owner;
}

/** Everything that the account's holder may type about themselves. */
async function fillProfile({ visitor, uid }: Newcomer): Promise<void> {
  const puts: readonly [string, object][] = [
    [`payouts/${uid}/payment-info`, { cashtag: "$NotOlive" }],
    [
      "auth/me",
      {
        discord: { id: String(800_000_000_000_000_000n + BigInt(count)), username: "notolive" },
        discordNotificationsEnabled: false,
        landsOn: "today",
      },
    ],
    ["notifications/settings", { kind: "sale", channel: "email", on: true }],
  ];
  for (const [path, body] of puts) {
    expect((await visitor.send("PUT", `/api/${path}`, body)).status).toBe(200);
  }
  await shop.database.sql`
    insert into identity.discord_confirmations (uid, discord_id, asked_at, confirmed_at)
    select uid, discord_id, now(), now() from identity.profiles where uid = ${uid}
    on conflict (uid, discord_id) do update set confirmed_at = now()`;
  const used = await shop.identity.payoutHandles.bind(uid, "venmo", "@notolive", uid);
  await shop.database.sql.begin(async (transaction) => {
    await used?.keep(transaction);
    const address = { name: "Not Olive", street: "1 Elm St", city: "Dover", state: "DE", zip: "1" };
    const kept = { id: randomUUID(), uid, address: { ...address, country: "US" } };
    await shop.identity.tradePapers.keepAddress(transaction, kept);
  });
  shop.advance(1_000);
}

/** The uid of whom Google says to have this address. */
async function enterByGoogle(sub: string, email: string, visitor = visitorOf(shop)) {
  return textIn(
    await visitor.enter("/api/identity/google", await comeFromGoogle(sub, email, visitor)),
    "uid",
  );
}

/** What Google's pop-up hands over. */
async function comeFromGoogle(sub: string, email: string, visitor: Visitor) {
  google.user = { sub: `${sub}-${count}`, email, email_verified: true, name: "Olive" };
  const started = await visitor.send("POST", "/api/identity/google/start", {});
  const response = await fetch(textIn(started, "authorizeUrl"), { redirect: "manual" });
  const code = new URL(response.headers.get("Location") ?? "").searchParams.get("code");
  return { code, state: textIn(started, "state") };
}

async function enterByDiscord(email: string, visitor = visitorOf(shop)): Promise<string> {
  const screen = await comeFromDiscord(email, visitor);
  const token = screen.searchParams.get("token");
  return textIn(await visitor.enter("/api/identity/custom-token", { token }), "uid");
}

/** Where Discord's callback leads. */
async function comeFromDiscord(email: string, visitor: Visitor): Promise<URL> {
  discord.mood = "agrees";
  const id = String(700_000_000_000_000_000n + BigInt(count));
  discord.user = { id, username: "olive", global_name: "Olive", email, verified: true };
  const begun = await visitor.send("GET", "/api/auth/discord/state");
  const response = await fetch(textIn(begun, "authorizeUrl"), { redirect: "manual" });
  return visitor.follow(response.headers.get("Location") ?? "");
}

async function proven(): Promise<Newcomer> {
  const person = await signUp("Olive");
  await shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${person.uid}`;
  return person;
}

const linksOf = (uid: string) => shop.database.sql<{ subject: string }[]>`
  select subject from identity.issuer_subjects where uid = ${uid} order by subject`;
const changeEmail = (uid: string, email: string) =>
  shop.call("PUT", `/api/auth/users/${uid}`, { as: boss, body: { email } });

const handlesOf = async (visitor: Visitor, uid: string) =>
  (await visitor.send("GET", `/api/payouts/${uid}/payment-info`)).body;
const profileOf = async (visitor: Visitor) => (await visitor.send("GET", "/api/auth/me")).body;

test("what a stranger typed about an address's owner goes when the owner first proves it by a reset", async () => {
  const stranger = await signUp("Not Olive");
  await fillProfile(stranger);
  const owner = await reset(stranger.email);
  expect(await handlesOf(owner, stranger.uid)).toMatchObject({
    cashtag: null,
    venmoUsername: null,
  });
  expect(await profileOf(owner)).toMatchObject({
    emailVerified: true,
    displayName: null,
    discord: null,
    discordNotificationsEnabled: true,
    landsOn: "dashboard",
  });
  expect(await shop.identity.tradePapers.lastAddressOf(stranger.uid)).toBeNull();
  const [left] = await shop.database.sql`
    select (select count(*) from identity.notification_choices where uid = ${stranger.uid})
      + (select count(*) from identity.discord_confirmations where uid = ${stranger.uid}) as left`;
  expect(left).toEqual({ left: 0 });
  // The request that used it still names it.
  const [handle] = await shop.database.sql`
    select handle from identity.payout_handles where uid = ${stranger.uid}`;
  expect(handle).toEqual({ handle: "@notolive" });
});

test("whose address was changed by an admin is not a stranger, and keeps what they typed", async () => {
  const olive = await proven();
  await fillProfile(olive);
  const next = `next-${randomUUID().slice(0, 8)}@people.test`;
  expect((await changeEmail(olive.uid, next)).status).toBe(200);
  const owner = await reset(next);
  expect(await handlesOf(owner, olive.uid)).toMatchObject({ cashtag: "$NotOlive" });
  expect(await profileOf(owner)).toMatchObject({
    emailVerified: true,
    displayName: "Olive",
    discord: { username: "notolive" },
    discordNotificationsEnabled: false,
  });
});

test("the owner is told by letter when Google or Discord is linked to their account", async () => {
  const { uid, email } = await proven();
  const subjects = () =>
    shop.letters.flatMap(({ to, subject }) => (to === email ? [subject.split(" at ")[0]] : []));
  expect(await enterByGoogle("own", email)).toBe(uid);
  expect(subjects()).toEqual(["A Google account was linked"]);
  expect(await enterByDiscord(email)).toBe(uid);
  expect(subjects()).toEqual(["A Google account was linked", "A Discord account was linked"]);
  await enterByGoogle("own", email);
  await enterByGoogle("new", `another-${count}@people.test`);
  expect(subjects()).toHaveLength(2);
  const notes = await shop.database.sql`
    select detail from security.log where uid = ${uid} and kind = 'provider-linked' order by detail`;
  expect(notes.map(({ detail }) => detail)).toEqual(["discord", "google"]);
});

test("a reset ends the links to providers, but for accounts with the same address", async () => {
  const { uid, email } = await proven();
  await enterByGoogle("own", email);
  await shop.database.sql`
    insert into identity.issuer_subjects (issuer, subject, uid, linked_at, email_hash)
    values (${google.settings.baseUrl}, ${`older-${count}`}, ${uid}, now(), null),
      (${google.settings.baseUrl}, ${`foreign-${count}`}, ${uid}, now(), sha256('thief@people.test'))`;
  await reset(email);
  expect(await linksOf(uid)).toEqual([{ subject: `own-${count}` }]);
  expect(await enterByGoogle("own", email)).toBe(uid);
  expect(await enterByGoogle("foreign", "thief@people.test")).not.toBe(uid);
  // One that was linked before addresses were kept comes back by the address, and the owner is told.
  expect(await enterByGoogle("older", email)).toBe(uid);
});

test("a changed address ends the links to providers with the old one, and its letter says so", async () => {
  const { uid, email } = await proven();
  await enterByGoogle("own", email);
  await enterByDiscord(email);
  expect((await changeEmail(uid, `moved-${count}@people.test`)).status).toBe(200);
  expect(await linksOf(uid)).toEqual([]);
  expect(shop.letters.findLast(({ to }) => to === email)?.paragraphs.join(" ")).toContain(
    "Google or Discord accounts with another email",
  );
  expect(await enterByGoogle("own", email)).not.toBe(uid);
});

test("whose only way in is a provider keeps it when the address changes", async () => {
  const email = `only-google-${count}@people.test`;
  const uid = await enterByGoogle("only", email);
  expect((await changeEmail(uid, `moved-${count}@people.test`)).status).toBe(200);
  expect(await enterByGoogle("only", email)).toBe(uid);
});

const refusedByGoogle = async (sub: string, email: string) => {
  const visitor = visitorOf(shop);
  const returned = await comeFromGoogle(sub, email, visitor);
  return visitor.send("POST", "/api/identity/google", returned);
};

test("an unlinked provider opens the account only once its owner allows it again", async () => {
  const { uid, email, visitor } = await proven();
  const inByGoogle = visitorOf(shop);
  await enterByGoogle("own", email, inByGoogle);
  const unlink = () => visitor.send("DELETE", "/api/identity/providers/google");
  expect(await unlink()).toMatchObject({ status: 200, body: { unlinked: true } });
  expect(await unlink()).toMatchObject({ status: 404, body: { error: "provider_not_linked" } });
  expect(
    shop.letters.findLast(({ to }) => to === email),
    "the owner is told",
  ).toMatchObject({ subject: expect.stringContaining("A Google account was unlinked") });
  expect(
    (await inByGoogle.send("GET", "/api/identity/account")).status,
    "whoever is in by Google is signed out",
  ).toBe(401);
  const account = async () => (await visitor.send("GET", "/api/identity/account")).body;
  expect(await account()).toMatchObject({
    providers: [],
    unlinkedProviders: [{ provider: "google" }],
  });

  // Neither the account that was linked nor another one of Google's with the same address.
  for (const sub of ["own", "another"]) {
    expect(await refusedByGoogle(sub, email)).toMatchObject({
      status: 409,
      body: {
        error: "provider_unlinked",
        message:
          "You unlinked this from your account. Sign in another way, then allow it again on your profile.",
      },
    });
  }
  expect(await linksOf(uid)).toEqual([]);
  expect(await enterByDiscord(email), "Discord was not unlinked").toBe(uid);

  const allow = () => visitor.send("POST", "/api/identity/providers/google", {});
  expect(await allow()).toMatchObject({ status: 200, body: { allowed: true } });
  expect(await allow()).toMatchObject({ status: 404, body: { error: "provider_not_unlinked" } });
  expect(await enterByGoogle("own", email)).toBe(uid);
  const notes = await shop.database.sql`
    select kind, outcome, detail from security.log
    where uid = ${uid} and (kind like 'provider-%' or outcome = 'refused') order by kind`;
  expect(notes.map(({ kind, outcome, detail }) => [kind, outcome, detail].join(" "))).toEqual(
    expect.arrayContaining([
      "provider-unlinked ok google",
      "sign-in refused google",
      "provider-allowed ok google",
    ]),
  );
});

test("a provider that is the only way into an account is not unlinked, even by two calls at once", async () => {
  const email = `only-${count}@people.test`;
  const visitor = visitorOf(shop);
  const uid = await enterByGoogle("only", email, visitor);
  const unlink = (provider: string) =>
    visitor.send("DELETE", `/api/identity/providers/${provider}`);
  expect(await unlink("google")).toMatchObject({
    status: 409,
    body: {
      error: "only_way_in",
      message: "You could not sign in without it. Set up a backup password first",
    },
  });
  expect((await visitor.send("GET", "/api/identity/account")).body).toMatchObject({
    providers: [{ provider: "google", isOnlyWayIn: true }],
  });
  expect(await enterByDiscord(email)).toBe(uid);
  const both = await Promise.all([unlink("google"), unlink("discord")]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await linksOf(uid)).toHaveLength(1);
});

test("whoever unlinks Discord still gets the store's messages there, and Discord's page says what to do", async () => {
  const { uid, email, visitor } = await proven();
  await enterByDiscord(email);
  expect((await visitor.send("DELETE", "/api/identity/providers/discord")).status).toBe(200);
  const id = String(700_000_000_000_000_000n + BigInt(count));
  expect(await profileOf(visitor)).toMatchObject({ discord: { id } });
  expect((await readConfirmation(shop.database.sql, shop.deps.clock(), uid)).state).toBe("proved");
  const screen = await comeFromDiscord(email, visitorOf(shop));
  expect(screen.searchParams.get("error")).toBe("provider_unlinked");
});

test("unlinking asks again who one is, a quarter of an hour after signing in", async () => {
  const { email, visitor } = await proven();
  await enterByGoogle("own", email);
  shop.advance(15 * 60_000);
  for (const method of ["DELETE", "POST"]) {
    const body = method === "POST" ? {} : undefined;
    expect(await visitor.send(method, "/api/identity/providers/google", body)).toMatchObject({
      status: 403,
      body: { error: "confirmation_required" },
    });
  }
});
