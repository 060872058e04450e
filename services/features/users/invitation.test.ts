// Inviting a consignor: the account exists at once, and its letter's link makes it theirs, once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { userChecks } from "#features/users/checks.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { events, projections, streams } from "../../features.ts";
import { createEntrance } from "#identity/provider-people.ts";
import { newUid } from "#identity/accounts.ts";
import { inviteAgain } from "#identity/invitations.ts";
import { lockAddress, lockProfile } from "#identity/lock-order.ts";
import { hashOf } from "#identity/secrets.ts";
import { createLetterBox } from "#testing/service/letter-box.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { visitorOf } from "#testing/service/visitor.ts";

const password = "a drawer of spoons";

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
});

afterAll(() => shop.close());

const invited = z.object({ uid: z.string(), sent: z.boolean() });

async function invite(email = `invited-${(count += 1)}@people.test`) {
  const body = { email, displayName: "Ida Invited" };
  const answer = await shop.call("POST", "/api/auth/invitations", { as: boss, body });
  expect(answer.status).toBe(200);
  return { email, ...invited.parse(answer.body) };
}

/** The token of the last letter. */
const token = () => /invitation=([\w-]+)$/u.exec(letters.at(-1)?.action.url ?? "")?.[1] ?? "";
const find = (link = token()) =>
  shop.call("POST", "/api/identity/invitation", { body: { token: link } });
const accept = (username: string, link = token()) =>
  shop.call("POST", "/api/identity/invitation/accept", {
    body: { token: link, username, password },
  });
const invitationOf = (method: "GET" | "POST" | "DELETE", uid: string) =>
  shop.call(method, `/api/auth/users/${uid}/invitation`, { as: boss });
const signIn = (email: string) =>
  visitorOf(shop).enter("/api/identity/sign-in", { email, password });
const notes = (uid: string) => shop.database.sql`
  select kind, outcome from security.log where uid = ${uid} order by kind`;

