// One's own notifications through the API: the list behind the bell, reading, choosing, and asking for a test message.
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  NotificationSettings,
  NotificationsResponse,
} from "#features/notifications/contract.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { confirmDiscord, newCodeFor } from "#identity/discord-confirmations.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { giveRole } from "#testing/shop/people.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";
import { feedNotifications, registerKinds } from "../../notify/feed.ts";
import { openChannel } from "../../notify/outbox.ts";

let market: TradeShop;
let buyer: TestPerson;
let seller: TestPerson;

const feed = () => feedNotifications({ ...market.shop.deps, hasDiscord: true });

async function get<Body>(as: TestPerson, path: string): Promise<Body> {
  const { status, body } = await market.shop.call("GET", `/api/notifications${path}`, { as });
  expect(status).toBe(200);
  return body as Body;
}

const send = (method: string, path: string, as: TestPerson, body: unknown) =>
  market.shop.call(method, `/api/notifications${path}`, { as, body });

/** Has typed the code that was sent there. */
async function confirmed({ uid }: TestPerson, discordId: string): Promise<void> {
  const { sql } = market.shop.deps;
  await sql`update identity.profiles set discord_id = ${discordId} where uid = ${uid}`;
  await sql`
    insert into identity.discord_confirmations (uid, discord_id, asked_at, confirmed_at)
    values (${uid}, ${discordId}, now(), now())`;
}

beforeAll(async () => {
  market = await openTradeShop();
  await registerKinds(market.shop.deps.sql);
  for (const round of [1, 2, 3]) {
    const requested = await market.requested();
    if (round === 1) {
      ({ buyer, seller } = requested);
    }
  }
});

afterAll(() => market.close());

test("the bell counts what is unread, says while it is behind, and the list says what happened", async () => {
  expect(await get(seller, "/unread")).toEqual({ unread: 0, isBehind: true });
  await feed();
  expect(await get(seller, "/unread")).toEqual({ unread: 1, isBehind: false });
  expect(await get(buyer, "/unread"), "a buyer's own request").toMatchObject({ unread: 0 });
  const { notifications, next } = await get<NotificationsResponse>(seller, "");
  expect(next).toBeNull();
  expect(notifications).toEqual([
    {
      id: expect.any(String),
      kind: "offer",
      title: expect.stringMatching(/^An offer for /u),
      text: "Somebody asks for 2 units at $5.00 each. It waits 48 hours for your answer.",
      path: expect.stringMatching(/^\/my-offers\?trade=/u),
      happenedAt: "2026-11-21T10:00:00.000Z",
      isRead: false,
    },
  ]);
});

test("one is marked as read, or all up to one; nobody marks another one's", async () => {
  const { sql } = market.shop.deps;
  await sql`
    insert into identity.notifications (uid, kind, channel, position, state, created_at, due_at)
    select uid, k.kind, 'in-app', position, 'shown', now(), now()
    from identity.notifications, (values ('later-1'), ('later-2')) as k (kind)
    where uid = ${seller.uid} and channel = 'in-app' limit 2`;
  const [first] = (await get<NotificationsResponse>(seller, "?limit=3")).notifications;
  expect(first?.kind, "a kind that only a newer program knows is not shown").toBe("offer");
  const ids = await sql<{ id: string }[]>`
    select id from identity.notifications where uid = ${seller.uid} and channel = 'in-app' order by id`;
  await send("POST", "/read", buyer, { id: ids[2]?.id, through: true });
  expect(await get(seller, "/unread")).toMatchObject({ unread: 3 });
  await send("POST", "/read", seller, { id: ids[1]?.id });
  expect(await get(seller, "/unread")).toMatchObject({ unread: 2 });
  await send("POST", "/read", seller, { id: ids[2]?.id, through: true });
  expect(await get(seller, "/unread")).toMatchObject({ unread: 0 });
});

