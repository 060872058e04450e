// An email that an admin changes: the old address is told, sessions end, and another admin's waits for both addresses.
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askEmailChange } from "#identity/email-changes.ts";
import { giveRole } from "#testing/shop/people.ts";
import { createLetterBox } from "#testing/service/letter-box.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const password = "open sesame";

const box = createLetterBox();
const { letters } = box;

let shop: TestApp;
let boss: TestPerson;
let count = 0;

beforeAll(async () => {
  shop = await openTestApp({ mailer: box.mailer });
  boss = await shop.person("Boss", "admin");
});

beforeEach(async () => {
  box.empty();
  await shop.database.sql`delete from identity.rate_limits`;
  boss = { ...boss, token: await shop.identity.issueTokenFor(boss.uid) };
});

afterAll(() => shop.close());

/** Somebody with a verified address and a browser. */
async function person(role: "user" | "admin" = "user") {
  const email = `changing-${(count += 1)}@people.test`;
  const browser = visitorOf(shop);
  const uid = textIn(await browser.enter("/api/identity/sign-up", { email, password }), "uid");
  await shop.database.sql`
    update identity.profiles set email_verified_at = now() where uid = ${uid}`;
  if (role === "admin") {
    await giveRole(shop.deps, uid, "admin");
  }
  return { uid, email, next: `next-${count}@people.test`, browser };
}

const change = (uid: string, body: object, headers: Record<string, string> = {}) =>
  shop.call("PUT", `/api/auth/users/${uid}`, { as: boss, body, headers });
const waiting = async (uid: string) =>
  (await shop.call("GET", `/api/auth/users/${uid}/email-change`, { as: boss })).body;
const follow = (call: "agree" | "stop", token: string) =>
  shop.call("POST", `/api/identity/email-change/${call}`, { body: { token } });
const calls = async (browser: Visitor) => (await browser.send("GET", "/api/auth/me")).status;
const signIn = async (email: string) =>
  (await visitorOf(shop).enter("/api/identity/sign-in", { email, password })).status;

/** The token of the newest letter to this address. */
function linkTo(address: string): string {
  const letter = letters.findLast(({ to }) => to === address);
  return letter?.action.url.split("#token=")[1] ?? "";
}

describe("a consignor's email", () => {
  test("changes at once, unverified; the old address gets a letter, and every session ends", async () => {
    const { uid, email, next, browser } = await person();
    const answer = await change(uid, { email: next });
    expect(answer).toMatchObject({
      status: 200,
      body: { emailWaits: false, user: { email: next, emailVerified: false } },
    });
    expect(letters).toMatchObject([{ to: email }]);
    expect(JSON.stringify(letters)).not.toContain(next);
    expect(await calls(browser)).toBe(401);
    expect((await browser.send("POST", "/api/identity/refresh", {})).status).toBe(401);
    expect([await signIn(email), await signIn(next)]).toEqual([400, 200]);
  });

  test("stays, with its sessions, if the letter cannot be sent", async () => {
    const { uid, email, next, browser } = await person();
    box.setDown(true);
    expect(await change(uid, { email: next })).toMatchObject({
      status: 503,
      body: { error: "mail_unavailable" },
    });
    expect([await calls(browser), await signIn(email)]).toEqual([200, 200]);
  });

  test("needs an admin who signed in lately or confirmed who they are", async () => {
    const { uid, next } = await person();
    shop.advance(11 * 60_000);
    expect(await change(uid, { email: next })).toMatchObject({
      status: 403,
      body: { error: "confirmation_required" },
    });
    expect(letters).toEqual([]);
  });

  test("is told once, however often the same request is repeated or rehearsed", async () => {
    const { uid, next } = await person();
    const key = { "Idempotency-Key": `email-of-${uid}` };
    await change(uid, { email: next }, { "Ledger-Rehearsal": "true" });
    expect(letters).toEqual([]);
    await change(uid, { email: next }, key);
    const browser = visitorOf(shop);
    await browser.enter("/api/identity/sign-in", { email: next, password });
    expect((await change(uid, { email: next }, key)).status).toBe(200);
    expect(letters).toHaveLength(1);
    expect(await calls(browser)).toBe(200);
  });

  test("that another change leaves alone ends no session", async () => {
    const { uid, email, browser } = await person();
    expect((await change(uid, { email, displayName: "Avery" })).status).toBe(200);
    expect([letters.length, await calls(browser)]).toEqual([0, 200]);
  });
});

