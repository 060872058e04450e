// Old accounts reach their owners: once, complete, to the cent, and never by something that anybody can claim.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLegacyFile } from "#features/migration/legacy-file.ts";
import { stageLegacy } from "#features/migration/legacy-staging.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { unexplainedEvents } from "#testing/shop/unexplained-events.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

const exported = new URL("../../testing/shop/legacy-export.json", import.meta.url);

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  await load();
});

afterAll(() => shop.close());

async function load(text?: string) {
  const { sql, clock } = shop.deps;
  const accounts = readLegacyFile(text ?? (await readFile(exported, "utf8")), clock());
  return stageLegacy({ sql, clock, keys: createReservationKeys(sql) }, accounts);
}

const migrate = (uid: string, body: unknown = {}) =>
  shop.call("POST", `/api/auth/users/${uid}/migrate`, { as: boss, body });
const get = async (path: string, as: TestPerson) =>
  (await shop.call("GET", `/api${path}`, { as })).body;

async function verified(person: TestPerson): Promise<TestPerson> {
  await shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${person.uid}`;
  return person;
}

async function legacyIdOf(q: string): Promise<string> {
  const body = await get(`/auth/legacy-users?status=all&q=${q}`, boss);
  return String(JSON.stringify(body).match(/"legacyId":"([^"]+)"/u)?.[1]);
}

describe("a migration", () => {
  test("takes over balance, items, pending payouts and the past, all at once and only once", async () => {
    const avery = await verified(await shop.person("Avery"));
    const answer = await migrate(avery.uid);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        message: "Migrated: 2 items, 2 sales, 2 payouts",
        status: "migrated",
        reason: null,
        legacy: [
          {
            displayName: "Avery Quinn",
            holdings: {
              balance: 12.35,
              items: 2,
              units: 3,
              pendingPayouts: 1,
              pendingAmount: 7.5,
              roundings: [
                { what: "balance", from: "12.345", toCents: 1235 },
                { what: "sale 1: payoutAmount", from: "17.505", toCents: 1751 },
              ],
            },
          },
        ],
      },
    });
    expect(answer.headers.get("Ledger-Position")).not.toBeNull();
    expect(await get("/auth/me", avery)).toMatchObject({
      balance: 12.35,
      migratedFrom: "old-avery",
    });
    expect(await get(`/sales/balance/${avery.uid}`, avery)).toMatchObject({
      balance: 12.35,
      inTransit: 7.5,
    });
    expect(await get(`/sales/ledger/${avery.uid}`, avery)).toMatchObject({
      lineCount: 5,
      lines: [
        { description: "Payout of $7.50 requested (CashApp)", amount: 0, inTransitChange: 7.5 },
        { description: "Opening balance from the old app", amount: 12.35 },
        {
          description: "Payout of $15.00 paid in the old app (Venmo)",
          amount: 0,
          chip: { label: "Payout paid" },
        },
        { description: "2 × Kettle sold in the old app for $40.00, your share was $17.51" },
        { happenedAt: "2024-01-01T10:00:00.000Z" },
      ],
    });
    const past = `/sales/old-app/${avery.uid}?limit=1`;
    const latest = { itemName: "Kettle", soldQuantity: 2, salePrice: 40, payoutAmount: 17.51 };
    const first = await get(`${past}&kind=sales`, avery);
    expect(first).toMatchObject({ entries: [{ kind: "sale", shippingCost: 5, ...latest }] });
    const next = String(Reflect.get(Object(first), "nextCursor"));
    expect(await get(`${past}&kind=sales&cursor=${next}`, avery)).toMatchObject({
      entries: [{ itemName: "Chair", date: "2024-01-01T10:00:00.000Z" }],
      nextCursor: null,
    });
    expect(await get(`${past}&kind=payouts`, avery)).toMatchObject({
      entries: [{ kind: "payout", amount: 15, method: "venmo", date: "2024-03-10T10:00:00.000Z" }],
      nextCursor: null,
    });
    expect(await get(`/sales/total-payouts/${avery.uid}`, avery)).toEqual({
      totalPayouts: 0,
      paidInOldApp: 15,
    });
    const items = await shop.database.sql`
      select item_name, quantity from read.inventory_items where owner_uid = ${avery.uid} order by 1`;
    expect(items).toEqual([
      { item_name: "Desk lamp", quantity: 3 },
      { item_name: "Rug, red", quantity: 0 },
    ]);
    expect(await get("/payouts/pending", boss)).toMatchObject({
      payouts: [{ consignorID: avery.uid, amount: 7.5, handle: "$averyq" }],
    });
    expect(await migrate(avery.uid)).toMatchObject({
      body: { status: "skipped", reason: "already_migrated" },
    });
    expect(await load()).toMatchObject({ users: 5, added: 0, updated: 4, migrated: 1 });
    expect(await migrate(avery.uid)).toMatchObject({ body: { status: "skipped" } });
    expect(await get("/auth/me", avery)).toMatchObject({ balance: 12.35 });
  });

  test("of an unpaid payout without a handle leaves nothing that could be paid to nobody", async () => {
    await load(
      `{"users":[{"email":"kim@people.test","payouts":[{"amount":3,"method":"cashapp"},
        {"amount":4,"method":"venmo","venmoUsername":"kim-old"}]}]}`,
    );
    const kim = await verified(await shop.person("Kim"));
    await migrate(kim.uid);
    expect(await get(`/payouts/pending?consignor=${kim.uid}`, boss)).toMatchObject({
      payouts: [
        { amount: 3, handle: "", cashAppLink: null, venmoUsername: null, venmoLink: null },
        { amount: 4, handle: "@kim-old", venmoLink: expect.stringContaining("/kim-old?") },
      ],
    });
  });

  test("of two at once doubles nothing", async () => {
    await load('{"users":[{"email":"twin@people.test","balance":5}]}');
    const twin = await verified(await shop.person("Twin"));
    const answers = await Promise.all([1, 2, 3, 4].map(() => migrate(twin.uid)));
    const statuses = answers.map(({ body }) => String(Reflect.get(Object(body), "status")));
    expect(statuses.filter((status) => status === "migrated")).toHaveLength(1);
    expect(statuses.filter((status) => status === "skipped")).toHaveLength(3);
    expect(await get("/auth/me", twin)).toMatchObject({ balance: 5 });
  });

  test("is not possible with an unverified email", async () => {
    const thief = await shop.person("Blake");
    expect(await migrate(thief.uid)).toMatchObject({
      body: {
        status: "needs_review",
        reason: "email_not_verified",
        legacy: [{ holdings: { balance: -3.5 } }],
      },
    });
    expect(await get("/auth/me", thief)).toMatchObject({ balance: 0, migratedFrom: null });
  });

  test("by username needs an admin's confirmation", async () => {
    const casey = await verified(await shop.person("Someone"));
    await shop.call("POST", "/api/auth/set-username", { as: casey, body: { username: "casey" } });
    expect(await migrate(casey.uid)).toMatchObject({
      body: { status: "needs_review", reason: "matched_by_username" },
    });
    expect(await get("/auth/me", casey)).toMatchObject({ balance: 0 });
    const body = await get("/auth/legacy-users?status=needs_review&q=casey", boss);
    expect(body).toMatchObject({
      legacyUsers: [
        { status: "needs_review", candidates: [{ uid: casey.uid, matchedBy: "username" }] },
      ],
    });
    const legacyId = await legacyIdOf("casey");
    expect(await migrate(casey.uid, { legacyId })).toMatchObject({ body: { status: "migrated" } });
    expect(await get("/auth/me", casey)).toMatchObject({ balance: 100 });
    const other = await shop.person("Other");
    expect(await migrate(other.uid, { legacyId })).toMatchObject({
      body: { status: "needs_review", reason: "claimed_by_another" },
    });
    expect(await get("/auth/me", other)).toMatchObject({ balance: 0 });
  });

  test("with several matching accounts needs an admin's confirmation", async () => {
    const drew = await verified(await shop.person("Drew"));
    expect(await migrate(drew.uid)).toMatchObject({
      body: { status: "needs_review", reason: "several_matches", legacy: [{}, {}] },
    });
  });

  test("adds units to an item that the user already has", async () => {
    await load(
      '{"users":[{"email":"fay@people.test","items":[{"itemName":"Old","barcode1":"7","quantity":2}]}]}',
    );
    await load(
      '{"users":[{"id":"fay-2","username":"fay2","items":[{"itemName":"New","barcode1":"7","quantity":3}]}]}',
    );
    const fay = await verified(await shop.person("Fay"));
    await migrate(fay.uid);
    expect(await get(`/sales/old-app/${fay.uid}?kind=sales`, fay)).toEqual({
      entries: [],
      nextCursor: null,
    });
    await migrate(fay.uid, { legacyId: await legacyIdOf("fay2") });
    await shop.runner.catchUp();
    expect(
      await shop.database.sql`
        select item_name, quantity from read.inventory_items where owner_uid = ${fay.uid}`,
    ).toEqual([{ item_name: "Old", quantity: 5 }]);
  });

  test("of all users reports on each of them, and continues after a failure", async () => {
    await load('{"users":[{"email":"gil@people.test","balance":8},{"email":"hal@people.test"}]}');
    const [gil, hal] = [
      await verified(await shop.person("Gil")),
      await verified(await shop.person("Hal")),
    ];
    await shop.database.sql`
      update identity.legacy_users set holdings = '{}' where email = 'hal@people.test'`;
    const { body } = await shop.call("POST", "/api/auth/migrate-all", { as: boss });
    expect(body).toMatchObject({
      migrated: 1,
      failed: 1,
      message: expect.stringContaining("1 migrated"),
    });
    const { totalUsers, migrated, skipped, needsReview, failed } = Object(body) as Record<
      string,
      number
    >;
    expect(totalUsers).toBe((migrated ?? 0) + (skipped ?? 0) + (needsReview ?? 0) + (failed ?? 0));
    expect(Reflect.get(Object(body), "details")).toEqual(
      expect.arrayContaining([
        {
          status: "migrated",
          uid: gil.uid,
          email: gil.email,
          error: null,
          reason: null,
          reasonCode: null,
        },
        expect.objectContaining({
          status: "failed",
          uid: hal.uid,
          error: "Its old account cannot be read",
        }),
      ]),
    );
    const { details, unlisted } = Object(body) as { details: unknown[]; unlisted: number };
    expect({ unlisted, reported: details.length }).toEqual({ unlisted: 0, reported: totalUsers });
    // Those who had nothing in the old app stand last.
    expect(details.at(-1)).toMatchObject({ status: "skipped", reasonCode: "nothing_found" });
    expect(await get("/auth/me", gil)).toMatchObject({ balance: 8 });
  });

  test("of all users lists 1,000 of those who had nothing in the old app, and says how many more there are", async () => {
    await shop.database.sql`
      insert into identity.profiles (uid, email, created_at)
      select 'crowd' || to_char(n, 'FM000000000000000000000'), 'crowd-' || n || '@people.test', now()
      from generate_series(1, 1200) n`;
    const { body } = await shop.call("POST", "/api/auth/migrate-all", { as: boss });
    const { details, unlisted, totalUsers } = Object(body) as {
      details: { reasonCode: string }[];
      unlisted: number;
      totalUsers: number;
    };
    const without = details.filter(({ reasonCode }) => reasonCode === "nothing_found");
    expect(without).toHaveLength(1000);
    expect(unlisted).toBe(totalUsers - details.length);
    expect(unlisted).toBeGreaterThan(200);
  });

  test("of all users is not begun by a request with a field that nobody reads", async () => {
    const body = { dryRun: true };
    expect(await shop.call("POST", "/api/auth/migrate-all", { as: boss, body })).toMatchObject({
      status: 400,
      body: { error: "validation_failed" },
    });
  });

  test("that is waiting for a verified email keeps the user from being deleted", async () => {
    await load('{"users":[{"email":"ivy@people.test","balance":8}]}');
    const ivy = await verified(await shop.person("Ivy"));
    expect(await shop.call("DELETE", `/api/auth/users/${ivy.uid}`, { as: boss })).toMatchObject({
      status: 409,
      body: { error: "user_not_settled" },
    });
  });

  test("leaves no address, name or handle in the log", async () => {
    const [row] = await shop.database.sql<{ found: number }[]>`
      select (select count(*) from log.events where data::text ~* 'people.test|quinn|averyq|old-')
        + (select count(*) from log.command_keys where answer::text ~* 'people.test|quinn|averyq|old-')
        + (select count(*) from log.streams where state::text ~* 'people.test|quinn|averyq|old-')
        as found`;
    expect(row?.found).toBe(0);
  });
});

test("every event of these people is explained in the histories that show it", async () => {
  expect(await unexplainedEvents(shop.database.sql)).toEqual([]);
});

describe("a file in the browser", () => {
  const send = (body: unknown) => shop.call("POST", "/api/auth/legacy-users", { as: boss, body });

  test("is checked first, then loaded; loading it again updates what still waits", async () => {
    const users = [{ id: "browser-1", displayName: "Blair", balance: 12.345 }];
    expect(await send({ users, checkOnly: true })).toMatchObject({
      status: 200,
      body: { users: 1, added: 0, rounded: 1, ignored: [], withoutHandle: 0 },
    });
    expect(await send({ users })).toMatchObject({ body: { added: 1, updated: 0, rounded: 1 } });
    expect(await send({ users })).toMatchObject({ body: { added: 0, updated: 1 } });
  });

  test("is refused as a whole with the place of each problem", async () => {
    const users = [{ id: "browser-2" }, { balance: 1 }];
    expect(await send({ users })).toMatchObject({
      status: 409,
      body: {
        error: "file_refused",
        message: expect.stringContaining("users.1: has neither id, email nor username"),
      },
    });
    expect(await send({ users: [users[0]], checkOnly: true })).toMatchObject({ status: 200 });
    expect(await send({ users: [users[0]] })).toMatchObject({ body: { added: 1 } });
  });
});

test("an old account that admins take over for themselves is an own entry, and who loaded it is in the security log", async () => {
  const users = [{ id: "own-1", email: "nobody@old.test", balance: 12.5 }];
  const body = { users };
  await shop.call("POST", "/api/auth/legacy-users", {
    as: boss,
    body: { ...body, checkOnly: true },
  });
  await shop.call("POST", "/api/auth/legacy-users", { as: boss, body });
  const legacyId = await legacyIdOf("nobody");
  expect(await migrate(boss.uid, { legacyId })).toMatchObject({ body: { status: "migrated" } });
  await shop.runner.catchUp();
  const { events } = Object(await get("/audit/events?ownAccount=yes", boss)) as {
    readonly events: readonly unknown[];
  };
  expect(events).toMatchObject([{ type: "UserMigrated", amount: 12.5 }]);
  await shop.identity.parts.securityLog.flush();
  const notes = await shop.database.sql`
    select uid, detail from security.log where kind = 'legacy-accounts-loaded'`;
  expect(notes).toContainEqual({ uid: boss.uid, detail: "1 account: 1 added, 0 updated" });
});
