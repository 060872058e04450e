// Mailed links verify addresses and set new passwords: once, in time, and only for their recipient.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultAttemptRules } from "#features/sign-in/attempts.ts";
import { MailUnavailable } from "#mail/mailer.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [],
    projections: [],
    attemptRules: {
      ...defaultAttemptRules,
      resetsByAddress: { attempts: 1_000, perSeconds: 60 },
      signUpsByAddress: { attempts: 1_000, perSeconds: 60 },
    },
  });
});

afterAll(() => shop.close());

let count = 0;
const password = "open sesame";

/** A person who has just signed up. */
async function newcomer(
  email = `mail-${(count += 1)}@people.test`,
): Promise<{ visitor: Visitor; email: string; uid: string }> {
  const visitor = visitorOf(shop);
  const answer = await visitor.enter("/api/identity/sign-up", { email, password });
  expect(answer.status).toBe(200);
  return { visitor, email, uid: textIn(answer, "uid") };
}

/** The token in the last mail to this address. */
function tokenFor(email: string): string {
  const letter = shop.letters.findLast(({ to }) => to === email);
  return (
    /^http:\/\/app\.test\/[a-z-]+#token=([\w-]{43})$/.exec(letter?.action.url ?? "")?.[1] ?? ""
  );
}

const signIn = (email: string, word: string, visitor = visitorOf(shop)) =>
  visitor.enter("/api/identity/sign-in", { email, password: word });
const me = (visitor: Visitor) => visitor.send("GET", "/api/identity/account");
const post = (visitor: Visitor, path: string, body: object) =>
  visitor.send("POST", `/api/identity/${path}`, body);

async function forget(email: string, visitor = visitorOf(shop)): Promise<string> {
  expect(await post(visitor, "password-reset", { email })).toMatchObject({
    status: 200,
    body: { sent: true },
  });
  return tokenFor(email);
}
const confirmReset = (token: string, word = "a new password", visitor = visitorOf(shop)) =>
  post(visitor, "password-reset/confirm", { token, password: word });

const badLink = { status: 400, body: { error: "reset_link_invalid" } };

describe("an e-mail is verified", () => {
  async function ask({ visitor, email }: { visitor: Visitor; email: string }): Promise<string> {
    expect((await post(visitor, "verify-email", {})).status).toBe(200);
    return tokenFor(email);
  }
  const confirm = (visitor: Visitor, token: string) =>
    post(visitor, "verify-email/confirm", { token });
  const invalid = { status: 400, body: { error: "verification_link_invalid" } };

  test("by the link that was mailed to it, once", async () => {
    const person = await newcomer();
    expect((await me(person.visitor)).body).toMatchObject({ emailVerified: false });
    const token = await ask(person);
    expect(await confirm(person.visitor, token)).toMatchObject({
      status: 200,
      body: { email: person.email, emailVerified: true },
    });
    expect((await me(person.visitor)).body).toMatchObject({ emailVerified: true });
    expect(await confirm(person.visitor, token)).toMatchObject(invalid);
    expect(await post(person.visitor, "verify-email", {})).toMatchObject({
      status: 409,
      body: { error: "email_already_verified" },
    });
  });

  test("by an earlier mail too: a second request does not invalidate the first", async () => {
    const person = await newcomer();
    const first = await ask(person);
    await ask(person);
    expect((await confirm(person.visitor, first)).status).toBe(200);
  });

  test("but not by its owner's click if a stranger signed up with it", async () => {
    const stranger = await newcomer("owner-of-this@people.test");
    const token = await ask(stranger);
    const owner = await newcomer();
    expect(await confirm(owner.visitor, token)).toMatchObject({
      status: 403,
      body: { error: "verification_link_foreign" },
    });
    expect((await confirm(visitorOf(shop), token)).status).toBe(401);
    expect((await me(stranger.visitor)).body).toMatchObject({ emailVerified: false });
  });

  test("but not after a day, not if the address has changed since, and not by another kind of link", async () => {
    const person = await newcomer();
    const token = await ask(person);
    const other = await forget(person.email);
    expect(await confirm(person.visitor, other)).toMatchObject(invalid);
    await shop.database.sql`
      update identity.profiles set email = 'changed@people.test' where uid = ${person.uid}`;
    expect(await confirm(person.visitor, token)).toMatchObject(invalid);
    const late = await newcomer();
    const lateToken = await ask(late);
    shop.advance(86_401_000);
    await signIn(late.email, password, late.visitor);
    expect(await confirm(late.visitor, lateToken)).toMatchObject(invalid);
  });

  test("for one person only, even if two open their mails at once", async () => {
    const first = await newcomer("both@people.test");
    const second = await newcomer("second-of-both@people.test");
    await shop.database.sql`
      update identity.profiles set email = 'both@people.test' where uid = ${second.uid}`;
    const tokens = [await ask(first), await ask({ ...second, email: "both@people.test" })];
    const answers = await Promise.all([
      confirm(first.visitor, tokens[0] ?? ""),
      confirm(second.visitor, tokens[1] ?? ""),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: "email_verified_elsewhere",
    });
  });
});