/** Somebody requests $25.00 from the buyer's account. */
async function requestFor(uid: string, actor: string): Promise<void> {
  const { ledger, newId } = market.shop.deps;
  const command = {
    payoutId: newId(),
    consignorId: uid,
    amountCents: 2_500,
    method: "cashapp",
    handleId: newId(),
    handleHash: "0".repeat(64),
    happenedAt: "2026-11-21T10:00:00.000Z",
  } as const;
  const context = { actor, scope: "store", key: command.payoutId, requestHash: "00" };
  await ledger.execute(requestPayout, command, context);
  await feed();
}

const newestOf = async (as: TestPerson) =>
  (await get<NotificationsResponse>(as, "?limit=1")).notifications[0];

test("admins read who asks for a payout, by the name in the profile and only while there is one", async () => {
  const { sql } = market.shop.deps;
  await requestFor(buyer.uid, buyer.uid);
  await sql`update identity.profiles set display_name = 'Quill Marlow' where uid = ${buyer.uid}`;
  expect(await newestOf(market.admin)).toMatchObject({
    title: "A payout of $25.00 was requested",
    text: "Quill Marlow asks for it, to be paid with CashApp.",
  });
  expect((await newestOf(buyer))?.kind, "nobody is told of what they did").not.toBe(
    "payout-for-me",
  );
  await sql`
    update identity.profiles set display_name = null, username = null where uid = ${buyer.uid}`;
  expect((await newestOf(market.admin))?.text).toBe("It is to be paid with CashApp.");
});

test("a payout that an admin asks for in a consignor's place is told to the consignor and the other admins", async () => {
  const { sql } = market.shop.deps;
  const second = await market.shop.person("Robin", "admin");
  await sql`update identity.profiles set display_name = 'Quill Marlow' where uid = ${buyer.uid}`;
  await requestFor(buyer.uid, second.uid);
  expect((await newestOf(market.admin))?.text).toBe(
    "Robin asks for it in the name of Quill Marlow, to be paid with CashApp.",
  );
  expect(await newestOf(buyer)).toMatchObject({
    kind: "payout-for-me",
    title: "The store requested a payout of $25.00 for you",
    text: "It is to be paid with CashApp. If you did not agree to it, tell the store now.",
  });
});

test("consignors read to which of their handles a payout was sent, also after they corrected its method", async () => {
  const { call } = market.shop;
  const paidTo = await market.buyerWith(5_000);
  const path = `/api/payouts/${paidTo.uid}`;
  const body = { amount: 20, method: "cashapp", paymentUsername: "quill" };
  const asked = await call("POST", `${path}/request`, { as: paidTo, body });
  const id = String(Reflect.get(Object(asked.body), "payoutId"));
  await call("POST", `${path}/${id}/claim`, { as: market.admin });
  await call("PATCH", `${path}/${id}/paid`, { as: market.admin, body: {} });
  await feed();
  expect(await newestOf(paidTo)).toMatchObject({
    kind: "payout-paid",
    text: "It was paid with CashApp, to $quill.",
  });
  await market.shop.deps.sql`delete from identity.payout_handles where uid = ${paidTo.uid}`;
  expect((await newestOf(paidTo))?.text).toBe("It was paid with CashApp.");
});

test("a kind is turned off and on per channel, and admins choose among theirs too", async () => {
  const on = async (as: TestPerson, kind: string) =>
    (await get<NotificationSettings>(as, "/settings")).kinds.find((each) => each.kind === kind)?.on;
  expect(await on(seller, "sale")).toEqual(["in-app", "discord"]);
  expect(await on(seller, "payout-requested")).toBeUndefined();
  expect(await on(market.admin, "payout-requested")).toEqual(["in-app"]);
  const answer = await send("PUT", "/settings", seller, {
    kind: "sale",
    channel: "email",
    on: true,
  });
  expect(answer.status).toBe(200);
  await send("PUT", "/settings", seller, { kind: "sale", channel: "discord", on: false });
  expect(await on(seller, "sale")).toEqual(["in-app", "email"]);
  expect(await on(buyer, "sale")).toEqual(["in-app", "discord"]);
});

