// The log decides what somebody may do: a profile that was changed by hand has no effect, and verify reports it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { userChecks } from "#features/users/checks.ts";
import { falseAdmins } from "#features/users/false-admins.ts";
import { createSetupLink } from "#identity/setup-link.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { makeAdmin } from "#features/users/script-people.ts";
import { callScript } from "#testing/service/script-host.ts";
import { endAccount, makePerson } from "#testing/shop/people.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { events, projections, streams } from "../../features.ts";

let shop: TestApp;

beforeEach(async () => {
  shop = await openTestApp();
});

afterEach(() => shop.close());

const search = (as: TestPerson) => shop.call("GET", "/api/auth/search?q=a", { as });
const setUsername = (as: TestPerson, username: string) =>
  shop.call("POST", "/api/auth/set-username", { as, body: { username } });

async function verify() {
  await shop.runner.catchUp();
  const { sql } = shop.database;
  const books = { sql, streams, events, projections, heads: [], checks: userChecks };
  return verifyBooks({ ...books, withoutReplay: true });
}

describe("a role that is only in a profile", () => {
  test("makes nobody an admin, neither for screens nor for the set-up link, and becomes no event at the next start", async () => {
    const eve = await shop.person("Eve");
    await shop.database
      .ownerSql`update identity.profiles set role = 'admin' where uid = ${eve.uid}`;
    expect((await search(eve)).status).toBe(403);
    const { body } = await shop.call("GET", "/api/auth/me", { as: eve });
    expect(body).toMatchObject({ role: "user" });
    const { sql, clock } = shop.deps;
    expect(await createSetupLink(sql, clock, "http://127.0.0.1")).toContain("#setup=");
    expect(await falseAdmins(sql)).toEqual([
      expect.stringMatching(new RegExp(`^${eve.uid} is an admin in identity.profiles`, "u")),
    ]);
    const boss = await shop.person("Boss", "admin");
    const list = await shop.call("GET", "/api/auth/all-users?role=admin", { as: boss });
    expect(list.body).toMatchObject({ total: 1, users: [{ uid: boss.uid }] });
    const events = await sql`select type from log.events where data ->> 'uid' = ${eve.uid}`;
    expect(events).toHaveLength(0);
    expect((await verify()).problems).toMatchObject([
      {
        check: "users",
        message: expect.stringContaining(`row ${eve.uid}: admin, but the log says user.`),
      },
    ]);
  });

  test("takes nobody's role away, and is corrected by the next event", async () => {
    const boss = await shop.person("Boss", "admin");
    const deputy = await shop.person("Deputy");
    await shop.database.ownerSql`
      update identity.profiles
      set role = case uid when ${boss.uid} then 'user' else 'admin' end`;
    expect((await search(boss)).status).toBe(200);
    expect((await verify()).problems).toHaveLength(2);
    const make = (role: string) =>
      shop.call("PUT", `/api/auth/users/${deputy.uid}`, { as: boss, body: { role } });
    expect((await make("admin")).status).toBe(200);
    expect((await verify()).problems).toMatchObject([
      { message: expect.stringContaining(`row ${boss.uid}: user, but the log says admin`) },
    ]);
  });
});

test("a deletion that was undone in the profile lets nobody in, and verify reports it", async () => {
  const gone = await shop.person("Gone");
  await endAccount(shop.deps, gone.uid);
  await shop.database
    .ownerSql`update identity.profiles set deactivated_at = null where uid = ${gone.uid}`;
  expect((await shop.call("GET", "/api/auth/me", { as: gone })).status).toBe(403);
  expect((await verify()).problems).toMatchObject([
    { message: expect.stringContaining(`row ${gone.uid}: user, but the log says user, deleted`) },
  ]);
});

test("the application can neither insert nor change a role or a deletion, nor delete a profile", async () => {
  const { sql } = shop.database;
  const uid = "someone-0000000000000001";
  for (const forbidden of [
    `insert into identity.profiles (uid, role, created_at) values ('${uid}', 'admin', now())`,
    `insert into identity.profiles (uid, deactivated_at, created_at) values ('${uid}', now(), now())`,
    "update identity.profiles set role = 'admin'",
    "update identity.profiles set deactivated_at = null",
    "delete from identity.profiles",
    "insert into identity.before_the_log (uid, was_admin) values ('x', true)",
  ]) {
    await expect(sql.unsafe(forbidden)).rejects.toThrow(/permission denied/u);
  }
});

