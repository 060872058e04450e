// A note is erased with the person, kept 180 days, and never in the way of a call.
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { securityLogResponse } from "#features/security/contract.ts";
import { forgetLateNotes } from "#identity/forget-notes.ts";
import { createSecurityLog } from "#identity/security-log.ts";
import { erasePerson } from "#identity/users.ts";
import { cleanSecurityLog, NOTES_KEPT_DAYS } from "#process/security-cleaning.ts";
import { post } from "#testing/service/siege.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { textIn, visitorOf } from "#testing/service/visitor.ts";

const DAY_MS = 86_400_000;
const PLENTY = { ofStrangers: 100, ofAPerson: 100, ofASaver: 100, ofPeople: 100 };

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({ proxyCount: 1 });
  boss = await shop.person("Boss", "admin");
});

beforeEach(async () => {
  await shop.identity.parts.securityLog.flush();
  await shop.database.sql`delete from security.log`;
});

afterAll(() => shop.close());

async function page() {
  await shop.identity.parts.securityLog.flush();
  // The clock moves by more than a token lives.
  const as = { ...boss, token: await shop.identity.issueTokenFor(boss.uid) };
  return securityLogResponse.parse((await shop.call("GET", "/api/security/log", { as })).body);
}

async function kindsNow(): Promise<string[]> {
  return (await page()).notes.map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted();
}

test("each row is a line of the process's log, with the same HMAC of a typed email", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const log = createSecurityLog({ ...shop.deps, logger });
  const origin = { address: "2001:db8:1:2::3", userAgent: "Test browser" };
  const about = { email: "Typed@people.test" };
  log.count({ kind: "sign-in", outcome: "limited", about, detail: "password", origin });
  log.count({ kind: "sign-in", outcome: "limited", about, detail: "password", origin });
  await log.flush();
  expect(lines).toHaveLength(1);
  const [row] = await shop.database.sql<{ hash: string }[]>`
    select email_hash as hash from security.log`;
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "security",
    security: {
      kind: "sign-in",
      outcome: "limited",
      uid: null,
      emailHash: row?.hash,
      network: "2001:db8:1::/48",
      address: "2001:db8:1:2::3",
      userAgent: "Test browser",
      count: 2,
    },
  });
  expect(lines[0]?.toLowerCase()).not.toContain("typed@");
});

test("an erased person's notes are gone, and a deleted admin's name is gone from theirs", async () => {
  const [gone, stays] = [await shop.person("Gone"), await shop.person("Stays")];
  const { note } = shop.identity.parts.securityLog;
  const origin = { address: "203.0.113.77", userAgent: "Gone's browser" };
  await note({ kind: "sign-in", outcome: "ok", about: { uid: gone.uid }, origin });
  await note({ kind: "sign-in", outcome: "wrong", about: { email: "GONE@people.test" }, origin });
  await note({
    kind: "role-changed",
    outcome: "ok",
    about: { uid: stays.uid },
    byUid: gone.uid,
    origin,
  });
  await shop.database.sql.begin((transaction) => erasePerson(transaction, TEST_NOW, gone.uid));
  // A request that was running at the time.
  await note({ kind: "sign-out", outcome: "ok", about: { uid: gone.uid }, origin });
  const { notes } = await page();
  expect(notes).toMatchObject([
    { kind: "role-changed", person: { uid: stays.uid }, by: null, address: null, userAgent: null },
  ]);
  const rows = await shop.database.sql`select to_jsonb(l)::text as text from security.log l`;
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.77|Gone|people/);
});

