// Everything that opens an account or fails to is noted once, without secrets, for admins and for the person.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { ownSecurityResponse, securityLogResponse } from "#features/security/contract.ts";
import type { ListedNote } from "#features/security/contract.ts";
import { exportSecurityLog } from "#features/security/exports.ts";
import { post, siegeOf } from "#testing/service/siege.ts";
import { batchesOf } from "#testing/service/batches-of.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { type Visitor, visitorOf } from "#testing/service/visitor.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({ proxyCount: 1 });
  boss = await shop.person("Boss", "admin");
});

beforeEach(async () => {
  await shop.database.sql`delete from identity.rate_limits`;
  await shop.identity.parts.securityLog.flush();
  await shop.database.sql`delete from security.log`;
});

afterAll(() => shop.close());

async function ask(query = "") {
  await shop.identity.parts.securityLog.flush();
  // The clock moves by more than a token lives.
  const as = { ...boss, token: await shop.identity.issueTokenFor(boss.uid) };
  return shop.call("GET", `/api/security/log${query}`, { as });
}

async function page(query = "") {
  return securityLogResponse.parse((await ask(query)).body);
}

/** "sign-in wrong", the newest last. */
const short = ({ kind, outcome }: Pick<ListedNote, "kind" | "outcome">) => `${kind} ${outcome}`;

async function kindsNow(query = ""): Promise<string[]> {
  return (await page(query)).notes.map(short).toSorted();
}

const letterToken = (): string => shop.letters.at(-1)?.action.url.split("token=")[1] ?? "";

async function ownNotes(visitor: Visitor) {
  const answer = await visitor.send("GET", "/api/security/log/own?limit=50");
  return ownSecurityResponse.parse(answer.body).notes;
}

test("a walk through every door is noted, and nothing that is noted is a secret", async () => {
  const secrets = ["open sesame", "wrong guess", "a new password"];
  const email = "walker@people.test";
  const walker = visitorOf(shop, "203.0.113.7");
  const keep = () => {
    secrets.push(walker.token() ?? "-", letterToken(), ...walker.cookies.values());
  };
  await walker.enter("/api/identity/sign-up", { email, password: "open sesame" });
  keep();
  await post(walker, "verify-email", {});
  keep();
  await post(walker, "verify-email/confirm", { token: "wrong guess" });
  await post(walker, "verify-email/confirm", { token: letterToken() });
  await post(walker, "sign-in", { email, password: "wrong guess" });
  await walker.enter("/api/identity/sign-in", { email, password: "open sesame" });
  keep();
  await post(walker, "password-reset", { email });
  keep();
  await post(walker, "password-reset/confirm", {
    token: "wrong guess",
    password: "a new password",
  });
  await post(walker, "password-reset/confirm", {
    token: letterToken(),
    password: "a new password",
  });
  await walker.enter("/api/identity/sign-in", { email, password: "a new password" });
  keep();
  expect((await walker.send("GET", "/api/security/log")).status).toBe(403);
  await post(walker, "setup", { token: "wrong guess" });
  await post(walker, "sign-out", {});
  expect(await kindsNow()).toEqual([
    "access-refused refused",
    "email-verification-asked ok",
    "email-verified ok",
    "email-verified wrong",
    "first-admin wrong",
    "password-reset ok",
    "password-reset wrong",
    "password-reset-asked ok",
    "session-ended ok",
    "sign-in ok",
    "sign-in wrong",
    "sign-out ok",
    "sign-up ok",
  ]);
  const rows = await shop.database.sql<{ text: string }[]>`
    select to_jsonb(l)::text as text from security.log l`;
  const everything = rows.map(({ text }) => text).join("\n");
  expect(everything).toContain("203.0.113.7");
  expect(secrets.filter((secret) => secret.length > 1 && everything.includes(secret))).toEqual([]);
  expect(everything).not.toContain("walker@");
  await walker.enter("/api/identity/sign-in", { email, password: "a new password" });
  const own = await ownNotes(walker);
  expect(own.map(short).toSorted()).not.toContain("password-reset wrong");
  expect(own.find(({ kind, outcome }) => kind === "sign-in" && outcome === "ok")).toMatchObject({
    count: 3,
    address: "203.0.113.7",
    userAgent: "Test browser",
    byStore: false,
  });
});

