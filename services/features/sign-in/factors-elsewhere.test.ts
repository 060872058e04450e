// Second factors beyond sign-in: after Google, in one's own data, after an erasure, without their key, for the last admin.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFactors } from "#identity/factors.ts";
import { createSealed } from "#identity/sealed.ts";
import { giveUpSecrets, readSealed } from "#identity/sealed-columns.ts";
import { hotp, stepOf } from "#identity/totp.ts";
import { fromBase32, secondStepIn } from "#testing/service/factor-hands.ts";
import { type GoogleStandIn, startGoogle } from "#testing/service/google-stand-in.ts";
import { callScript } from "#testing/service/script-host.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { textIn, visitorOf } from "#testing/service/visitor.ts";

let google: GoogleStandIn;
let shop: TestApp;
beforeAll(async () => {
  google = await startGoogle();
  shop = await openTestApp({ google: google.settings });
});
afterAll(async () => {
  await shop.close();
  await google.close();
});

/** Adds an authenticator app for somebody who is signed in; returns its secret as it is typed. */
async function addApp(as: TestPerson): Promise<string> {
  const post = (path: string, body: object) =>
    shop.call("POST", `/api/identity/factors/${path}`, { as, body });
  const secret = textIn(await post("totp/start", {}), "secret");
  const code = hotp(fromBase32(secret), stepOf(shop.deps.clock()));
  expect((await post("totp", { code })).status).toBe(200);
  expect(shop.letters.at(-1)?.subject).toContain("An authenticator app was added");
  return secret;
}

test("a sign-in with Google takes the second step too", async () => {
  google.user = {
    sub: "google-1",
    email: "gia@people.test",
    email_verified: true,
    name: "Gia",
  };
  const signIn = async () => {
    const visitor = visitorOf(shop);
    const started = await visitor.send("POST", "/api/identity/google/start", {});
    const response = await fetch(textIn(started, "authorizeUrl"), { redirect: "manual" });
    const code = new URL(response.headers.get("Location") ?? "").searchParams.get("code") ?? "";
    const state = textIn(started, "state");
    return visitor.enter("/api/identity/google", { code, state });
  };
  const first = await signIn();
  const gia = { uid: textIn(first, "uid"), email: "", token: textIn(first, "idToken") };
  await addApp(gia);
  const second = await signIn();
  expect(Object.keys(Object(second.body))).toEqual(["secondStep"]);
  expect(secondStepIn(second).ways).toContain("totp");
});

test("one's own data has a factor's name and dates and none of its secrets", async () => {
  const kim = await shop.person("Kim");
  const secret = await addApp(kim);
  const exported = await shop.call("GET", "/api/auth/me/export", { as: kim });
  expect(exported.body).toMatchObject({
    signIn: {
      secondFactors: [
        { kind: "totp", name: "Authenticator app", addedAt: expect.anything(), lastUsedAt: null },
      ],
    },
  });
  const text = JSON.stringify(exported.body);
  expect(text).not.toMatch(/secret|code_hash|public_key|sealed/u);
  expect(text).not.toContain(secret);
});

test("deleting a person erases their factors, codes and set-ups", async () => {
  const [admin, lee] = [await shop.person("Robin", "admin"), await shop.person("Lee")];
  await addApp(lee);
  await shop.call("POST", "/api/identity/factors/totp/start", { as: lee, body: {} });
  const rows = () => shop.database.sql`
    select uid from identity.factors where uid = ${lee.uid}
    union all select uid from identity.recovery_codes where uid = ${lee.uid}
    union all select uid from identity.totp_setups where uid = ${lee.uid}`;
  expect(await rows()).toHaveLength(12);
  const removed = await shop.call("DELETE", `/api/auth/users/${lee.uid}`, { as: admin });
  expect(removed.status).toBe(200);
  expect(await rows()).toHaveLength(0);
});

test("without the key an app's codes are not asked for, and once given up it is set up again", async () => {
  const max = await shop.person("Max");
  await addApp(max);
  const { sql } = shop.database;
  const lost = createSealed({ current: Buffer.alloc(32, 9), previous: [] });
  const factors = createFactors(sql, shop.deps.clock, lost);
  expect(await factors.ways(max.uid)).toEqual(["recovery-code"]);
  const sealed = (await readSealed(sql)).filter(({ purpose }) => purpose === "totp-secret");
  expect(sealed.length).toBeGreaterThan(0);
  await giveUpSecrets(sql, sealed);
  expect(await factors.ways(max.uid)).toBeUndefined();
  await addApp(max);
});

test("npm run reset-factors helps the last admin by email", async () => {
  const email = "last-admin@people.test";
  const uid = await shop.identity.ensureUser({ email, password: "open sesame" });
  await addApp({ uid, email, token: await shop.identity.issueTokenFor(uid) });
  const folder = await mkdtemp(join(tmpdir(), "reset-factors-"));
  const { appUrl, ownerUrl } = shop.database;
  try {
    const { code, out } = await callScript("reset-factors.ts", [email, "--json"], {
      DATABASE_URL: appUrl,
      DATABASE_OWNER_URL: ownerUrl,
      DATA_DIR: folder,
    });
    expect(code).toBe(0);
    const said: unknown = JSON.parse(out.slice(out.indexOf('{"uid"')));
    expect(said).toEqual({ uid, removed: 1, letter: "sent" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { body } = await visitorOf(shop).enter("/api/identity/sign-in", {
    email,
    password: "open sesame",
  });
  expect(body).toHaveProperty("idToken");
});
