// No admin is made, unmade or deleted without the others knowing: each gets a letter.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLetterBox } from "#testing/service/letter-box.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

const box = createLetterBox();

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({ mailer: box.mailer });
  boss = await shop.person("Boss", "admin");
  await shop.person("Olive", "admin");
});

beforeEach(() => box.empty());

afterAll(() => shop.close());

const change = (uid: string, role: string, headers = {}) =>
  shop.call("PUT", `/api/auth/users/${uid}`, { as: boss, body: { role }, headers });

const emailOf = async (uid: string) => {
  const [row] = await shop.database.sql<{ email: string }[]>`
    select email from identity.profiles where uid = ${uid}`;
  return row?.email ?? "";
};

/** The letters that somebody got: their address, and what they say. */
const letters = () =>
  box.letters.map(({ to, paragraphs }) => `${to}: ${paragraphs.join(" ")}`).toSorted();

test("the other admins read who made whom an admin, who took it away, and who deleted one", async () => {
  const [olive] = await shop.database.sql<{ email: string }[]>`
    select email from identity.profiles where display_name = 'Olive'`;
  const { uid } = await shop.person("Puppet");
  const own = await emailOf(uid);
  await change(uid, "admin", { "Ledger-Rehearsal": "true" });
  expect(letters()).toEqual([]);
  expect((await change(uid, "admin")).status).toBe(200);
  expect(letters()).toEqual([`${olive?.email}: Boss made Puppet (${own}) an admin.`]);
  await change(uid, "admin");
  expect(box.letters).toHaveLength(1);

  box.empty();
  await change(uid, "user");
  expect(letters()).toContain(
    `${olive?.email}: Boss made Puppet (${own}), who was an admin, a consignor.`,
  );

  await change(uid, "admin");
  box.empty();
  expect((await shop.call("DELETE", `/api/auth/users/${uid}`, { as: boss })).status).toBe(200);
  expect(letters()).toEqual([
    `${olive?.email}: Boss deleted the account of Puppet (${own}), who was an admin.`,
    expect.stringMatching(new RegExp(`^${own}: Another admin of .* deleted your account`, "u")),
  ]);
});

test("nobody gets a letter about a consignor who is deleted", async () => {
  const { uid } = await shop.person("Gone");
  expect((await shop.call("DELETE", `/api/auth/users/${uid}`, { as: boss })).status).toBe(200);
  expect(letters()).toEqual([]);
});