test("a copied session is noted where its old token is used", async () => {
  const owner = await siegeOf(shop, "copied@people.test").signUp(visitorOf(shop, "203.0.113.8"));
  const thief = visitorOf(shop, "198.51.100.66");
  for (const [name, value] of owner.cookies) {
    thief.cookies.set(name, value);
  }
  await post(owner, "refresh", {});
  shop.advance(60_000);
  expect((await post(thief, "refresh", {})).status).toBe(401);
  const [note] = (await page("?kind=token-reuse")).notes;
  expect(note).toMatchObject({ outcome: "refused", address: "198.51.100.66" });
  expect(note?.person).not.toBeNull();
  await shop.database.sql`delete from security.log`;
  // Whoever repeats it tells nothing new.
  await post(thief, "refresh", {});
  expect(await kindsNow()).toEqual([]);
});

test("a new role and a new email are noted with the admin, whom the person knows as the store", async () => {
  const email = "promoted@people.test";
  const visitor = await siegeOf(shop, email).signUp(visitorOf(shop, "203.0.113.9"));
  const [row] = await shop.database.sql<{ uid: string }[]>`
    select uid from identity.profiles where email = ${email}`;
  const uid = row?.uid ?? "";
  const change = (body: object) =>
    shop.call("PUT", `/api/auth/users/${uid}`, { as: boss, body: { ...body, reason: "Asked" } });
  expect((await change({ role: "admin" })).status).toBe(200);
  // The same again changes nothing.
  expect((await change({ role: "admin" })).status).toBe(200);
  const { notes } = await page(`?person=${uid}&kind=role-changed`);
  expect(notes).toMatchObject([
    { outcome: "ok", count: 1, detail: "user to admin", person: { uid }, by: { name: "Boss" } },
  ]);
  await change({ role: "user" });
  const own = (await ownNotes(visitor)).filter(({ kind }) => kind === "role-changed");
  expect(own).toHaveLength(2);
  expect(own.every(({ byStore, address }) => byStore && address === null)).toBe(true);
  expect(JSON.stringify(own)).not.toContain(boss.uid);
});

test("strangers who guess from ever new /64s are one row with a counter, and the refused ones another", async () => {
  await shop.identity.ensureUser({ email: "victim@people.test", password: "open sesame" });
  const guess = (index: number, email: string) =>
    post(visitorOf(shop, `2001:db8:9:${index.toString(16)}::1`), "sign-in", {
      email,
      password: "x",
    });
  for (let index = 0; index < 25; index += 1) {
    expect((await guess(index, `nobody-${index}@people.test`)).status).toBe(400);
  }
  const { notes } = await page();
  expect(notes).toMatchObject([
    { kind: "sign-in", outcome: "wrong", count: 25, network: "2001:db8:9::/48", person: null },
  ]);
  // Not all of them typed the same email or came from the same address.
  expect(notes[0]).toMatchObject({ email: null, address: null, userAgent: "Test browser" });
  await Promise.all(Array.from({ length: 12 }, () => guess(99, "victim@people.test")));
  const limited = (await page("?outcome=limited")).notes;
  expect(limited).toMatchObject([{ kind: "sign-in", count: 2, person: null }]);
  expect(limited[0]?.email).toMatch(/^[\w-]{8}$/);
});

test("refused calls are counted for the person who made them, by the name of the call", async () => {
  const kim = await shop.person("Kim");
  for (let index = 0; index < 7; index += 1) {
    expect((await shop.call("GET", "/api/auth/all-users?q=secret", { as: kim })).status).toBe(403);
  }
  expect(await page("?kind=access-refused")).toMatchObject({
    notes: [{ count: 7, detail: "GET /api/auth/all-users forbidden", person: { uid: kim.uid } }],
  });
});