test("a test message waits once, and only where it can arrive", async () => {
  const { sql, clock } = market.shop.deps;
  const ask = async (channel: string) => {
    const { status, body } = await send("POST", "/test", seller, { channel });
    return [status, Reflect.get(Object(body), "error") ?? null];
  };
  expect(await ask("discord")).toEqual([409, "discord_not_available"]);
  await openChannel({ sql, clock, random: () => 0 }, "discord", true);
  expect(await ask("discord")).toEqual([409, "discord_off"]);
  await sql`
    update identity.profiles set discord_id = '900000000000000001' where uid = ${seller.uid}`;
  expect(await ask("discord")).toEqual([409, "discord_not_confirmed"]);
  await confirmed(seller, "900000000000000001");
  expect(await ask("email")).toEqual([409, "email_not_verified"]);
  await sql`update identity.profiles set email_verified_at = now() where uid = ${seller.uid}`;
  expect([await ask("discord"), await ask("discord"), await ask("email")]).toEqual([
    [200, null],
    [200, null],
    [200, null],
  ]);
  const tests = await sql`
    select channel, state from identity.notifications where position is null order by channel`;
  expect([...tests]).toEqual([
    { channel: "discord", state: "waiting" },
    { channel: "email", state: "waiting" },
  ]);
  const { discord } = await get<NotificationSettings>(seller, "/settings");
  expect(discord).toMatchObject({ isAvailable: true, refused: null, test: { state: "waiting" } });
  await sql`
    insert into identity.discord_reach (uid, discord_id, refused_because, refused_at)
    values (${seller.uid}, '900000000000000001', 'closed', now())`;
  const refused = async () =>
    (await get<NotificationSettings>(seller, "/settings")).discord.refused;
  expect(await refused(), "of one's own account").toBe("closed");
  await sql`delete from identity.discord_confirmations`;
  expect(await refused(), "of a typed id it says no more").toBe("not-reached");
  await sql`
    insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
    values ('https://discord.com', '900000000000000001', ${seller.uid}, now())`;
  expect(await refused(), "of a Discord account that signed in").toBe("closed");
});

test("a test message that was sent is never shown beside the refusal before it", async () => {
  const { sql } = market.shop.deps;
  const reading = await sql.begin(async (delivery) => {
    await delivery`lock table identity.notifications in access exclusive mode`;
    const settings = get<NotificationSettings>(seller, "/settings");
    await expect
      .poll(async () => {
        const [waiting] = await sql<{ count: number }[]>`
          select count(*) from pg_locks where relation = 'identity.notifications'::regclass and not granted`;
        return waiting?.count;
      })
      .toBeGreaterThan(0);
    await delivery`
      update identity.discord_reach set refused_because = null, refused_at = null where uid = ${seller.uid}`;
    await delivery`
      update identity.notifications set state = 'sent', settled_at = now()
      where uid = ${seller.uid} and channel = 'discord' and position is null`;
    return { settings };
  });
  const { discord } = await reading.settings;
  expect(discord).toMatchObject({ test: { state: "sent" }, refused: null });
});