describe("a forgotten password", () => {
  test("can be replaced with the mail's link, which ends every session at once", async () => {
    const person = await newcomer();
    const phone = visitorOf(shop);
    await signIn(person.email, password, phone);
    const token = await forget(person.email);
    expect(await confirmReset(token)).toMatchObject({ status: 200, body: { reset: true } });
    for (const { send } of [person.visitor, phone]) {
      expect((await send("GET", "/api/identity/account")).status).toBe(401);
      expect((await send("POST", "/api/identity/refresh", {})).status).toBe(401);
    }
    expect(await signIn(person.email, password)).toMatchObject({
      body: { error: "wrong_password" },
    });
    expect((await signIn(person.email, "a new password")).status).toBe(200);
  });

  test("verifies the e-mail as well, so an account that a stranger made with it becomes the owner's", async () => {
    const stranger = await newcomer("squatted@people.test");
    await confirmReset(await forget("squatted@people.test"), "of the owner");
    const owner = visitorOf(shop);
    await signIn("squatted@people.test", "of the owner", owner);
    expect((await me(owner)).body).toMatchObject({ emailVerified: true });
    expect((await me(stranger.visitor)).status).toBe(401);
    expect((await post(stranger.visitor, "refresh", {})).status).toBe(401);
  });

  test("can be replaced once by one mail, which invalidates the other mails", async () => {
    const { email } = await newcomer();
    const [first, second] = [await forget(email), await forget(email)];
    expect((await confirmReset(first)).status).toBe(200);
    expect(await confirmReset(first)).toMatchObject(badLink);
    expect(await confirmReset(second)).toMatchObject(badLink);
    expect((await signIn(email, "a new password")).status).toBe(200);
  });

  test("is replaced only once by two concurrent calls with the same mail", async () => {
    const { email } = await newcomer();
    const token = await forget(email);
    const answers = await Promise.all(
      ["password one", "password two"].map((word) => confirmReset(token, word)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const winner = answers[0]?.status === 200 ? "password one" : "password two";
    expect((await signIn(email, winner)).status).toBe(200);
  });

  test("cannot be replaced after an hour, by a made-up link, or by one that verifies an address", async () => {
    const person = await newcomer();
    await post(person.visitor, "verify-email", {});
    expect(await confirmReset(tokenFor(person.email))).toMatchObject(badLink);
    expect(await confirmReset("A".repeat(43))).toMatchObject(badLink);
    const token = await forget(person.email);
    shop.advance(3_601_000);
    expect(await confirmReset(token)).toMatchObject(badLink);
    expect((await signIn(person.email, password)).status).toBe(200);
  });

  test("has the specification's refusals", async () => {
    const { email } = await newcomer();
    expect(await post(visitorOf(shop), "password-reset", { email: "nobody@x.test" })).toMatchObject(
      { status: 400, body: { message: "No account found with this email." } },
    );
    expect(await post(visitorOf(shop), "password-reset", { email: "nobody" })).toMatchObject({
      status: 400,
      body: { message: "Invalid email address." },
    });
    expect(await confirmReset(await forget(email), "12345")).toMatchObject({
      status: 400,
      body: { message: "Password should be at least 6 characters." },
    });
  });

  test("sends a link that the requester cannot lead elsewhere", async () => {
    const { email } = await newcomer();
    const asked = await shop.app.request("http://evil.test/api/identity/password-reset", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Host: "evil.test",
        "X-Forwarded-Host": "evil.test",
      },
      body: JSON.stringify({ email }),
    });
    expect(asked.status).toBe(200);
    expect(shop.letters.at(-1)?.action.url).toMatch(/^http:\/\/app\.test\/reset-password#token=/);
  });

  test("signs out anybody whose old password was checked just before the change", async () => {
    const person = await newcomer();
    const token = await forget(person.email);
    const guess = signIn(person.email, password);
    await confirmReset(token);
    // Either the sign-in came before the reset and was ended by it, or it failed.
    const late = { Authorization: `Bearer ${textIn(await guess, "idToken")}` };
    expect((await shop.call("GET", "/api/identity/account", { headers: late })).status).toBe(401);
    const [row] = await shop.database.sql`
      select count(*) as live from identity.refresh_families
      where uid = ${person.uid} and ended_at is null`;
    expect(row).toEqual({ live: 0 });
  });
});

test("links and their recipients are not stored in clear text", async () => {
  const { email } = await newcomer();
  const token = await forget(email);
  const rows = await shop.database.sql`
    select encode(token_hash, 'base64') as t, encode(email_hash, 'escape') as e from identity.mail_links`;
  const stored = JSON.stringify(rows).replaceAll("+", "-").replaceAll("/", "_");
  expect(rows.length).toBeGreaterThan(0);
  expect(stored).not.toContain(token);
  expect(stored).not.toContain("people.test");
});

test("an unreachable mail server is reported, and logged without the link", async () => {
  const other = await openTestApp({
    routes: [],
    projections: [],
    mailer: { send: () => Promise.reject(new MailUnavailable("no connection")) },
  });
  const email = "unlucky@people.test";
  await other.call("POST", "/api/identity/sign-up", { body: { email, password } });
  expect(
    await other.call("POST", "/api/identity/password-reset", { body: { email } }),
  ).toMatchObject({ status: 503, body: { error: "mail_unavailable" } });
  expect(other.errorLines.join("")).toContain("a mail could not be sent");
  expect(other.errorLines.join("")).not.toMatch(/token=|unlucky/);
  await other.close();
});