test("pages and filters follow the address", async () => {
  const kim = await shop.person("Kimberly");
  const note = shop.identity.parts.securityLog.note;
  const origin = { address: "203.0.113.9", userAgent: undefined };
  for (let index = 0; index < 7; index += 1) {
    shop.advance(600_000);
    await note({ kind: "sign-in", outcome: "ok", about: { uid: kim.uid }, origin });
  }
  await note({ kind: "sign-in", outcome: "wrong", about: "nobody", origin });
  const seen: ListedNote[] = [];
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && pages < 9; pages += 1) {
    const next: z.infer<typeof securityLogResponse> = await page(
      `?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    expect(next.notes.length).toBeLessThanOrEqual(3);
    seen.push(...next.notes);
    cursor = next.nextCursor;
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(8);
  const times = seen.map(({ notedAt }) => notedAt);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await page(`?person=${kim.uid}&outcome=ok&kind=sign-in`)).notes).toHaveLength(7);
  expect((await page(`?person=${boss.uid}`)).notes).toHaveLength(0);
  const third = seen.at(-3)?.notedAt ?? "";
  expect((await page(`?from=${third}&person=${kim.uid}`)).notes).toHaveLength(5);
  expect((await page(`?to=${third}`)).notes).toHaveLength(2);
  for (const query of ["?kind=nothing", "?cursor=1", "?outcome=fine", "?limit=999", "?uid=x"]) {
    expect((await ask(query)).status).toBe(400);
  }
});

test("the file has the lines of the filtered list, what the screen shows of each, and no more", async () => {
  const kim = await shop.person('=HYPERLINK("x")');
  const note = shop.identity.parts.securityLog.note;
  const origin = { address: "203.0.113.9", userAgent: "Test browser" };
  for (const kind of ["totp-added", "totp-removed", "sign-in"] as const) {
    shop.advance(600_000);
    const about = { uid: kim.uid };
    await note({ kind, outcome: "ok", about, byUid: boss.uid, detail: "asked", origin });
  }
  await note({ kind: "sign-in", outcome: "wrong", about: { email: "who@people.test" }, origin });
  const [first] = (await page("?outcome=wrong")).notes;
  const fileOf = async (query: string) => {
    const as = { ...boss, token: await shop.identity.issueTokenFor(boss.uid) };
    const { body } = await shop.call("GET", `/api/security/log/export${query}`, { as });
    return String(body).trimEnd().split("\r\n");
  };
  const [head, ...all] = await fileOf("");
  expect(head).toBe("What happened,Detail,Outcome,Account,Address,Device,Times,First at,Last at");
  expect(all).toHaveLength(4);
  expect(await fileOf("?kind=sign-in&outcome=wrong")).toEqual([
    head,
    `Sign-in,,Wrong,Unknown email ${first?.email},203.0.113.9,Test browser,1,${first?.notedAt},${first?.lastAt}`,
  ]);
  const [, added] = await fileOf("?kind=totp-added");
  expect(added).toMatch(
    /^Authenticator app added,asked,Done,"'=HYPERLINK\(""x""\), by Boss",203\.0\.113\.9,Test browser,1,/u,
  );
  const everything = all.join("\n");
  for (const hidden of [kim.uid, boss.uid, "who@people.test", "@", "token", "password"]) {
    expect(everything).not.toContain(hidden);
  }
  const { sql } = shop.database;
  // The files that were just saved have notes too.
  await sql`delete from security.log where kind = 'exported'`;
  const paged = await batchesOf(exportSecurityLog(sql, {}, { lines: 4, page: 3 }));
  expect(paged.map((batch) => batch.length)).toEqual([3, 1]);
  const tooLong = exportSecurityLog(sql, {}, { lines: 3, page: 3 }).next();
  await expect(tooLong).rejects.toMatchObject({ code: "too_many_lines" });
});

test("nobody sees another person's notes, not even by asking for them", async () => {
  const [one, other] = [await shop.person("One"), await shop.person("Other")];
  const origin = { address: "203.0.113.9", userAgent: undefined };
  const about = { uid: one.uid };
  await shop.identity.parts.securityLog.note({ kind: "sign-in", outcome: "ok", about, origin });
  const own = await shop.call("GET", "/api/security/log/own", { as: other });
  expect(own.body).toEqual({ notes: [], nextCursor: null });
  const asked = await shop.call("GET", `/api/security/log/own?person=${one.uid}`, { as: other });
  expect(asked.status).toBe(400);
});

test("a refusal that only asks who somebody is leaves no note", async () => {
  const kim = await shop.person("Asked");
  shop.advance(300_001);
  const as = { ...kim, token: await shop.identity.issueTokenFor(kim.uid) };
  shop.advance(300_001);
  const asked = await shop.call("POST", "/api/identity/link-password", {
    as,
    body: { password: "open sesame" },
  });
  expect(asked.body).toMatchObject({ error: "recent_sign_in_required" });
  expect(await kindsNow()).toEqual([]);
});

test("one's own data has one's own notes", async () => {
  const kim = await shop.person("Curious");
  const origin = { address: "203.0.113.12", userAgent: "Test browser" };
  const { note } = shop.identity.parts.securityLog;
  await note({ kind: "sign-in", outcome: "ok", about: { uid: kim.uid }, origin });
  await note({ kind: "sign-in", outcome: "ok", about: { uid: boss.uid }, origin });
  const { body } = await shop.call("GET", "/api/auth/me/export", { as: kim });
  expect(body).toMatchObject({
    security: [{ what: "sign-in", outcome: "ok", count: 1, address: "203.0.113.12" }],
  });
});
