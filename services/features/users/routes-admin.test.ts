// Users over HTTP as admins see and change them: the list, roles that apply to the next call, histories and deletion.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { userChecks } from "#features/users/checks.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { armCrashPoint } from "#ledger/crash-point.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { unexplainedEvents } from "#testing/shop/unexplained-events.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { events, projections, streams } from "../../features.ts";

let shop: TestApp;
let boss: TestPerson;
let made = 0;

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());
afterEach(() => {
  armCrashPoint("append:before-commit", () => undefined);
  armCrashPoint("append:between-commit-and-answer", () => undefined);
});

const put = (uid: string, body: unknown, as = boss) =>
  shop.call("PUT", `/api/auth/users/${uid}`, { as, body });
const remove = (uid: string, as = boss) => shop.call("DELETE", `/api/auth/users/${uid}`, { as });
const search = (as: TestPerson) => shop.call("GET", "/api/auth/search?q=b", { as });

async function sell(person: TestPerson, cents: number, happenedAt: string): Promise<void> {
  made += 1;
  await shop.deps.ledger.execute(
    recordCustomSale,
    {
      saleId: `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
      consignorId: person.uid,
      itemName: "Thing",
      amountCents: cents,
      happenedAt,
    },
    { actor: boss.uid, scope: "store", key: `sale-${made}`, requestHash: "00" },
  );
}

async function setTo({ uid }: TestPerson, balanceCents: number): Promise<void> {
  made += 1;
  const command = { uid, balanceCents, expectedCents: null, noteId: null };
  await shop.deps.ledger.execute(
    setBalance,
    { ...command, happenedAt: TEST_NOW.toISOString() },
    { actor: boss.uid, scope: "store", key: `set-${made}`, requestHash: "00" },
  );
}

describe("roles", () => {
  test("apply to the very next call, whether given or taken", async () => {
    const deputy = await shop.person("Deputy");
    expect((await search(deputy)).status).toBe(403);
    expect(await put(deputy.uid, { role: "admin", reason: "Holidays" })).toMatchObject({
      status: 200,
      body: { message: "User updated successfully", user: { role: "admin" } },
    });
    expect((await search(deputy)).status).toBe(200);
    await put(deputy.uid, { role: "user" });
    expect((await search(deputy)).status).toBe(403);
    const { body } = await shop.call("GET", `/api/auth/users/${deputy.uid}/changes`, { as: boss });
    expect(body).toMatchObject({
      changes: [
        {
          kind: "role",
          before: "admin",
          after: "user",
          note: null,
          actor: { displayName: "Boss" },
        },
        { kind: "role", before: "user", after: "admin", note: "Holidays" },
      ],
      nextBefore: null,
    });
  });

  test("are what the log says, wherever the process dies", async () => {
    const deputy = await shop.person("Deputy2");
    armCrashPoint("append:before-commit", () => {
      throw new Error("died before the commit");
    });
    expect((await put(deputy.uid, { role: "admin" })).status).toBe(500);
    expect((await search(deputy)).status).toBe(403);
    armCrashPoint("append:before-commit", () => undefined);
    armCrashPoint("append:between-commit-and-answer", () => {
      throw new Error("died after the commit");
    });
    expect((await put(deputy.uid, { role: "admin", displayName: "Dee" })).status).toBe(500);
    armCrashPoint("append:between-commit-and-answer", () => undefined);
    expect((await search(deputy)).status).toBe(200);
    expect((await shop.call("GET", "/api/auth/me", { as: deputy })).body).toMatchObject({
      role: "admin",
      displayName: "Dee",
    });
    await put(deputy.uid, { role: "user" });
  });

  test("can only be written by the application through the log", async () => {
    await expect(shop.database.sql`update identity.profiles set role = 'admin'`).rejects.toThrow(
      /permission denied/u,
    );
    await expect(
      shop.database.sql`update identity.profiles set deactivated_at = null`,
    ).rejects.toThrow(/permission denied/u);
  });

  test("leave the store at least one admin, even if two are demoted at once", async () => {
    const deputy = await shop.person("Deputy3");
    await put(deputy.uid, { role: "admin" });
    const answers = await Promise.all([
      put(deputy.uid, { role: "user" }),
      put(boss.uid, { role: "user" }, deputy),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    const admins = await shop.database.sql<{ uid: string }[]>`
      select uid from identity.profiles where role = 'admin'`;
    expect(admins).toHaveLength(1);
    const last = admins[0]?.uid === boss.uid ? boss : deputy;
    expect(await put(last.uid, { role: "user" }, last)).toMatchObject({
      status: 409,
      body: { error: "last_admin" },
    });
    await put(boss.uid, { role: "admin" }, last);
    expect((await search(boss)).status).toBe(200);
  });
});

describe("a user's texts", () => {
  test("are changed together, and the history shows them until they are erased", async () => {
    const avery = await shop.person("Avery");
    await shop.identity.ensureUser({
      uid: avery.uid,
      email: avery.email,
      password: "demo-password",
    });
    const answer = await put(avery.uid, {
      displayName: "Avery B.",
      username: "avery-b",
      email: " Avery.B@People.test ",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: {
          displayName: "Avery B.",
          username: "avery-b",
          email: "avery.b@people.test",
          emailVerified: false,
        },
      },
    });
    const signIn = (email: string) =>
      shop.call("POST", "/api/identity/sign-in", { body: { email, password: "demo-password" } });
    expect((await signIn("avery.b@people.test")).status).toBe(200);
    expect((await signIn(avery.email)).status).toBe(400);
    const { body } = await shop.call("GET", `/api/auth/users/${avery.uid}/changes?limit=2`, {
      as: boss,
    });
    expect(body).toMatchObject({
      changes: [
        { kind: "display-name", description: "Name: Avery to Avery B.", erased: false },
        { kind: "email", before: avery.email, after: "avery.b@people.test" },
      ],
      nextBefore: expect.any(Number),
    });
    const again = await put(avery.uid, { displayName: "Avery B.", username: "avery-b" });
    expect(again.status).toBe(200);
    const history = await shop.call("GET", `/api/auth/users/${avery.uid}/changes`, { as: boss });
    expect(Reflect.get(Object(history.body), "changes")).toHaveLength(3);
  });

  test("cannot be an address that another account signs in with", async () => {
    const [kim, lee] = [await shop.person("Kim"), await shop.person("Lee")];
    await shop.identity.ensureUser({
      uid: kim.uid,
      email: kim.email,
      password: "demo-password",
    });
    expect(await put(lee.uid, { email: kim.email })).toMatchObject({
      status: 409,
      body: { error: "email_already_in_use" },
    });
  });

  test("are changed once by a repeated request", async () => {
    const kim = await shop.person("Kim2");
    const headers = { "Idempotency-Key": "one-change" };
    const body = { displayName: "Kimberly", reason: "Married" };
    const send = () => shop.call("PUT", `/api/auth/users/${kim.uid}`, { as: boss, body, headers });
    await send();
    const second = await send();
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    const changed = await shop.database.sql`
      select from identity.user_changes where uid = ${kim.uid}`;
    expect(changed).toHaveLength(1);
  });

  test.each([
    { balance: 5 },
    { username: "no spaces" },
    { email: "nowhere" },
    { role: "root" },
    { deactivated: true },
  ])("refuses %j", async (body) => {
    expect((await put(boss.uid, body)).status).toBe(400);
  });
});

describe("the list", () => {
  const list = async (query: string) =>
    Object((await shop.call("GET", `/api/auth/all-users?${query}`, { as: boss })).body) as {
      users: { name: string; balance: number }[];
      total: number;
      hasMore: boolean;
      totals: Record<string, number>;
    };

  test("finds, filters, sorts and pages, and sums up the whole store", async () => {
    const [una, uma, ugo] = [
      await shop.person("Una List"),
      await shop.person("Uma List"),
      await shop.person("Ugo List"),
    ];
    await sell(una, 5_000, "2026-11-20T12:00:00.000Z");
    await sell(uma, 2_000, "2026-01-01T12:00:00.000Z");
    await shop.call("PUT", `/api/auth/me`, {
      as: ugo,
      body: { discord: { id: "123456789012345678", username: "ugo" } },
    });
    const found = await list("q=list&sort=balance&order=desc");
    expect(found).toMatchObject({
      total: 3,
      hasMore: false,
      users: [
        {
          name: "Una List",
          balance: 50,
          sales30Days: 50,
          lastActivityAt: "2026-11-20T12:00:00.000Z",
        },
        { name: "Uma List", balance: 20, sales30Days: 0 },
        {
          name: "Ugo List",
          balance: 0,
          units: 0,
          discord: { username: "ugo" },
          lastActivityAt: null,
        },
      ],
      totals: {
        owed: 70,
        inTransit: 0,
        negative: 0,
        negativeCount: 0,
        adminCount: expect.any(Number),
      },
    });
    const names = async (query: string) => (await list(query)).users.map(({ name }) => name);
    expect(await names("q=list&money=owed&sort=name")).toEqual(["Uma List", "Una List"]);
    expect(await names("q=list&sort=name&limit=2&page=2")).toEqual(["Una List"]);
    expect(await names("q=list&sort=activity&order=asc")).toEqual([
      "Uma List",
      "Una List",
      "Ugo List",
    ]);
    expect(await names("q=123456789012345678")).toEqual(["Ugo List"]);
    expect(await names("role=admin")).toContain("Boss");
    for (const sort of ["email", "discord", "role", "units", "pending", "held", "sales"]) {
      expect(await names(`q=list&sort=${sort}`)).toHaveLength(3);
    }
    const csv = await shop.call("GET", "/api/auth/all-users/export?q=list&sort=name", { as: boss });
    expect(String(csv.body).split("\r\n")).toHaveLength(5);
    expect(String(csv.body)).toContain(
      "Una List,una list@people.test,,,user,0,50.00,0.00,0.00,50.00,",
    );
  });

  test.each(["sort=password", "page=0", "limit=201", "nobody=1"])("refuses ?%s", async (query) => {
    expect((await shop.call("GET", `/api/auth/all-users?${query}`, { as: boss })).status).toBe(400);
  });
});

describe("one's own data", () => {
  test("is a file with everything about oneself, and nothing about anybody else", async () => {
    const [mia, max] = [await shop.person("Mia"), await shop.person("Max")];
    await sell(mia, 1_234, TEST_NOW.toISOString());
    await sell(max, 9_999, TEST_NOW.toISOString());
    await shop.identity.ensureUser({
      uid: mia.uid,
      email: mia.email,
      password: "demo-password",
    });
    const bound = await shop.identity.payoutHandles.bind(mia.uid, "venmo", "@mia", mia.uid);
    await shop.deps.sql.begin(async (transaction) => bound?.keep(transaction));
    await put(mia.uid, { displayName: "Mia M.", reason: "Asked for it" });
    const answer = await shop.call("GET", "/api/auth/me/export", { as: mia });
    expect(answer.headers.get("Content-Disposition")).toContain("my-data.json");
    expect(answer.body).toMatchObject({
      exportedAt: TEST_NOW.toISOString(),
      profile: { uid: mia.uid, email: mia.email, display_name: "Mia M." },
      signIn: { passwordEmail: mia.email, providers: [] },
      payoutHandles: [{ method: "venmo", handle: "@mia" }],
      notes: ["Asked for it"],
      changes: [{ what: "UserRenamed", description: "Name: Mia to Mia M.", before: "Mia" }],
      sales: [{ itemName: "Thing", payoutCents: 1_234 }],
      ledger: [{ description: "Thing sold (custom sale)", availableChangeCents: 1_234 }],
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/argon2|max@people|9999/u);
  });
});

describe("deleting", () => {
  test("ends access on the next call and leaves the ledger's lines to a deleted user", async () => {
    const kit = await shop.person("Kit");
    await sell(kit, 1_000, TEST_NOW.toISOString());
    expect(await remove(kit.uid)).toMatchObject({
      status: 409,
      body: {
        error: "user_not_settled",
        message: "This user cannot be deleted yet: $10.00 of balance left",
        current: { balanceCents: 1_000 },
      },
    });
    await setTo(kit, 0);
    expect(await remove(kit.uid)).toMatchObject({ status: 200, body: { uid: kit.uid } });
    expect(await shop.call("GET", "/api/auth/me", { as: kit })).toMatchObject({
      status: 403,
      body: { error: "account_deactivated" },
    });
    expect((await shop.call("GET", `/api/auth/users/${kit.uid}`, { as: boss })).body).toMatchObject(
      { deactivated: true, email: null, displayName: null },
    );
    expect(await shop.deps.profiles.displayNames([kit.uid])).toEqual(
      new Map([[kit.uid, "Deleted user"]]),
    );
    expect(await remove(kit.uid)).toMatchObject({ status: 409, body: { error: "user_deleted" } });
    expect(await put(kit.uid, { role: "admin" })).toMatchObject({ status: 409 });
  });

  test("is refused for oneself and for an unknown user", async () => {
    expect(await remove(boss.uid)).toMatchObject({ status: 409, body: { error: "own_account" } });
    expect(await remove("nobody-nobody-nobody")).toMatchObject({ status: 404 });
  });

  test("leaves books that verify and explain every change, and finds a role that was changed by hand", async () => {
    await shop.runner.catchUp();
    const verify = async (options: { withoutReplay?: true } = {}) => {
      const { sql } = shop.database;
      const books = { sql, streams, events, projections, heads: [], checks: userChecks };
      return (await verifyBooks({ ...books, ...options })).problems;
    };
    expect(await verify()).toEqual([]);
    expect(await unexplainedEvents(shop.database.sql)).toEqual([]);
    await shop.database.ownerSql`
      update identity.profiles set role = 'user' where uid = ${boss.uid}`;
    expect(await verify({ withoutReplay: true })).toMatchObject([
      {
        check: "users",
        message: expect.stringContaining(`row ${boss.uid}: user, but the log says admin`),
      },
    ]);
    await shop.database.ownerSql`
      update identity.profiles set role = 'admin' where uid = ${boss.uid}`;
  });
});