describe("usernames", () => {
  const rename = (uid: string, username: string | null) =>
    shop.database.sql`update identity.profiles set username = ${username} where uid = ${uid}`;

  test("that were set by events match the log's reservations in verify", async () => {
    const [avery, blake] = [await shop.person("Avery"), await shop.person("Blake")];
    await setUsername(avery, "owl");
    await setUsername(blake, "fox_2-long-enough-20");
    await setUsername(blake, "fox");
    const named = { email: "n@people.test", username: "by-script" };
    await makePerson({ ...shop.deps, identity: shop.identity }, named);
    expect(await verify()).toMatchObject({ problems: [], notes: [] });
  });

  test("that were changed, swapped, removed or added by hand are reported with the person's uid", async () => {
    const people = await Promise.all(
      ["A1", "A2", "A3", "A4", "A5"].map((name) => shop.person(name)),
    );
    const [swapped, other, changed, bare, fresh] = people.map(({ uid }) => uid) as [
      string,
      string,
      string,
      string,
      string,
    ];
    for (const [index, person] of people.slice(0, 4).entries()) {
      await setUsername(person, `name-${index}`);
    }
    await rename(swapped, "meanwhile");
    await rename(other, "name-0");
    await rename(swapped, "name-1");
    await rename(changed, "another");
    await rename(bare, null);
    await rename(fresh, "brought");
    const found = (await verify()).problems.map(({ message }) => message).toSorted();
    const saying = (uid: string, what: string) => `identity.profiles, row ${uid}: ${what}`;
    expect(found).toEqual(
      [
        saying(swapped, "has another username than the log says"),
        saying(other, "has another username than the log says"),
        saying(changed, "has another username than the log says"),
        saying(bare, "has no username, but the log knows one"),
        saying(fresh, "has a username that the log does not know"),
      ].toSorted(),
    );
  });
});

test("npm run admin makes somebody an admin by their email, in the log and at once", async () => {
  const ada = await shop.person("Ada");
  await shop.identity.ensureUser({ uid: ada.uid, email: ada.email, password: "open sesame" });
  const folder = await mkdtemp(join(tmpdir(), "make-admin-"));
  const { appUrl, ownerUrl } = shop.database;
  try {
    const { code, out } = await callScript("admin.ts", [ada.email.toUpperCase(), "--json"], {
      DATABASE_URL: appUrl,
      DATABASE_OWNER_URL: ownerUrl,
      DATA_DIR: folder,
    });
    expect(code).toBe(0);
    expect(JSON.parse(out.slice(out.indexOf('{"uid"')))).toEqual({
      uid: ada.uid,
      made: true,
      isVerified: false,
      isNamedLikeAnother: false,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect((await search(ada)).status).toBe(200);
  expect(
    await shop.database.sql`
    select actor, data ->> 'cause' as cause from log.events
    where type = 'UserRoleChanged' and data ->> 'uid' = ${ada.uid}`,
  ).toMatchObject([{ actor: "system:admin", cause: "script" }]);
  expect(await falseAdmins(shop.database.sql)).toEqual([]);
});

test("making an admin again changes nothing, and neither a stranger nor somebody invited becomes one", async () => {
  const { sql, ledger, clock } = shop.deps;
  const boss = await shop.person("Boss", "admin");
  await sql`update identity.profiles set email_verified_at = now() where uid = ${boss.uid}`;
  expect(await makeAdmin({ sql, ledger, clock }, boss.email)).toMatchObject({ kind: "was-admin" });
  expect(await makeAdmin({ sql, ledger, clock }, "nobody@people.test")).toEqual({
    kind: "unknown",
  });
  const email = "invited-first@people.test";
  await shop.call("POST", "/api/auth/invitations", { as: boss, body: { email } });
  await sql`update identity.profiles set email_verified_at = now() where email = ${email}`;
  expect(await makeAdmin({ sql, ledger, clock }, email)).toMatchObject({ kind: "refused" });
});