test("a typed Discord account is asked once a day, and confirmed with the code that was sent there", async () => {
  const { sql, clock } = market.shop.deps;
  const typed = "900000000000000007";
  const discord = async () => (await get<NotificationSettings>(buyer, "/settings")).discord;
  const askAgain = async () => {
    const { status, body } = await send("POST", "/discord", buyer, undefined);
    return [status, Reflect.get(Object(body), "error") ?? null];
  };
  const messages = () => sql<{ id: string; state: string; due: Date }[]>`
    select id, state, due_at as due from identity.notifications
    where uid = ${buyer.uid} and kind = 'discord-confirmation' order by id`;
  expect(await askAgain()).toEqual([409, "discord_off"]);
  await market.shop.call("PUT", "/api/auth/me", { as: buyer, body: { discord: { id: typed } } });
  expect(await discord()).toMatchObject({ confirmation: "waiting" });
  expect(await askAgain()).toEqual([409, "discord_asked"]);
  const [message] = await messages();
  await sql`update identity.notifications set state = 'sent' where id = ${message?.id ?? ""}`;
  const tomorrow = new Date(clock().getTime() + 86_400_000).toISOString();
  expect(await discord()).toMatchObject({ confirmation: "asked", askAgainAt: tomorrow });

  // The same account, typed by somebody else: nothing says that it was asked, and its message waits for a day.
  const other = await market.shop.person("Quinn");
  await market.shop.call("PUT", "/api/auth/me", { as: other, body: { discord: { id: typed } } });
  const [waits] = await sql<{ due: Date }[]>`
    select due_at as due from identity.notifications where uid = ${other.uid}`;
  expect(waits?.due.toISOString()).toBe(tomorrow);

  const first = await newCodeFor(sql, clock(), message?.id ?? "");
  const second = await newCodeFor(sql, clock(), message?.id ?? "");
  const enter = async (code: string, as = buyer) =>
    (await send("PUT", "/discord", as, { code })).status;
  expect(await enter("ABCD-EFGH-JKMN")).toBe(409);
  expect(await enter(first?.code ?? "", other), "who did not ask with it").toBe(409);
  const late = new Date(clock().getTime() + 86_400_001);
  expect(await confirmDiscord(sql, late, buyer.uid, first?.code ?? "")).toBe(false);
  // An earlier attempt may have arrived.
  expect(await enter((first?.code ?? "").toLowerCase().replaceAll("-", " "))).toBe(200);
  expect(await discord()).toMatchObject({ confirmation: "confirmed", askAgainAt: null });
  expect(await enter(second?.code ?? ""), "it is used").toBe(409);
  expect(await askAgain()).toEqual([200, null]);
  expect(await messages()).toHaveLength(1);
});

test("a trade that is raised again and again is one notice, and one message in ten minutes", async () => {
  const { sql, clock } = market.shop.deps;
  const raised = await market.requested();
  await confirmed(raised.seller, "900000000000000002");
  const rows = () => sql<{ channel: string; state: string; due: number }[]>`
    select channel, state, (extract(epoch from due_at - ${clock()}::timestamptz) / 60)::int as due
    from identity.notifications where uid = ${raised.seller.uid} and kind = 'counter' order by id`;
  const raise = async (pricePerItem: number) => {
    const answer = await market.post(raised.buyer, `${raised.tradeId}/raise`, { pricePerItem });
    expect(answer.status).toBe(200);
  };
  await raise(501);
  await raise(502);
  await feed();
  expect([...(await rows())]).toEqual([
    { channel: "in-app", state: "shown", due: 0 },
    { channel: "discord", state: "waiting", due: 0 },
  ]);
  await sql`
    update identity.notifications set state = 'sent', tried_at = ${clock()}
    where channel = 'discord' and uid = ${raised.seller.uid} and kind = 'counter'`;
  for (const price of [503, 504]) {
    await raise(price);
    await feed();
  }
  expect([...(await rows())]).toEqual([
    { channel: "discord", state: "sent", due: 0 },
    { channel: "in-app", state: "shown", due: 0 },
    { channel: "discord", state: "waiting", due: 10 },
  ]);
  const [newest] = (await get<NotificationsResponse>(raised.seller, "")).notifications;
  expect(newest?.text).toBe("The buyer offers $5.04 each instead of $5.03.");
});

test("what admins are told is shown and sent only while the person is one", async () => {
  const { sql } = market.shop.deps;
  const former = await market.shop.person("Former", "admin");
  await sql`
    insert into identity.notifications (uid, kind, channel, position, state, created_at, due_at)
    select ${former.uid}, 'payout-requested', 'in-app', max(position), 'shown', now(), now() from log.events`;
  expect(await get(former, "/unread")).toMatchObject({ unread: 1 });
  await giveRole(market.shop.deps, former.uid, "user");
  expect(await get(former, "/unread")).toMatchObject({ unread: 0 });
  expect((await get<NotificationsResponse>(former, "")).notifications).toEqual([]);
});