test("that the store saved an erased person's lists stays noted, and that they saved their own does not", async () => {
  const gone = await shop.person("Taken");
  const { note } = shop.identity.parts.securityLog;
  const origin = { address: "203.0.113.78", userAgent: "Boss's browser" };
  const own = { address: "203.0.113.79", userAgent: "Taken's browser" };
  const saved = { kind: "exported", outcome: "ok", about: { uid: gone.uid } } as const;
  const byBoss = { ...saved, byUid: boss.uid, origin };
  await note({ ...byBoss, detail: "sales.csv, 2 kB · from 2026-11-01" });
  await note({ ...saved, detail: "sales.csv, 2 kB", origin: own });
  await note({ kind: "role-changed", outcome: "ok", about: saved.about, byUid: boss.uid, origin });
  await shop.database.sql.begin((transaction) => erasePerson(transaction, TEST_NOW, gone.uid));
  // A file that was being sent at the time.
  shop.advance(1_000);
  await note({ ...byBoss, detail: "ledger.csv, 1 kB, not to its end" });
  await note({ ...saved, detail: "my-data.json, 1 kB", origin: own });
  await forgetLateNotes(shop.database.sql);
  shop.advance(-1_000);
  const whose = { uid: gone.uid, name: "Deleted user" };
  const kept = { person: whose, by: { uid: boss.uid }, address: "203.0.113.78" };
  expect((await page()).notes).toMatchObject([
    { ...kept, detail: "ledger.csv, 1 kB, not to its end" },
    { ...kept, detail: "sales.csv, 2 kB · from 2026-11-01" },
  ]);
  const rows = await shop.database.sql`select to_jsonb(l)::text as text from security.log l`;
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.79|Taken|people/);
});

test("what a deleted admin saved, and who made them one, stays noted without their address", async () => {
  const puppet = await shop.person("Puppet", "admin");
  const { note } = shop.identity.parts.securityLog;
  const origin = { address: "203.0.113.80", userAgent: "Boss's browser" };
  const own = { address: "203.0.113.81", userAgent: "Puppet's browser" };
  const about = { uid: puppet.uid };
  await note({ kind: "role-changed", outcome: "ok", about, byUid: boss.uid, origin });
  await note({ kind: "exported", outcome: "ok", about, detail: "people.csv, 200 kB", origin: own });
  await note({ kind: "sign-in", outcome: "ok", about, origin: own });
  await shop.database.sql.begin((transaction) => erasePerson(transaction, TEST_NOW, puppet.uid));
  // A file that was being sent at the time.
  shop.advance(1_000);
  await note({ kind: "exported", outcome: "ok", about, detail: "sales.csv, 1 kB", origin: own });
  await shop.identity.parts.securityLog.flush();
  await forgetLateNotes(shop.database.sql);
  shop.advance(-1_000);
  const person = { uid: puppet.uid, name: "Deleted user" };
  const { notes } = await page();
  expect(notes.toSorted((a, b) => ((a.detail ?? "") < (b.detail ?? "") ? -1 : 1))).toMatchObject([
    { kind: "role-changed", person, by: { uid: boss.uid }, address: "203.0.113.80" },
    { kind: "exported", person, by: null, address: null, detail: "people.csv, 200 kB" },
    { kind: "exported", person, by: null, address: null, detail: "sales.csv, 1 kB" },
  ]);
  const rows = await shop.database.sql`select to_jsonb(l)::text as text from security.log l`;
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.81|Puppet|people\.test/);
});

test("notes are kept 180 days, and only so many of strangers", async () => {
  const kim = await shop.person("Kimmy");
  const { note } = shop.identity.parts.securityLog;
  const from = (address: string) => ({ address, userAgent: undefined });
  for (const address of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
    await note({ kind: "sign-in", outcome: "wrong", about: "nobody", origin: from(address) });
    shop.advance(1_000);
  }
  await note({
    kind: "sign-in",
    outcome: "ok",
    about: { uid: kim.uid },
    origin: from("198.51.100.4"),
  });
  await cleanSecurityLog(shop.deps, { ...PLENTY, ofStrangers: 2 });
  const addresses = async () => (await page()).notes.map(({ address }) => address);
  expect(await addresses()).toEqual(["198.51.100.4", "198.51.100.3", "198.51.100.2"]);
  shop.advance(NOTES_KEPT_DAYS * DAY_MS - 1_000);
  await cleanSecurityLog(shop.deps);
  // A flush in between may not have noted the calls of this test.
  expect(await addresses()).toContain("198.51.100.4");
  shop.advance(2_000);
  await cleanSecurityLog(shop.deps);
  expect(await addresses()).not.toContain("198.51.100.4");
  shop.advance(-(NOTES_KEPT_DAYS * DAY_MS) - 2_000);
});

