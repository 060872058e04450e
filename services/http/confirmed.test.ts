// Sensitive calls ask who it is once a sign-in is older than ten minutes; a confirmation counts for one session.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { giveRole } from "#testing/shop/people.ts";
import { type Visitor, visitorOf } from "#testing/service/visitor.ts";

const password = "open sesame";
const MINUTE = 60_000;

let shop: TestApp;
beforeAll(async () => {
  shop = await openTestApp({ confirmPayoutsAboveCents: 10_000 });
});
afterAll(() => shop.close());

let count = 0;
/** An admin with two browsers, who signed in eleven minutes ago. */
async function adminAWhileAgo(): Promise<{ desk: Visitor; phone: Visitor; uid: string }> {
  const email = `admin-${(count += 1)}@people.test`;
  const uid = await shop.identity.ensureUser({ email, password });
  await giveRole(shop.deps, uid, "admin");
  const [desk, phone] = [visitorOf(shop), visitorOf(shop)];
  await desk.enter("/api/identity/sign-in", { email, password });
  await phone.enter("/api/identity/sign-in", { email, password });
  shop.advance(11 * MINUTE);
  await desk.enter("/api/identity/refresh", {});
  await phone.enter("/api/identity/refresh", {});
  return { desk, phone, uid };
}

const confirm = (visitor: Visitor, word = password) =>
  visitor.send("POST", "/api/identity/confirm", { password: word });

const refused = { status: 403, body: { error: "confirmation_required" } };

describe("deleting a person", () => {
  test("asks who it is, and the same request is carried out after the confirmation", async () => {
    const { desk } = await adminAWhileAgo();
    const { uid } = await shop.person("Leaver");
    const key = { "Idempotency-Key": "delete-leaver" };
    const remove = () => desk.send("DELETE", `/api/auth/users/${uid}`, undefined, key);
    expect(await remove()).toMatchObject(refused);
    expect((await confirm(desk)).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await remove()).headers.get("Idempotency-Replayed")).toBe("true");
  });

  test("can be rehearsed without a confirmation, because a rehearsal does nothing", async () => {
    const { desk } = await adminAWhileAgo();
    const { uid } = await shop.person("Stayer");
    const rehearsal = { "Ledger-Rehearsal": "true" };
    const answer = await desk.send("DELETE", `/api/auth/users/${uid}`, undefined, rehearsal);
    expect(answer.status).toBe(200);
  });

  test("needs no confirmation in the first ten minutes after a sign-in", async () => {
    const admin = await shop.person("Fresh", "admin");
    const { uid } = await shop.person("Early");
    const answer = await shop.call("DELETE", `/api/auth/users/${uid}`, { as: admin });
    expect(answer.status).toBe(200);
  });
});

describe("a confirmation", () => {
  test("counts for ten minutes, in its own session and for nobody else", async () => {
    const { desk, phone } = await adminAWhileAgo();
    const other = await adminAWhileAgo();
    const { uid } = await shop.person("Changing");
    const promote = (visitor: Visitor, role: string) =>
      visitor.send("PUT", `/api/auth/users/${uid}`, { role });
    await desk.enter("/api/identity/refresh", {});
    await confirm(desk);
    expect((await promote(desk, "admin")).status).toBe(200);
    await phone.enter("/api/identity/refresh", {});
    expect(await promote(phone, "user")).toMatchObject(refused);
    expect(await promote(other.desk, "user")).toMatchObject(refused);
    shop.advance(10 * MINUTE + 1_000);
    await desk.enter("/api/identity/refresh", {});
    expect(await promote(desk, "user")).toMatchObject(refused);
  });

  test("needs the right password, and guesses are limited", async () => {
    const { desk } = await adminAWhileAgo();
    expect(await confirm(desk, "wrong")).toMatchObject({
      status: 400,
      body: { error: "wrong_password" },
    });
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => confirm(desk, `guess ${index}`)),
    );
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(9);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await confirm(desk)).status).toBe(429);
  });

  test("by somebody without a password is a new sign-in", async () => {
    const outsider = await shop.person("Outsider");
    const ways = await shop.call("GET", "/api/identity/confirm", { as: outsider });
    expect(ways.body).toEqual({ ways: [] });
    const answer = await shop.call("POST", "/api/identity/confirm", {
      as: outsider,
      body: { password },
    });
    expect(answer).toMatchObject({ status: 409, body: { error: "nothing_to_confirm_with" } });
  });
});

describe("changing a person", () => {
  test("asks who it is for another role or email, and not for another name", async () => {
    const { desk } = await adminAWhileAgo();
    const { uid, email } = await shop.person("Edited");
    const edit = (body: object) => desk.send("PUT", `/api/auth/users/${uid}`, body);
    expect((await edit({ displayName: "Edith", role: "user", email })).status).toBe(200);
    expect(await edit({ role: "admin" })).toMatchObject(refused);
    expect(await edit({ email: "edith@people.test" })).toMatchObject(refused);
  });
});

describe("paying out", () => {
  test("asks who it is above the store's sum only", async () => {
    const { desk } = await adminAWhileAgo();
    const consignor = await shop.person("Payee");
    const pay = async (amount: number) => {
      await desk.send("PUT", `/api/sales/balance/${consignor.uid}`, { balance: amount });
      const { body } = await desk.send("POST", `/api/payouts/${consignor.uid}/request`, {
        amount,
        method: "cashapp",
        paymentUsername: "$payee",
      });
      const id = String(Reflect.get(Object(body), "payoutId"));
      await shop.runner.catchUp();
      return desk.send("PATCH", `/api/payouts/${consignor.uid}/${id}/paid`);
    };
    expect((await pay(100)).status).toBe(200);
    expect(await pay(100.01)).toMatchObject(refused);
  });
});
