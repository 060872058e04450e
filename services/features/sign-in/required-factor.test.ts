// Where admins need a second factor, one without it can set one up and do nothing else, and cannot remove the last one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { hotp, stepOf } from "#identity/totp.ts";
import { softPasskey } from "#testing/service/soft-passkey.ts";
import { fromBase32 } from "#testing/service/factor-hands.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { textIn } from "#testing/service/visitor.ts";

let shop: TestApp;
let admin: TestPerson;
let user: TestPerson;
beforeAll(async () => {
  shop = await openTestApp({ adminSecondFactor: "required" });
  [admin, user] = [await shop.person("Robin", "admin"), await shop.person("Avery")];
});
afterAll(() => shop.close());

const get = (path: string, as = admin) => shop.call("GET", `/api/${path}`, { as });
const post = (path: string, body: object = {}, as = admin) =>
  shop.call("POST", `/api/identity/${path}`, { as, body, headers: { Origin: "http://app.test" } });

const refused = { status: 403, body: { error: "second_factor_required" } };

test("an admin without a second factor reads their own profile and nothing else", async () => {
  expect(await get("auth/me")).toMatchObject({ status: 200, body: { lacksFactor: true } });
  const paths = ["auth/all-users", "identity/sessions", `auth/users/${user.uid}`, "live"];
  const answers = await Promise.all(paths.map((path) => get(path)));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(answers[0]).toMatchObject(refused);
  expect(await shop.call("DELETE", `/api/auth/users/${user.uid}`, { as: admin })).toMatchObject(
    refused,
  );
});

test("an admin who comes by an outside issuer needs a token that says so, set up here or not", async () => {
  const [person, consignor] = [admin, user];
  const at = { issuer: "https://other.test", authenticatedAt: shop.deps.clock() };
  await shop.database.sql`
    insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
    values (${at.issuer}, 'robin', ${person.uid}, now()), (${at.issuer}, 'avery', ${consignor.uid}, now())`;
  const kindOf = async (subject: string, hasSecondFactor: boolean) => {
    const token = {
      ...at,
      subject,
      issuedAt: at.authenticatedAt,
      expiresAt: new Date(at.authenticatedAt.getTime() + 60_000),
      epoch: 0,
      sessionId: null,
      keyId: null,
      claims: { email: null, emailVerified: false, name: null },
      hasSecondFactor,
    };
    return (await shop.identity.findStanding(token)).kind;
  };
  expect(await kindOf("robin", false)).toBe("one-factor");
  expect(await kindOf("robin", true)).toBe("present");
  expect(await kindOf("avery", false)).toBe("present");
});

test("consignors need none", async () => {
  const me = await get("auth/me", user);
  expect(me.status).toBe(200);
  expect(me.body).not.toHaveProperty("lacksFactor");
  expect((await get("identity/sessions", user)).status).toBe(200);
});

test("the admin sets one up and works; the last one stays, another one can be removed", async () => {
  const secret = fromBase32(textIn(await post("factors/totp/start"), "secret"));
  const code = hotp(secret, stepOf(shop.deps.clock()));
  expect((await post("factors/totp", { code })).status).toBe(200);
  expect((await get("auth/all-users")).status).toBe(200);
  const listed = JSON.stringify((await get("identity/factors")).body);
  const app = String(/"id":"([^"]+)"/.exec(listed)?.[1]);
  const remove = (id: string) => shop.call("DELETE", `/api/identity/factors/${id}`, { as: admin });
  expect(await remove(app)).toMatchObject({ status: 409, body: { error: "last_factor" } });
  const { body } = await post("factors/passkey/start");
  const passkey = softPasskey().create(Reflect.get(Object(body), "options"));
  expect((await post("factors/passkey", { name: "Key", passkey })).status).toBe(200);
  expect((await remove(app)).status).toBe(200);
  expect((await get("auth/all-users")).status).toBe(200);
});
