// What is left to somebody who had a way into an account before its owner proved the address, reset the password or moved.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const password = "open sesame";

let shop: TestApp;
let boss: TestPerson;
let count = 0;

beforeAll(async () => {
  shop = await openTestApp({});
});

beforeEach(async () => {
  count += 1;
  await shop.database.sql`delete from identity.rate_limits`;
  boss = await shop.person(`Boss${count}`, "admin");
});

afterAll(() => shop.close());

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

test("whose address was changed by an admin is no stranger, and keeps what they typed", async () => {
  const olive = await signUp("Olive");
  await shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${olive.uid}`;
  await fillProfile(olive);
  const next = `next-${randomUUID().slice(0, 8)}@people.test`;
  const changed = { as: boss, body: { email: next } };
  expect((await shop.call("PUT", `/api/auth/users/${olive.uid}`, changed)).status).toBe(200);
  const owner = await reset(next);
  expect(await handlesOf(owner, olive.uid)).toMatchObject({ cashtag: "$NotOlive" });
  expect(await profileOf(owner)).toMatchObject({
    emailVerified: true,
    displayName: "Olive",
    discord: { username: "notolive" },
    discordNotificationsEnabled: false,
  });
});