test("what strangers try with a person's account never pushes out what was done to it", async () => {
  const kim = await shop.person("Tried");
  const { note } = shop.identity.parts.securityLog;
  const origin = { address: "198.51.100.40", userAgent: undefined };
  const about = { uid: kim.uid };
  await note({ kind: "payout-handle-chosen", outcome: "ok", about, byUid: boss.uid, origin });
  for (const last of [41, 42, 43, 44]) {
    shop.advance(1_000);
    const from = { address: `198.51.100.${last}`, userAgent: undefined };
    await note({ kind: "sign-in", outcome: "wrong", about, origin: from });
  }
  const left = async (most: { ofAPerson: number; ofPeople: number }) => {
    await cleanSecurityLog(shop.deps, { ...PLENTY, ...most });
    const rows = await shop.database.sql<{ address: string }[]>`
      select address from security.log where uid = ${kim.uid} order by address`;
    return rows.map(({ address }) => Number(address.slice(-2)));
  };
  expect(await left({ ofAPerson: 3, ofPeople: 100 })).toEqual([40, 43, 44]);
  expect(await left({ ofAPerson: 3, ofPeople: 1 })).toEqual([40]);
  shop.advance(-4_000);
});

test("only so many notes are kept of a person, and of all people; sign-ins and admins' last longest", async () => {
  const [kim, lee] = [await shop.person("Crowded"), await shop.person("Quiet")];
  const { note } = shop.identity.parts.securityLog;
  const add = async (uid: string, kind: "sign-in" | "sign-out", address: string) => {
    const origin = { address, userAgent: undefined };
    await note({ kind, outcome: "ok", about: { uid }, origin });
    shop.advance(1_000);
  };
  await add(boss.uid, "sign-out", "198.51.100.20");
  await add(kim.uid, "sign-in", "198.51.100.21");
  for (const last of [22, 23, 24]) {
    await add(kim.uid, "sign-out", `198.51.100.${last}`);
  }
  await add(lee.uid, "sign-out", "198.51.100.25");
  const left = async (most: { ofAPerson: number; ofPeople: number }) => {
    await cleanSecurityLog(shop.deps, { ...PLENTY, ...most });
    const rows = await shop.database.sql<{ address: string }[]>`
      select address from security.log where address like '198.51.100.2_' order by address`;
    return rows.map(({ address }) => Number(address.slice(-2)));
  };
  expect(await left({ ofAPerson: 3, ofPeople: 100 })).toEqual([20, 21, 23, 24, 25]);
  expect(await left({ ofAPerson: 3, ofPeople: 4 })).toEqual([20, 21, 24, 25]);
  expect(await left({ ofAPerson: 3, ofPeople: 1 })).toEqual([20, 21]);
  shop.advance(31 * DAY_MS);
  expect(await left({ ofAPerson: 3, ofPeople: 1 })).toEqual([21]);
  shop.advance(-31 * DAY_MS - 6_000);
});

