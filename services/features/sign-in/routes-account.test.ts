// One's own account: a backup password, the open sessions, and ending all of them at once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endAllSessions } from "#identity/session-list.ts";
import { createLetterBox } from "#testing/service/letter-box.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const box = createLetterBox();

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({ routes: [], projections: [], mailer: box.mailer });
});

afterAll(() => shop.close());

const password = "open sesame";

describe("a backup password", () => {
  /** A person who signed in another way. */
  async function outsider(name: string, isProven = true) {
    const person = await shop.person(name);
    if (isProven) {
      await shop.database.sql`
        update identity.profiles set email_verified_at = now() where uid = ${person.uid}`;
    }
    const link = (word = password) =>
      shop.call("POST", "/api/identity/link-password", { as: person, body: { password: word } });
    return { ...person, link };
  }
  const signIn = (email: string) =>
    shop.call("POST", "/api/identity/sign-in", { body: { email, password } });

  test("opens the account by its own email, of which a letter tells its owner", async () => {
    const { email, uid, link } = await outsider("Backup");
    box.empty();
    expect(await link()).toMatchObject({ status: 200, body: { email } });
    expect(box.letters).toMatchObject([
      { to: email, subject: expect.stringContaining("A password was set") },
    ]);
    expect(textIn(await signIn(email), "uid")).toBe(uid);
    expect(await link("another password")).toMatchObject({
      status: 409,
      body: {
        error: "provider_already_linked",
        message: "Password is already set up for this account",
      },
    });
  });

  test("is set only once by two concurrent calls", async () => {
    const { link } = await outsider("Hasty");
    const answers = await Promise.all([link("first password"), link("second password")]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test("cannot be set for an email that another account signs in with", async () => {
    const email = "taken@people.test";
    await shop.call("POST", "/api/identity/sign-up", { body: { email, password } });
    const { uid, link } = await outsider("Latecomer", false);
    await shop.database.sql`
      update identity.profiles set email = ${email}, email_verified_at = now() where uid = ${uid}`;
    expect(await link()).toMatchObject({
      status: 409,
      body: {
        error: "email_has_password",
        message: "This email already has a password set up",
      },
    });
  });

  test("cannot be set without a verified email, or if it is too short", async () => {
    const unproven = await outsider("Unproven", false);
    expect(await unproven.link()).toMatchObject({ body: { error: "email_not_verified" } });
    await shop.database.sql`update identity.profiles set email = null where uid = ${unproven.uid}`;
    expect(await unproven.link()).toMatchObject({ body: { error: "email_missing" } });
    expect(await unproven.link("12345")).toMatchObject({
      status: 400,
      body: { message: "Password should be at least 6 characters." },
    });
  });

  test("needs a sign-in of the last five minutes; refreshing does not count", async () => {
    const visitor = visitorOf(shop);
    await visitor.enter("/api/identity/sign-up", { email: "stale@people.test", password });
    const link = () => visitor.send("POST", "/api/identity/link-password", { password });
    shop.advance(299_000);
    expect((await link()).status).toBe(409);
    shop.advance(2_000);
    await visitor.enter("/api/identity/refresh", {});
    expect(await link()).toMatchObject({
      status: 403,
      body: { error: "recent_sign_in_required" },
    });
    const again = { email: "stale@people.test", password };
    await visitor.enter("/api/identity/sign-in", again);
    expect((await link()).status).toBe(409);
  });
});

describe("sessions", () => {
  let count = 0;

  /** A person with two browsers, both signed in. */
  async function withTwo(): Promise<{ desk: Visitor; phone: Visitor; email: string }> {
    const email = `sessions-${(count += 1)}@people.test`;
    const [desk, phone] = [visitorOf(shop), visitorOf(shop)];
    await desk.enter("/api/identity/sign-up", { email, password });
    await phone.enter("/api/identity/sign-in", { email, password });
    return { desk, phone, email };
  }
  const list = async (visitor: Visitor): Promise<Record<string, unknown>[]> => {
    const { body } = await visitor.send("GET", "/api/identity/sessions");
    const sessions: unknown = Reflect.get(Object(body), "sessions");
    return Array.isArray(sessions) ? sessions : [];
  };
  const refresh = async (visitor: Visitor) =>
    (await visitor.send("POST", "/api/identity/refresh", {})).status;
  const reads = async (visitor: Visitor) =>
    (await visitor.send("GET", "/api/identity/account")).status;

  test("are listed with their browser and which one is current", async () => {
    const { desk, phone } = await withTwo();
    const seen = await list(desk);
    expect(seen).toHaveLength(2);
    expect(seen.filter(({ isCurrent }) => isCurrent === true)).toHaveLength(1);
    expect(seen[0]).toMatchObject({ userAgent: "Test browser" });
    const own = (await list(phone)).find(({ isCurrent }) => isCurrent);
    expect(seen.find(({ isCurrent }) => isCurrent)?.["id"]).not.toBe(own?.["id"]);
  });

  test("can be ended one by one, but only one's own", async () => {
    const { desk, phone } = await withTwo();
    const other = (await list(desk)).find(({ isCurrent }) => isCurrent !== true);
    const path = `/api/identity/sessions/${String(other?.["id"])}`;
    const stranger = await withTwo();
    expect(await stranger.desk.send("DELETE", path)).toMatchObject({
      status: 404,
      body: { error: "unknown_session" },
    });
    expect((await desk.send("DELETE", path)).body).toEqual({ ended: 1 });
    expect((await desk.send("DELETE", path)).status).toBe(404);
    expect([await refresh(phone), await refresh(desk)]).toEqual([401, 200]);
    expect(await list(desk)).toHaveLength(1);
  });

  test("can all be ended at once, with all their tokens", async () => {
    const { desk, phone, email } = await withTwo();
    expect([await reads(desk), await reads(phone)]).toEqual([200, 200]);
    const answer = await desk.send("DELETE", "/api/identity/sessions");
    expect(answer).toMatchObject({ status: 200, body: { ended: 2 } });
    expect(desk.cookies.has("refresh_token")).toBe(false);
    expect([await reads(desk), await reads(phone)]).toEqual([401, 401]);
    expect([await refresh(desk), await refresh(phone)]).toEqual([401, 401]);
    await phone.enter("/api/identity/sign-in", { email, password });
    expect(await reads(phone)).toBe(200);
    expect(await list(phone)).toHaveLength(1);
  });

  test("do not start if all were ended after the credentials were checked", async () => {
    const { uid } = await shop.person("Racer");
    const { sessions } = shop.identity.parts;
    const epoch = await sessions.epochOf(uid);
    await shop.deps.sql.begin((transaction) => endAllSessions(transaction, uid, shop.deps.clock()));
    expect(await sessions.start({ uid, epoch })).toBeUndefined();
    expect(await sessions.start({ uid, epoch: epoch + 1 })).toMatchObject({ uid });
  });

  test("that were stolen end with the first use of an old token, and the list shows it", async () => {
    const { desk, phone } = await withTwo();
    const stolen = desk.cookies.get("refresh_token") ?? "";
    await refresh(desk);
    shop.advance(21_000);
    const thief = visitorOf(shop);
    thief.cookies.set("refresh_token", stolen);
    expect(await refresh(thief)).toBe(401);
    expect(await refresh(desk)).toBe(401);
    expect(await refresh(phone)).toBe(200);
    expect(await list(phone)).toHaveLength(1);
  });
});