describe("an invitation", () => {
  test("makes an account at once, and its link makes it theirs with a username and a password", async () => {
    const { uid, email } = await invite();
    const list = await shop.call("GET", "/api/auth/search?q=ida", { as: boss });
    expect(list.body).toMatchObject({ users: [{ uid, email, emailVerified: false }] });
    expect(letters).toMatchObject([{ to: email, action: { label: "Open your account" } }]);
    expect((await find()).body).toEqual({ email, displayName: "Ida Invited", username: null });

    expect(await accept("ida-1")).toMatchObject({ status: 200, body: { email } });
    const me = await shop.call("GET", `/api/auth/users/${uid}`, { as: boss });
    expect(me.body).toMatchObject({ uid, username: "ida-1", emailVerified: true, role: "user" });
    expect(await signIn(email)).toMatchObject({ status: 200, body: { uid } });
    expect((await invitationOf("GET", uid)).body).toEqual({ canSignIn: true, invitation: null });
    expect(await notes(uid)).toMatchObject([
      { kind: "invitation-accepted", outcome: "ok" },
      { kind: "invitation-sent", outcome: "ok" },
      { kind: "sign-in", outcome: "ok" },
    ]);
  });

  test("works once, also if the link is opened twice at the same time", async () => {
    await invite();
    const link = token();
    const answers = await Promise.all([accept("twice-1", link), accept("twice-2", link)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(await find(link)).toMatchObject({ status: 400, body: { error: "invitation_invalid" } });
  });

  test("with a taken username or an easy password changes nothing, and the link still works", async () => {
    const first = await invite();
    await accept("taken-name");
    const { uid } = await invite();
    expect(await accept("taken-name")).toMatchObject({
      status: 409,
      body: { error: "username_taken" },
    });
    const easy = { token: token(), username: "some-name", password: "password" };
    const refused = await shop.call("POST", "/api/identity/invitation/accept", { body: easy });
    expect(refused).toMatchObject({ status: 400, body: { error: "password_too_common" } });
    expect((await invitationOf("GET", uid)).body).toMatchObject({ canSignIn: false });
    expect(first.uid).not.toBe(uid);
    expect((await accept("some-name")).status).toBe(200);
  });

  test("is not made for an address that the person had a moment ago", async () => {
    const { uid, email } = await invite();
    await shop.database.sql`
      update identity.profiles set email = 'newer@people.test' where uid = ${uid}`;
    const again = { email, invitedBy: boss.uid };
    expect(await inviteAgain(shop.deps.sql, shop.deps.clock(), uid, again)).toBe("changed");
    const newer = { ...again, email: "newer@people.test" };
    expect(await inviteAgain(shop.deps.sql, shop.deps.clock(), uid, newer)).toBe("invited");
  });

  test("ends after seven days and can be sent again; each letter works until one is used", async () => {
    const { uid } = await invite();
    const old = token();
    await shop.database.sql`
      update identity.mail_links set expires_at = ${shop.deps.clock()} where uid = ${uid}`;
    expect((await find(old)).status).toBe(400);
    expect((await invitationOf("GET", uid)).body).toMatchObject({
      invitation: { invitedBy: "Boss", expiresAt: null },
    });
    expect((await invitationOf("POST", uid)).status).toBe(200);
    expect((await accept("again-1")).status).toBe(200);
  });

  test("that is revoked has no link that works, and the account stays", async () => {
    const { uid, email } = await invite();
    const link = token();
    expect((await invitationOf("DELETE", uid)).body).toEqual({
      canSignIn: false,
      invitation: null,
    });
    expect((await find(link)).status).toBe(400);
    expect((await shop.call("GET", `/api/auth/users/${uid}`, { as: boss })).body).toMatchObject({
      email,
    });
    expect((await invitationOf("POST", uid)).status).toBe(200);
    expect((await find()).status).toBe(200);
  });

  test("is refused for an address that somebody has, and names that account", async () => {
    const { uid, email } = await invite();
    const body = { email: email.toUpperCase() };
    const again = await shop.call("POST", "/api/auth/invitations", { as: boss, body });
    expect(again).toMatchObject({
      status: 409,
      body: { error: "email_already_invited", current: { uid } },
    });
    await accept("here-already");
    expect((await invitationOf("POST", uid)).body).toMatchObject({ error: "can_sign_in" });
  });

  test("whose letter cannot be sent leaves the account, and the letter can be sent later", async () => {
    box.setDown(true);
    const { uid, sent } = await invite();
    expect(sent).toBe(false);
    expect((await invitationOf("POST", uid)).status).toBe(503);
    box.setDown(false);
    expect((await invitationOf("POST", uid)).body).toMatchObject({ canSignIn: false });
  });

  test("sends at most five letters an hour to one person", async () => {
    const { uid } = await invite();
    const statuses = [];
    for (let nth = 0; nth < 6; nth += 1) {
      statuses.push((await invitationOf("POST", uid)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test("is revoked before the email or the role changes: no admin's account and no other address has an open link", async () => {
    const { uid } = await invite();
    const change = async (body: object) => {
      const as = { ...boss, token: await shop.identity.issueTokenFor(boss.uid) };
      return shop.call("PUT", `/api/auth/users/${uid}`, { as, body });
    };
    const email = `moved-${(count += 1)}@people.test`;
    for (const body of [{ email }, { role: "admin" }]) {
      expect(await change(body)).toMatchObject({ status: 409, body: { error: "invitation_open" } });
    }
    expect((await change({ displayName: "Ida Renamed" })).status).toBe(200);
    expect((await find()).body).toMatchObject({ displayName: "Ida Renamed" });
    await invitationOf("DELETE", uid);
    expect((await change({ email, role: "admin" })).status).toBe(200);
    expect(await invitationOf("POST", uid)).toMatchObject({
      status: 409,
      body: {
        error: "admin_not_invited",
        message: "Admins cannot be invited. Remove the admin role first",
      },
    });
  });
});

describe("the address of somebody who was invited", () => {
  test("cannot be signed up with, and a password reset sends another letter of the invitation", async () => {
    const { uid, email } = await invite();
    const visitor = visitorOf(shop);
    expect(await visitor.enter("/api/identity/sign-up", { email, password })).toMatchObject({
      body: { error: "email_already_in_use" },
    });
    box.empty();
    expect(await visitor.enter("/api/identity/password-reset", { email })).toMatchObject({
      status: 200,
      body: { sent: true },
    });
    expect((await accept("by-reset")).status).toBe(200);
    expect(await signIn(email)).toMatchObject({ body: { uid } });
  });

  test("gets no link by a password reset that works longer than the admin's, and none after its end", async () => {
    const { uid, email } = await invite();
    const reset = () => visitorOf(shop).enter("/api/identity/password-reset", { email });
    const endsAt = (time: Date) => shop.database.sql`
      update identity.mail_links set expires_at = ${time} where uid = ${uid}`;
    const end = new Date(shop.deps.clock().getTime() + 60_000);
    await endsAt(end);
    expect((await reset()).status).toBe(200);
    expect((await invitationOf("GET", uid)).body).toMatchObject({
      invitation: { expiresAt: end.toISOString() },
    });
    await endsAt(shop.deps.clock());
    box.empty();
    expect(await reset()).toMatchObject({ status: 409, body: { error: "invitation_ended" } });
    expect(letters).toEqual([]);
  });

  test("opens no account by Google after a restore: the invitation may have been revoked, so an admin sends or revokes it again", async () => {
    const { uid, email } = await invite();
    const enter = createEntrance(shop.database.sql, shop.deps.clock);
    const person = {
      issuer: "https://accounts.google.test",
      subject: `restored-${count}`,
      email,
      emailVerified: true,
      displayName: "Ida",
    };
    shop.advance(1_000);
    await shop.database.sql`
      update identity.profiles set sessions_ended_at = ${shop.deps.clock()} where uid = ${uid}`;
    const mayBeRevoked = { invitation: { mayBeRevoked: true } };
    expect((await invitationOf("GET", uid)).body).toMatchObject(mayBeRevoked);
    expect(await enter(person)).toEqual({ kind: "invitation-ended", uid });
    expect(await visitorOf(shop).enter("/api/identity/sign-up", { email, password })).toMatchObject(
      { body: { error: "email_already_in_use" } },
    );

    shop.advance(1_000);
    const sentAgain = { invitation: { mayBeRevoked: false } };
    expect((await invitationOf("POST", uid)).body).toMatchObject(sentAgain);
    expect(await enter(person)).toMatchObject({ kind: "entered", uid });
  });

  test("cannot be signed up with while an invitation of it is being made", async () => {
    const email = `race-${(count += 1)}@people.test`;
    const { sql } = shop.database;
    let signUp: ReturnType<typeof signIn> | undefined;
    await sql.begin(async (transaction) => {
      // What createInvited does, stopped before it is committed.
      await lockAddress(transaction, email);
      const uid = newUid();
      await transaction`
        insert into identity.profiles (uid, email, created_at) values (${uid}, ${email}, now())`;
      await transaction`
        insert into identity.invitations (uid, email_hash, invited_by, invited_at)
        values (${uid}, ${hashOf(email)}, ${boss.uid}, now())`;
      let isDone = false;
      signUp = visitorOf(shop).enter("/api/identity/sign-up", { email, password });
      void signUp.finally(() => {
        isDone = true;
      });
      await expect
        .poll(async () => {
          const waiting = await sql`
            select from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`;
          return isDone || waiting.length > 0;
        })
        .toBe(true);
    });
    expect(await signUp).toMatchObject({ body: { error: "email_already_in_use" } });
  });

  test("can be accepted while the person signs in with Google: both open the same account", async () => {
    const { uid, email } = await invite();
    const { sql } = shop.database;
    const waiting = async () => {
      const rows = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.length;
    };
    const enter = createEntrance(sql, shop.deps.clock);
    const google = { issuer: "https://idp.test", subject: `both-${uid}`, displayName: "Ida" };
    const both = await sql.begin(async (transaction) => {
      // Holds up the acceptance in its middle, until the sign-in has begun too.
      await lockProfile(transaction, uid);
      const accepted = accept("both-at-once");
      await expect.poll(waiting).toBe(1);
      const entered = enter({ ...google, email, emailVerified: true });
      await expect.poll(waiting).toBe(2);
      return { accepted, entered };
    });
    expect(await both.entered).toMatchObject({ kind: "entered", uid });
    expect(await both.accepted).toMatchObject({ status: 200, body: { email } });
  });

  test("opens the account too when Google or Discord has verified it, and only then", async () => {
    const { uid, email } = await invite();
    const enter = createEntrance(shop.database.sql, shop.deps.clock);
    const person = { issuer: "https://idp.test", email, displayName: "Ida" };
    const stranger = await enter({ ...person, subject: "stranger", emailVerified: false });
    expect(stranger).not.toMatchObject({ uid });
    await shop.database.sql`update identity.profiles set session_epoch = 1 where uid = ${uid}`;
    const owner = await enter({ ...person, subject: "owner", emailVerified: true });
    expect(owner).toMatchObject({ kind: "entered", uid, epoch: 1 });
    expect((await find()).status).toBe(400);
  });
});

test("an invitation ends once the account has a way to sign in, by whatever way it came", async () => {
  const enter = createEntrance(shop.database.sql, shop.deps.clock);
  const byProvider = await invite();
  await shop.database
    .sql`update identity.profiles set email_verified_at = now() where uid = ${byProvider.uid}`;
  await enter({
    issuer: "https://idp.test",
    subject: "again",
    email: byProvider.email,
    emailVerified: true,
    displayName: "Ida",
  });
  const byScript = await invite();
  await shop.identity.ensureUser({ email: byScript.email, password });
  for (const { uid } of [byProvider, byScript]) {
    expect((await invitationOf("GET", uid)).body).toEqual({ canSignIn: true, invitation: null });
  }
});

async function problems() {
  const { sql } = shop.database;
  const books = { sql, streams, events, projections, heads: [], checks: userChecks };
  return (await verifyBooks({ ...books, withoutReplay: true })).problems.map(
    ({ check, message }) => `${check}: ${message}`,
  );
}

test("verify finds invitations that no admin can have made", async () => {
  const { uid } = await invite();
  const { ownerSql } = shop.database;
  await shop.runner.catchUp();
  expect(await problems()).toEqual([]);
  const eve = await shop.person("Eve");
  await shop.runner.catchUp();
  await ownerSql`update identity.invitations set invited_by = ${eve.uid} where uid = ${uid}`;
  await ownerSql`
    insert into identity.invitations (uid, email_hash, invited_by, invited_at)
    values (${boss.uid}, sha256('thief@people.test'), 'nobody', now())`;
  await ownerSql`
    insert into identity.credentials (uid, email, password_hash, updated_at)
    values (${boss.uid}, 'boss@people.test', 'none', now()) on conflict do nothing`;
  const row = (of: string) => `users: identity.invitations, row ${of}: `;
  expect((await problems()).toSorted()).toEqual(
    [
      `${row(uid)}invited by ${eve.uid}, who was never an admin`,
      `${row(boss.uid)}invited by nobody, who was never an admin`,
      `${row(boss.uid)}is for another address than the profile's`,
      `${row(boss.uid)}the account has a sign-in of its own, so nobody is invited to it`,
    ].toSorted(),
  );
});
