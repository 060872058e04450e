// New passwords: easy ones are refused wherever one is chosen, and a change needs the old one and ends other sessions.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { type Visitor, visitorOf } from "#testing/service/visitor.ts";

let shop: TestApp;
beforeAll(async () => {
  shop = await openTestApp({ routes: [], projections: [] });
});
afterAll(() => shop.close());

const password = "open sesame";
let count = 0;

async function signedUp(): Promise<{ desk: Visitor; email: string }> {
  const email = `chooser-${(count += 1)}@people.test`;
  const desk = visitorOf(shop);
  await desk.enter("/api/identity/sign-up", { email, password });
  return { desk, email };
}
const change = (visitor: Visitor, oldPassword: string, newPassword: string) =>
  visitor.send("POST", "/api/identity/change-password", { oldPassword, newPassword });

const easy = { status: 400, body: { error: "password_too_common" } };

test("a common password, and the account's own email, cannot be chosen anywhere", async () => {
  const { desk, email } = await signedUp();
  const signUp = { email: "new-one@people.test", password: "Password123" };
  expect(await visitorOf(shop).send("POST", "/api/identity/sign-up", signUp)).toMatchObject(easy);
  const own = { email: "own-name@people.test", password: "own-name" };
  expect(await visitorOf(shop).send("POST", "/api/identity/sign-up", own)).toMatchObject(easy);
  expect(await change(desk, password, email)).toMatchObject(easy);
  await desk.send("POST", "/api/identity/password-reset", { email });
  const token = shop.letters.at(-1)?.action.url.split("token=")[1];
  const reset = { token, password: "iloveyou" };
  expect(await desk.send("POST", "/api/identity/password-reset/confirm", reset)).toMatchObject(
    easy,
  );
  // The link still works.
  const other = { token, password: "a better one" };
  expect((await desk.send("POST", "/api/identity/password-reset/confirm", other)).status).toBe(200);
  expect(shop.letters.at(-1)?.subject).toContain("Your password was reset");
});

test("a short password is refused with the specified sentence", async () => {
  const { desk } = await signedUp();
  expect(await change(desk, password, "12345")).toMatchObject({
    status: 400,
    body: { message: "Password should be at least 6 characters." },
  });
});

test("accounts with an easy password from before keep signing in", async () => {
  await shop.identity.ensureUser({ email: "old@people.test", password: "123456" });
  const entered = await visitorOf(shop).enter("/api/identity/sign-in", {
    email: "old@people.test",
    password: "123456",
  });
  expect(entered.status).toBe(200);
});

test("a change needs the old password and ends every other session, not this one", async () => {
  const { desk, email } = await signedUp();
  const phone = visitorOf(shop);
  await phone.enter("/api/identity/sign-in", { email, password });
  expect(await change(desk, "wrong", "another sesame")).toMatchObject({
    status: 400,
    body: { error: "wrong_password", message: "Incorrect password." },
  });
  expect(await change(desk, password, "another sesame")).toMatchObject({
    status: 200,
    body: { changed: true, ended: 1 },
  });
  // The owner learns of it, in case it was somebody else.
  expect(shop.letters.at(-1)).toMatchObject({
    to: email,
    subject: expect.stringContaining("Your password was changed"),
  });
  const reads = async (visitor: Visitor) =>
    (await visitor.send("GET", "/api/identity/account")).status;
  expect([await reads(desk), await reads(phone)]).toEqual([200, 401]);
  expect((await desk.send("POST", "/api/identity/refresh", {})).status).toBe(200);
  const again = (word: string) =>
    visitorOf(shop).enter("/api/identity/sign-in", { email, password: word });
  expect([(await again(password)).status, (await again("another sesame")).status]).toEqual([
    400, 200,
  ]);
});

test("a sign-in that checked the old password starts no session once it is changed", async () => {
  const { desk, email } = await signedUp();
  const late = visitorOf(shop);
  const [changed, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const changing = shop.database.ownerSql.begin(async (transaction) => {
    await transaction`
      update identity.credentials set password_hash = password_hash || 'x' where email = ${email}`;
    changed.resolve();
    await commit.promise;
  });
  await changed.promise;
  const entering = late.enter("/api/identity/sign-in", { email, password });
  let isAnswered = false;
  void entering.finally(() => (isAnswered = true));
  const waits = async () =>
    isAnswered ||
    (
      await shop.database
        .ownerSql`select from pg_locks where not granted and locktype = 'transactionid'`
    ).count > 0;
  await expect.poll(waits).toBe(true);
  commit.resolve();
  await changing;
  expect(await entering).toMatchObject({ status: 401, body: { error: "no_session" } });
  expect((await desk.send("POST", "/api/identity/refresh", {})).status).toBe(200);
});

test("a second step that the old password began, or would begin, starts no session either", async () => {
  const { desk, email } = await signedUp();
  const { accounts, secondSteps, sessions } = shop.identity.parts;
  const before = await accounts.findCredentials(email);
  const step = {
    uid: before?.uid ?? "",
    epoch: before?.sessionEpoch ?? 0,
    passwordHash: before?.passwordHash,
  };
  const token = (await secondSteps.begin(step)) ?? "";
  const found = await secondSteps.find(token);
  expect(found).toEqual(step);
  expect((await change(desk, password, "another sesame")).status).toBe(200);
  expect(await secondSteps.find(token)).toBeUndefined();
  expect(await secondSteps.begin(step)).toBeUndefined();
  expect(await sessions.start(step)).toBeUndefined();
  const after = await accounts.findCredentials(email);
  const fresh = { ...step, passwordHash: after?.passwordHash };
  expect(await sessions.start(fresh)).toMatchObject({ uid: step.uid });
});

test("somebody without a password has none to change, and guesses of the old one are limited", async () => {
  const outsider = await shop.person("Outsider");
  const { status, body } = await shop.call("POST", "/api/identity/change-password", {
    as: outsider,
    body: { oldPassword: "a", newPassword: "another sesame" },
  });
  expect({ status, body }).toMatchObject({ status: 409, body: { error: "no_password" } });
  const { desk } = await signedUp();
  const guesses: number[] = [];
  for (let index = 0; index < 11; index += 1) {
    guesses.push((await change(desk, `guess ${index}`, "another sesame")).status);
  }
  expect(guesses.slice(-2)).toEqual([400, 429]);
});
