// What a thief of a password gets from second factors: few guesses in all, no older session, and no factor of their own.
import { afterAll, beforeAll, expect, test } from "vitest";
import { hotp, stepOf } from "#identity/totp.ts";
import {
  firstStep,
  fromBase32,
  listIn,
  newEmail as nextEmail,
  personWithApp,
  FACTOR_PASSWORD as password,
  secondStep,
  TOTP_STEP_MS as STEP,
} from "#testing/service/factor-hands.ts";
import { softPasskey } from "#testing/service/soft-passkey.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, visitorOf } from "#testing/service/visitor.ts";

let shop: TestApp;
beforeAll(async () => {
  shop = await openTestApp({ routes: [], projections: [] });
});
afterAll(() => shop.close());

const now = () => shop.deps.clock();
const withApp = () => personWithApp(shop);

test("all known browsers of an account have ten guesses of a code together", async () => {
  const { email, code } = await withApp();
  const jars = Array.from({ length: 4 }, () => visitorOf(shop));
  for (const jar of jars) {
    expect((await secondStep(jar, await firstStep(jar, email), { code: code() })).status).toBe(200);
    shop.advance(STEP);
  }
  const statuses: number[] = [];
  for (const jar of jars) {
    const first = await firstStep(jar, email);
    for (let guess = 0; guess < 3; guess += 1) {
      statuses.push((await secondStep(jar, first, { code: "000000" })).status);
    }
  }
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
  const stranger = visitorOf(shop);
  const own = await secondStep(stranger, await firstStep(stranger, email), { code: code() });
  expect(own.status).toBe(200);
});

test("a right password gives no more guesses of a code in a confirmation", async () => {
  const { desk } = await withApp();
  const statuses: number[] = [];
  for (const [oldPassword, newPassword] of [
    [password, "second sesame"],
    ["second sesame", "third sesame"],
    ["third sesame", "fourth sesame"],
  ]) {
    for (let guess = 0; guess < 5; guess += 1) {
      statuses.push((await desk.send("POST", "/api/identity/confirm", { code: "000000" })).status);
    }
    const change = { oldPassword, newPassword };
    expect((await desk.send("POST", "/api/identity/change-password", change)).status).toBe(200);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(5).fill(429)]);
});

test("the first factor ends every other session, and sign-ins with one step that are under way", async () => {
  const [email, desk, thief] = [nextEmail(), visitorOf(shop), visitorOf(shop)];
  const entered = await desk.enter("/api/identity/sign-up", { email, password });
  await thief.enter("/api/identity/sign-in", { email, password });
  const uid = textIn(entered, "uid");
  const { sessions } = shop.deps.identity.parts;
  const epoch = await sessions.epochOf(uid);
  const started = await desk.send("POST", "/api/identity/factors/totp/start", {});
  const code = hotp(fromBase32(textIn(started, "secret")), stepOf(now()));
  expect((await desk.send("POST", "/api/identity/factors/totp", { code })).status).toBe(200);
  expect((await thief.send("GET", "/api/identity/account")).status).toBe(401);
  expect((await thief.enter("/api/identity/refresh", {})).status).toBe(401);
  expect((await desk.send("GET", "/api/identity/account")).status).toBe(200);
  expect((await desk.enter("/api/identity/refresh", {})).status).toBe(200);
  expect(await sessions.start({ uid, epoch, steps: "one" })).toBeUndefined();
});

test("a passkey as the first factor ends every other session, a further one none", async () => {
  const [email, desk] = [nextEmail(), visitorOf(shop)];
  await desk.enter("/api/identity/sign-up", { email, password });
  const other = visitorOf(shop);
  await other.enter("/api/identity/sign-in", { email, password });
  const begun = await desk.send("POST", "/api/identity/factors/passkey/start", {});
  const passkey = softPasskey().create(Reflect.get(Object(begun.body), "options"));
  const made = { name: "Key", passkey };
  expect((await desk.send("POST", "/api/identity/factors/passkey", made)).status).toBe(200);
  expect((await other.send("GET", "/api/identity/account")).status).toBe(401);
  const phone = visitorOf(shop);
  const started = await desk.send("POST", "/api/identity/factors/totp/start", {});
  const recoveryCode = listIn(
    await desk.send("POST", "/api/identity/factors/recovery-codes", {}),
    "recoveryCodes",
  )[0];
  await secondStep(phone, await firstStep(phone, email), { recoveryCode });
  const code = hotp(fromBase32(textIn(started, "secret")), stepOf(now()));
  expect((await desk.send("POST", "/api/identity/factors/totp", { code })).status).toBe(200);
  expect((await phone.send("GET", "/api/identity/account")).status).toBe(200);
});

test("a stranger's factors go when the owner of the address first proves it by a reset", async () => {
  const { email, desk, uid } = await withApp();
  await desk.send("POST", "/api/identity/factors/totp/start", {});
  await desk.send("POST", "/api/identity/factors/passkey/start", {});
  const owner = visitorOf(shop);
  await owner.send("POST", "/api/identity/password-reset", { email });
  const token = shop.letters.at(-1)?.action.url.split("token=")[1];
  const reset = { token, password: "the owner's own" };
  expect((await owner.send("POST", "/api/identity/password-reset/confirm", reset)).status).toBe(
    200,
  );
  const [left] = await shop.database.sql<{ left: number }[]>`
    select (select count(*) from identity.factors where uid = ${uid})
      + (select count(*) from identity.recovery_codes where uid = ${uid})
      + (select count(*) from identity.totp_setups where uid = ${uid})
      + (select count(*) from identity.passkey_challenges where uid = ${uid}) as left`;
  expect(Number(left?.left)).toBe(0);
  expect(textIn(await firstStep(owner, email, "the owner's own"), "idToken")).not.toBe("");
  expect((await desk.send("GET", "/api/identity/account")).status).toBe(401);
});

test("an app's secret that is moved to another person's row is refused there", async () => {
  const [thief, victim] = [await withApp(), await withApp()];
  const { sql } = shop.database;
  await sql`delete from identity.factors where uid = ${victim.uid}`;
  await sql`update identity.factors set uid = ${victim.uid} where uid = ${thief.uid}`;
  const { factors } = shop.deps.identity.parts;
  await expect(factors.acceptTotp(victim.uid, thief.code())).rejects.toThrow("was changed");
});

test("a confirmation counts for one token only if the issuer does not say when somebody signed in", async () => {
  const { uid } = await withApp();
  const { confirmations } = shop.deps.identity.parts;
  const token = {
    uid,
    sessionId: null,
    authenticatedAt: new Date(0),
    tokenExpiresAt: new Date(now().getTime() + 3_600_000),
  };
  const other = { ...token, tokenExpiresAt: new Date(now().getTime() + 3_601_000) };
  await confirmations.confirm(token);
  expect(await confirmations.isConfirmed(token)).toBe(true);
  expect(await confirmations.isConfirmed(other)).toBe(false);
});
