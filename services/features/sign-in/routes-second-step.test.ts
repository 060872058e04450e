// Second factors: no session before the second step, each code once, guesses limited, and ways back for who lost theirs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hotp, stepOf } from "#identity/totp.ts";
import { softPasskey } from "#testing/service/soft-passkey.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import {
  firstStep,
  fromBase32,
  listIn,
  newEmail,
  personWithApp,
  FACTOR_PASSWORD as password,
  secondStep,
  secondStepIn,
  TOTP_STEP_MS as STEP,
} from "#testing/service/factor-hands.ts";
import { giveRole } from "#testing/shop/people.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

let shop: TestApp;
beforeAll(async () => {
  shop = await openTestApp({ routes: [], projections: [] });
});
afterAll(() => shop.close());

const now = () => shop.deps.clock();
const nextEmail = newEmail;
const withApp = () => personWithApp(shop);

const wrong = { status: 400, body: { error: "wrong_code" } };

describe("a sign-in with a second factor", () => {
  test("gives no session and no token before the code, and then a session", async () => {
    const { email, uid, code } = await withApp();
    const phone = visitorOf(shop);
    const first = await firstStep(phone, email);
    expect(first.status).toBe(200);
    expect(Object.keys(Object(first.body))).toEqual(["secondStep"]);
    expect(secondStepIn(first).ways).toEqual(["totp", "recovery-code"]);
    expect(phone.cookies.size).toBe(0);
    const second = await secondStep(phone, first, { code: code() });
    expect(second).toMatchObject({ status: 200, body: { uid } });
    expect((await phone.send("GET", "/api/identity/account")).status).toBe(200);
  });

  test("takes each code and each first step once, also at the same time", async () => {
    const { email, code } = await withApp();
    const [one, other] = [visitorOf(shop), visitorOf(shop)];
    const [first, again] = [await firstStep(one, email), await firstStep(other, email)];
    const answers = await Promise.all([
      secondStep(one, first, { code: code() }),
      secondStep(other, again, { code: code() }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    shop.advance(STEP);
    const used = answers[0]?.status === 200 ? first : again;
    expect(await secondStep(one, used, { code: code() })).toMatchObject({
      status: 400,
      body: { error: "second_step_expired" },
    });
  });

  test("accepts the code of half a minute ago and ahead, and no older one", async () => {
    const { email, code } = await withApp();
    const early = code();
    shop.advance(2 * STEP);
    const first = await firstStep(visitorOf(shop), email);
    expect(await secondStep(visitorOf(shop), first, { code: early })).toMatchObject(wrong);
    const late = code();
    shop.advance(STEP);
    expect((await secondStep(visitorOf(shop), first, { code: late })).status).toBe(200);
  });

  test("must follow within five minutes", async () => {
    const { email, code } = await withApp();
    const first = await firstStep(visitorOf(shop), email);
    shop.advance(301_000);
    expect(await secondStep(visitorOf(shop), first, { code: code() })).toMatchObject({
      status: 400,
      body: { error: "second_step_expired" },
    });
  });

  test("limits guesses of a stranger who knows the password, and the owner's browser still gets in", async () => {
    const { email, code, desk } = await withApp();
    const stranger = visitorOf(shop);
    const first = await firstStep(stranger, email);
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      statuses.push((await secondStep(stranger, first, { code: "000000" })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    expect((await secondStep(stranger, first, { code: code() })).status).toBe(429);
    const own = await firstStep(desk, email);
    expect((await secondStep(desk, own, { code: code() })).status).toBe(200);
  });

  test("ends if all sessions are ended in between", async () => {
    const { email, code, desk } = await withApp();
    const phone = visitorOf(shop);
    const first = await firstStep(phone, email);
    await desk.send("DELETE", "/api/identity/sessions");
    expect((await secondStep(phone, first, { code: code() })).status).toBe(401);
  });

  test("is still asked for after a password reset of a proven address, which makes no browser known", async () => {
    const { email, uid } = await withApp();
    await shop.database.sql`
      update identity.profiles set email_verified_at = ${now()} where uid = ${uid}`;
    await visitorOf(shop).send("POST", "/api/identity/password-reset", { email });
    const token = shop.letters.at(-1)?.action.url.split("token=")[1];
    const phone = visitorOf(shop);
    const reset = { token, password: "another sesame" };
    expect((await phone.send("POST", "/api/identity/password-reset/confirm", reset)).status).toBe(
      200,
    );
    const first = await firstStep(phone, email, "another sesame");
    expect(secondStepIn(first).ways).toContain("totp");
    expect(phone.cookies.size).toBe(0);
  });
});

describe("recovery codes", () => {
  test("open the account once each, however they are typed", async () => {
    const { email, recoveryCodes } = await withApp();
    expect(recoveryCodes).toHaveLength(10);
    const [code = ""] = recoveryCodes;
    const use = async (recoveryCode: string) => {
      const phone = visitorOf(shop);
      return secondStep(phone, await firstStep(phone, email), { recoveryCode });
    };
    expect((await use(code.toUpperCase().replaceAll("-", " "))).status).toBe(200);
    expect(await use(code)).toMatchObject(wrong);
    expect(await use("aaaa-aaaa-aaaa-aaaa")).toMatchObject(wrong);
  });

  test("are replaced by new ones, and stored only as hashes", async () => {
    const { desk, email, recoveryCodes } = await withApp();
    const made = await desk.send("POST", "/api/identity/factors/recovery-codes", {});
    expect(listIn(made, "recoveryCodes")).toHaveLength(10);
    const old = { recoveryCode: recoveryCodes[0] };
    const phone = visitorOf(shop);
    expect(await secondStep(phone, await firstStep(phone, email), old)).toMatchObject(wrong);
    const rows = await shop.database.sql`select * from identity.recovery_codes`;
    expect(JSON.stringify(rows)).not.toContain(listIn(made, "recoveryCodes")[0]);
  });
});

describe("a passkey", () => {
  const start = async (visitor: Visitor, path: string, body: object = {}) => {
    const { body: answer } = await visitor.send("POST", `/api/identity/${path}`, body);
    return Reflect.get(Object(answer), "options") as unknown;
  };
  /** Somebody with a passkey and nothing else. */
  async function withPasskey() {
    const email = nextEmail();
    const desk = visitorOf(shop);
    await desk.enter("/api/identity/sign-up", { email, password });
    const key = softPasskey();
    const options = await start(desk, "factors/passkey/start");
    const made = { name: "Laptop", passkey: key.create(options) };
    const added = await desk.send("POST", "/api/identity/factors/passkey", made);
    return { email, desk, key, made, added };
  }

  test("signs in with nothing else, and each answer once", async () => {
    const { added, key } = await withPasskey();
    expect(listIn(added, "recoveryCodes")).toHaveLength(10);
    const phone = visitorOf(shop);
    const passkey = key.use(await start(phone, "passkey/start"));
    expect((await phone.enter("/api/identity/passkey", { passkey })).status).toBe(200);
    expect((await phone.send("GET", "/api/identity/account")).status).toBe(200);
    expect(await visitorOf(shop).enter("/api/identity/passkey", { passkey })).toMatchObject({
      status: 400,
      body: { error: "passkey_refused" },
    });
  });

  test("must prove its person if it is the only factor, and need not after a password", async () => {
    const { email, key } = await withPasskey();
    const phone = visitorOf(shop);
    const alone = key.use(await start(phone, "passkey/start"), undefined, false);
    expect((await phone.enter("/api/identity/passkey", { passkey: alone })).status).toBe(400);
    const first = await firstStep(phone, email);
    expect(secondStepIn(first).ways).toEqual(["passkey", "recovery-code"]);
    const { token } = secondStepIn(first);
    const passkey = key.use(await start(phone, "second-step/passkey", { token }), undefined, false);
    expect((await secondStep(phone, first, { passkey })).status).toBe(200);
  });

  test("is refused from another site, for another person's second step, and for another purpose", async () => {
    const { email, key } = await withPasskey();
    const stranger = await withPasskey();
    const phone = visitorOf(shop);
    const elsewhere = key.use(await start(phone, "passkey/start"), "http://app.test.evil.example");
    expect((await phone.enter("/api/identity/passkey", { passkey: elsewhere })).status).toBe(400);
    const first = await firstStep(phone, email);
    const { token } = secondStepIn(first);
    const theirs = stranger.key.use(await start(phone, "second-step/passkey", { token }));
    expect((await secondStep(phone, first, { passkey: theirs })).status).toBe(400);
    const signedIn = key.use(await start(phone, "passkey/start"));
    expect((await secondStep(phone, first, { passkey: signedIn })).status).toBe(400);
    expect(shop.errorLines).toEqual([]);
  });

  test("cannot be added twice, nor with an answer that was used", async () => {
    const { desk, made } = await withPasskey();
    expect(await desk.send("POST", "/api/identity/factors/passkey", made)).toMatchObject({
      status: 400,
      body: { error: "passkey_refused" },
    });
  });

  test("is not offered where the app is opened by a number", async () => {
    const response = await shop.app.request("http://127.0.0.1:3000/api/identity/passkey/start", {
      method: "POST",
      headers: { Origin: "http://127.0.0.1:3000", "Content-Type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: "passkeys_need_a_name" });
  });

  test("confirms who somebody is, and the password no longer does", async () => {
    const { desk, key } = await withPasskey();
    expect((await desk.send("GET", "/api/identity/confirm")).body).toEqual({ ways: ["passkey"] });
    const word = await desk.send("POST", "/api/identity/confirm", { password });
    expect(word).toMatchObject({ status: 409, body: { error: "confirm_otherwise" } });
    const passkey = key.use(await start(desk, "confirm/passkey"));
    expect((await desk.send("POST", "/api/identity/confirm", { passkey })).status).toBe(200);
  });
});

describe("one's own factors", () => {
  test("are listed, and removing the last one takes the recovery codes with it", async () => {
    const { desk, email } = await withApp();
    const listed = (await desk.send("GET", "/api/identity/factors")).body;
    expect(listed).toMatchObject({
      factors: [{ kind: "totp", name: "Authenticator app" }],
      recoveryCodesLeft: 10,
      isRequired: false,
    });
    const id = String(/"id":"([^"]+)"/.exec(JSON.stringify(listed))?.[1]);
    const stranger = await withApp();
    const path = `/api/identity/factors/${id}`;
    expect((await stranger.desk.send("DELETE", path)).status).toBe(404);
    expect((await desk.send("DELETE", path)).status).toBe(200);
    expect((await desk.send("GET", "/api/identity/factors")).body).toMatchObject({
      factors: [],
      recoveryCodesLeft: 0,
    });
    expect(textIn(await firstStep(visitorOf(shop), email), "idToken")).not.toBe("");
  });

  test("cannot be changed in a session of an hour ago without a confirmation", async () => {
    const { desk, code } = await withApp();
    shop.advance(3_600_000);
    await desk.enter("/api/identity/refresh", {});
    const begin = () => desk.send("POST", "/api/identity/factors/recovery-codes", {});
    expect(await begin()).toMatchObject({
      status: 403,
      body: { error: "confirmation_required" },
    });
    expect((await desk.send("POST", "/api/identity/confirm", { code: code() })).status).toBe(200);
    expect((await begin()).status).toBe(200);
  });

  test("keep the app's secret sealed in the database", async () => {
    const desk = visitorOf(shop);
    await desk.enter("/api/identity/sign-up", { email: nextEmail(), password });
    const secret = textIn(
      await desk.send("POST", "/api/identity/factors/totp/start", {}),
      "secret",
    );
    const rows = await shop.database.sql<{ secret_sealed: Buffer }[]>`
      select secret_sealed from identity.totp_setups`;
    const bytes = Buffer.from(fromBase32(secret));
    expect(rows.some(({ secret_sealed: sealed }) => sealed.includes(bytes))).toBe(false);
  });

  test("count one app only, and its set-up ends after 15 minutes", async () => {
    const { desk } = await withApp();
    const begin = async () =>
      fromBase32(textIn(await desk.send("POST", "/api/identity/factors/totp/start", {}), "secret"));
    const finish = async (secret: Uint8Array) =>
      desk.send("POST", "/api/identity/factors/totp", { code: hotp(secret, stepOf(now())) });
    expect(await finish(await begin())).toMatchObject({ body: { error: "totp_exists" } });
    const secret = await begin();
    shop.advance(901_000);
    await desk.enter("/api/identity/refresh", {});
    await shop.database.sql`
      update identity.refresh_families set authenticated_at = ${now()} where ended_at is null`;
    await desk.enter("/api/identity/refresh", {});
    expect(await finish(secret)).toMatchObject({ body: { error: "setup_expired" } });
  });
});

describe("somebody who lost every factor", () => {
  test("gets a letter and signs in with the password again after another admin reset them", async () => {
    const { uid, email, desk } = await withApp();
    const admin = await shop.person("Resetter", "admin");
    const path = `/api/auth/users/${uid}/factors`;
    expect((await shop.call("GET", path, { as: admin })).body).toEqual({ factors: 1 });
    const reset = await shop.call("DELETE", path, { as: admin });
    expect(reset).toMatchObject({ status: 200, body: { removed: 1, letter: "sent" } });
    expect(shop.letters.at(-1)).toMatchObject({ to: email });
    expect((await desk.send("GET", "/api/identity/account")).status).toBe(401);
    expect(textIn(await firstStep(visitorOf(shop), email), "idToken")).not.toBe("");
  });

  test("is helped by another admin only, never by themselves or by a consignor", async () => {
    const { uid, desk } = await withApp();
    const path = `/api/auth/users/${uid}/factors`;
    expect((await desk.send("DELETE", path)).status).toBe(403);
    await giveRole(shop.deps, uid, "admin");
    expect(await desk.send("DELETE", path)).toMatchObject({
      status: 409,
      body: { error: "own_factors" },
    });
  });
});