test("who saves thousands of files pushes out neither others' notes nor their own of other days and other lists", async () => {
  const [avery, thief] = [await shop.person("Robbed"), await shop.person("Thief", "admin")];
  const { note } = shop.identity.parts.securityLog;
  const save = async (uid: string, byUid: string | undefined, detail: string) => {
    const by = byUid === undefined ? {} : { byUid };
    await note({
      kind: "exported",
      outcome: "ok",
      about: { uid },
      ...by,
      detail,
      origin: undefined,
    });
    shop.advance(1_000);
  };
  const left = async (ofASaver: number) => {
    await cleanSecurityLog(shop.deps, { ...PLENTY, ofASaver, ofAPerson: 1 });
    const rows = await shop.database.sql<{ detail: string }[]>`
      select detail from security.log where detail like '%.csv%' or detail = 'password' order by noted_at`;
    return rows.map(({ detail }) => detail);
  };
  const who = { about: { uid: thief.uid }, origin: undefined };
  await note({ kind: "sign-out", outcome: "ok", detail: "password", ...who });
  await save(avery.uid, boss.uid, "ledger.csv, 1 kB");
  await save(avery.uid, thief.uid, "ledger.csv, 2 kB");
  shop.advance(DAY_MS);
  await save(thief.uid, undefined, "sales.csv, 3 kB");
  await save(avery.uid, thief.uid, "sales.csv, 4 kB");
  for (let index = 0; index < 9; index += 1) {
    await save(thief.uid, undefined, `statement-2026-11-0${index}.csv, 5 kB`);
    await save(avery.uid, undefined, `sales.csv, 6 kB · from ${index}`);
  }
  shop.advance(DAY_MS);
  await save(thief.uid, undefined, "sales.csv, 7 kB");
  const kept = ["password", "ledger.csv, 1 kB", "ledger.csv, 2 kB", "sales.csv, 3 kB"];
  expect((await left(9)).filter((detail) => !detail.includes(" 6 kB"))).toEqual([
    ...kept,
    "sales.csv, 4 kB",
    ...[0, 1, 2, 3, 4].map((index) => `statement-2026-11-0${index}.csv, 5 kB`),
    "sales.csv, 7 kB",
  ]);
  expect((await left(5)).filter((detail) => !detail.includes(" 6 kB"))).toEqual([
    ...kept,
    "sales.csv, 4 kB",
    "statement-2026-11-00.csv, 5 kB",
    "sales.csv, 7 kB",
  ]);
  // After 30 days only their age counts.
  shop.advance(31 * DAY_MS);
  expect(await left(1)).toEqual([
    "password",
    "ledger.csv, 1 kB",
    "sales.csv, 6 kB · from 4",
    "sales.csv, 7 kB",
  ]);
  shop.advance(-33 * DAY_MS - 23_000);
});

test("a note that cannot be written is in the process's log, and the call is answered all the same", async () => {
  const email = "broken@people.test";
  await shop.identity.ensureUser({ email, password: "open sesame" });
  await shop.database.ownerSql`alter table security.log rename to log_away`;
  try {
    const visitor = visitorOf(shop, "203.0.113.10");
    const answer = await visitor.enter("/api/identity/sign-in", { email, password: "open sesame" });
    expect(answer.status).toBe(200);
    expect(textIn(answer, "uid")).not.toBe("");
  } finally {
    await shop.database.ownerSql`alter table security.log_away rename to log`;
  }
  expect(shop.errorLines.at(-1)).toContain("notes of the security log could not be written");
  expect(shop.errorLines.at(-1)).not.toContain(email);
});

test("while the table is locked, refusals are answered at once, and a sign-in after a second", async () => {
  const kim = await shop.person("Patient");
  const email = "patient-owner@people.test";
  await shop.identity.ensureUser({ email, password: "open sesame" });
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = shop.database.ownerSql.begin(async (transaction) => {
    await transaction`lock table security.log in access exclusive mode`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  try {
    expect((await shop.call("GET", "/api/auth/all-users", { as: kim })).status).toBe(403);
    const signIn = { email, password: "open sesame" };
    expect((await post(visitorOf(shop, "203.0.113.11"), "sign-in", signIn)).status).toBe(200);
  } finally {
    unlock.resolve();
    await holding;
  }
  await expect.poll(() => kindsNow()).toEqual(["access-refused refused", "sign-in ok"]);
});