describe("another admin's email", () => {
  test("changes only when the new and the old address have agreed, in either order", async () => {
    for (const order of [
      ["next", "email"],
      ["email", "next"],
    ] as const) {
      const admin = await person("admin");
      const { uid, email, next, browser } = admin;
      const displayName = `Deputy ${order[0]}`;
      expect(await change(uid, { email: next, displayName })).toMatchObject({
        status: 200,
        body: { emailWaits: true, user: { email, emailVerified: true, displayName } },
      });
      expect(letters.slice(-2).map(({ to }) => to)).toEqual([next, email]);
      expect(await waiting(uid)).toMatchObject({
        waiting: { email: next, newAgreed: false, oldAgreed: false },
      });
      const [first, second] = [linkTo(admin[order[0]]), linkTo(admin[order[1]])];
      expect(await follow("agree", first)).toMatchObject({
        status: 200,
        body: { email: next, changed: false, waitsFor: order[1] === "next" ? "new" : "old" },
      });
      expect((await follow("agree", first)).status).toBe(200);
      expect([await calls(browser), await signIn(email)]).toEqual([200, 200]);
      expect(await follow("agree", second)).toMatchObject({ body: { changed: true } });
      expect(await waiting(uid)).toEqual({ waiting: null });
      expect(await calls(browser)).toBe(401);
      expect([await signIn(email), await signIn(next)]).toEqual([400, 200]);
      const { body } = await shop.call("GET", `/api/auth/users/${uid}`, { as: boss });
      expect(body).toMatchObject({ email: next, emailVerified: true });
      expect((await follow("agree", second)).status).toBe(400);
      const changes = await shop.call("GET", `/api/auth/users/${uid}/changes`, { as: boss });
      expect(changes.body).toMatchObject({
        changes: [{ kind: "email", actor: { uid: boss.uid } }, {}, {}],
      });
    }
  });

  test.each(["email", "next"] as const)(
    "stays if the link to the %s address stops it",
    async (side) => {
      const admin = await person("admin");
      await change(admin.uid, { email: admin.next });
      const [old, fresh] = [linkTo(admin.email), linkTo(admin.next)];
      expect((await follow("agree", fresh)).status).toBe(200);
      expect((await follow("stop", side === "email" ? old : fresh)).status).toBe(200);
      expect(await follow("agree", old)).toMatchObject({ body: { error: "email_change_invalid" } });
      expect([await calls(admin.browser), await signIn(admin.email)]).toEqual([200, 200]);
    },
  );

  test("stays if an admin takes the change back, if it is too old, or if the one who asked is not an admin by then", async () => {
    const stopped = await person("admin");
    await change(stopped.uid, { email: stopped.next });
    await shop.call("DELETE", `/api/auth/users/${stopped.uid}/email-change`, { as: boss });
    expect((await follow("agree", linkTo(stopped.next))).status).toBe(400);

    const asker = await shop.person(`Asker ${count}`, "admin");
    const target = await person("admin");
    await shop.call("PUT", `/api/auth/users/${target.uid}`, {
      as: asker,
      body: { email: target.next },
    });
    await giveRole(shop.deps, asker.uid, "user");
    await follow("agree", linkTo(target.next));
    expect(await follow("agree", linkTo(target.email))).toMatchObject({
      body: { error: "email_change_invalid" },
    });

    const late = await person("admin");
    await change(late.uid, { email: late.next });
    shop.advance(3 * 86_400_000);
    expect((await follow("agree", linkTo(late.next))).status).toBe(400);
    for (const { email } of [stopped, target, late]) {
      expect(await signIn(email)).toBe(200);
    }
  });

  test("is asked for once, and nothing waits if a letter cannot be sent", async () => {
    const { uid, next } = await person("admin");
    box.setDown(true);
    expect(await change(uid, { email: next })).toMatchObject({ status: 503 });
    expect(await waiting(uid)).toEqual({ waiting: null });
    box.setDown(false);
    await change(uid, { email: next });
    await change(uid, { email: next });
    expect(letters).toHaveLength(2);
  });

  test("that cannot be asked for leaves the change of role beside it in the security log", async () => {
    const { uid, next } = await person("admin");
    box.setDown(true);
    expect(await change(uid, { role: "user", email: next })).toMatchObject({ status: 503 });
    box.setDown(false);
    await shop.identity.parts.securityLog.flush();
    const kinds = await shop.database.sql`
      select kind from security.log where uid = ${uid} and by_uid = ${boss.uid}`;
    expect(kinds).toEqual([{ kind: "role-changed" }]);
  });

  test("is the one that was asked for last, if two admins ask at once", async () => {
    const { uid, next } = await person("admin");
    const { sql } = shop.database;
    const ask = (on: typeof sql | TransactionSql, email: string) =>
      askEmailChange(on, shop.deps.clock(), {
        uid,
        email,
        askedBy: boss.uid,
        hasOldAddress: true,
      });
    const asked = await sql.begin(async (transaction) => {
      const first = await ask(transaction, `other-${next}`);
      const second = ask(sql, next);
      await expect
        .poll(
          () => sql`
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        )
        .toHaveLength(1);
      return { first, second };
    });
    const second = await asked.second;
    expect(await waiting(uid)).toMatchObject({ waiting: { email: next } });
    expect((await follow("agree", asked.first?.newToken ?? "")).status).toBe(400);
    expect((await follow("agree", second?.newToken ?? "")).status).toBe(200);
  });

  test("changes once, if both links are opened at the same time", async () => {
    const { uid, email, next } = await person("admin");
    await change(uid, { email: next });
    const answers = await Promise.all(
      [email, next, email, next].map((address) => follow("agree", linkTo(address))),
    );
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const { body } = await shop.call("GET", `/api/auth/users/${uid}/changes`, { as: boss });
    const kinds = (Reflect.get(Object(body), "changes") as { kind: string }[]).map(
      ({ kind }) => kind,
    );
    expect(kinds.filter((kind) => kind === "email")).toHaveLength(1);
    expect(await signIn(next)).toBe(200);
  });

  test("waits for both addresses also for 30 days after another admin took the role, of which a letter tells", async () => {
    const { uid, email, next, browser } = await person("admin");
    box.setDown(true);
    const key = { "Idempotency-Key": `role-of-${uid}` };
    await change(uid, { role: "user" }, { "Ledger-Rehearsal": "true" });
    expect((await change(uid, { role: "user" }, key)).status).toBe(200);
    box.setDown(false);
    await change(uid, { role: "admin" });
    await change(uid, { role: "user" });
    await change(uid, { role: "user" });
    const own = letters.filter(({ to }) => to === email);
    expect(own.map(({ to, subject }) => [to, subject])).toEqual([
      [email, expect.stringContaining("no longer an admin")],
    ]);
    expect(await change(uid, { email: next })).toMatchObject({
      status: 200,
      body: { emailWaits: true, user: { email } },
    });
    await change(uid, { role: "admin" });
    expect([await calls(browser), await signIn(email)]).toEqual([200, 200]);

    const former = await person("admin");
    await change(former.uid, { role: "user" });
    shop.advance(30 * 86_400_000 + 1_000);
    boss = { ...boss, token: await shop.identity.issueTokenFor(boss.uid) };
    expect(await change(former.uid, { email: former.next })).toMatchObject({
      body: { emailWaits: false },
    });
  });

  test("does not change to an address that somebody else has got in the meantime", async () => {
    const { uid, email, next } = await person("admin");
    await change(uid, { email: next });
    await visitorOf(shop).enter("/api/identity/sign-up", { email: next, password });
    await follow("agree", linkTo(email));
    expect(await follow("agree", linkTo(next))).toMatchObject({
      status: 409,
      body: { error: "email_already_in_use" },
    });
    expect(await signIn(email)).toBe(200);
  });
});

test("an admin's own email is changed like a consignor's", async () => {
  const { uid, email, next, browser } = await person("admin");
  const answer = await browser.send("PUT", `/api/auth/users/${uid}`, { email: next });
  expect(answer).toMatchObject({ status: 200, body: { emailWaits: false } });
  expect(letters).toMatchObject([{ to: email }]);
  expect([await calls(browser), await signIn(next)]).toEqual([401, 200]);
});

describe("an admin", () => {
  test("sees a person's sessions and ends one of them, or all", async () => {
    const { uid, email, browser } = await person();
    const phone = visitorOf(shop);
    await phone.enter("/api/identity/sign-in", { email, password });
    const path = `/api/auth/users/${uid}/sessions`;
    const { body } = await shop.call("GET", path, { as: boss });
    const sessions = Reflect.get(Object(body), "sessions") as { id: string; isCurrent: boolean }[];
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, false]);
    const own = await phone.send("GET", "/api/identity/sessions");
    const current = (Reflect.get(Object(own.body), "sessions") as typeof sessions).find(
      (session) => session.isCurrent,
    );
    const end = (id: string) => shop.call("DELETE", `${path}/${id}`, { as: boss });
    expect((await end(current?.id ?? "")).status).toBe(200);
    expect([await calls(phone), await calls(browser)]).toEqual([401, 200]);
    expect((await end(current?.id ?? "")).status).toBe(404);
    expect((await shop.call("DELETE", path, { as: boss })).body).toEqual({ ended: 1 });
    expect(await calls(browser)).toBe(401);
  });
});
