// A file that somebody saves leaves a note in the security log: what, of whom, with which filters, how large, and if all of it.
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ownSecurityResponse, securityLogResponse } from "#features/security/contract.ts";
import type { AppEnv } from "#http/env.ts";
import { noteExports } from "#http/export-notes.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  [boss, avery] = [await shop.person("Boss", "admin"), await shop.person("Avery")];
});

beforeEach(async () => {
  await shop.database.sql`delete from security.log`;
});

afterAll(() => shop.close());

async function save(path: string, { token }: TestPerson, init: RequestInit = {}) {
  return shop.app.request(`/api${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${token}` },
  });
}

async function notes() {
  const { body } = await shop.call("GET", "/api/security/log?kind=exported", { as: boss });
  return securityLogResponse.parse(body).notes;
}

async function ownNotes(as: TestPerson) {
  const { body } = await shop.call("GET", "/api/security/log/own", { as });
  return ownSecurityResponse.parse(body).notes;
}

test("it says the file, its size and its filters, but no text that somebody typed", async () => {
  const path = `/sales/export?from=2026-11-01T00%3A00%3A00.000Z&searchTerm=avery@home.test&sort=price`;
  const bytes = (await (await save(path, boss)).arrayBuffer()).byteLength;
  expect(await notes()).toMatchObject([
    {
      kind: "exported",
      outcome: "ok",
      count: 1,
      person: { uid: boss.uid },
      by: null,
      detail: `sales.csv, ${bytes} B · from 2026-11-01T00:00:00.000Z, searchTerm`,
    },
  ]);
  const { body } = await shop.call("GET", "/api/security/log/export?kind=exported", { as: boss });
  expect(body).toContain(
    `File saved,"sales.csv, ${bytes} B · from 2026-11-01T00:00:00.000Z, searchTerm",Done,Boss`,
  );
});

test("a call that takes no query notes no filters, and refuses an address with words that would look like some", async () => {
  const words =
    "?from=Boss%20approved%20this&Approved-by-Boss=1&consignor=aaaaaaaaaaaaaaaaaaaaaaaaa";
  for (const [path, person] of [
    ["/auth/me/export", avery],
    ["/till/days/export", boss],
  ] as const) {
    expect((await save(`${path}${words}`, person)).status).toBe(400);
    await (await save(path, person)).text();
  }
  const details = (await notes()).map(({ detail }) => detail ?? "").join("\n");
  expect(details).toMatch(/^[a-z-]+\.\w+, [\d.]+ k?B\n[a-z-]+\.\w+, [\d.]+ k?B$/u);
});

test("a list of a consignor that an admin saves is a note about the consignor, by the admin, which the consignor's own log leaves out", async () => {
  await (await save(`/sales/ledger/${avery.uid}/export`, boss)).text();
  expect(await notes()).toMatchObject([{ person: { uid: avery.uid }, by: { uid: boss.uid } }]);
  await (await save(`/sales/ledger/${avery.uid}/export`, avery)).text();
  expect(await ownNotes(avery)).toMatchObject([{ kind: "exported", byStore: false }]);
});

test("who saved a file reads in their own log which one, without what they filtered by; of the store's files there is none", async () => {
  await (await save(`/sales/history/${avery.uid}/export?status=refunded`, boss)).text();
  const path = `/sales/history/${avery.uid}/export?status=sold&searchTerm=lamp`;
  const bytes = (await (await save(path, avery)).arrayBuffer()).byteLength;
  const file = expect.stringMatching(new RegExp(`^[\\w-]+\\.csv, ${bytes} B$`, "u")) as string;
  expect(await ownNotes(avery)).toMatchObject([{ kind: "exported", file }]);
  const data = await (await save("/auth/me/export", avery)).text();
  expect(data).toContain(`.csv, ${bytes} B`);
  expect(data).not.toContain("status ");
});

test("nobody looks at the body of an answer that is no file: the server would send it as a stream, which takes three times as long", async () => {
  let looks = 0;
  class Watched extends Response {
    override get body() {
      looks += 1;
      return super.body;
    }
  }
  const app = new Hono<AppEnv>();
  app.use(noteExports);
  app.get("/", () => new Watched("{}", { headers: { "Content-Type": "application/json" } }));
  expect(await (await app.request("/")).json()).toEqual({});
  expect(looks).toBe(0);
});

test("a file whose reader leaves is noted as far as it was sent; a refused one and the head of one are not", async () => {
  expect((await save("/sales/export?from=never", boss)).status).toBe(400);
  await (await save("/sales/export", boss, { method: "HEAD" })).text();
  expect(await notes()).toEqual([]);
  const left = await save("/sales/export", boss);
  await left.body?.cancel();
  expect(await notes()).toMatchObject([
    { outcome: "cut-off", detail: "sales.csv, 0 B, not to its end" },
  ]);
  const { body } = await shop.call("GET", "/api/security/log?outcome=cut-off", { as: boss });
  expect(securityLogResponse.parse(body).notes).toHaveLength(1);
});

test("a file is there all the same if its note cannot be written, which the process's log says", async () => {
  await shop.database.ownerSql`alter table security.log rename to log_away`;
  try {
    expect(await (await save("/sales/export", boss)).text()).toContain("Item");
  } finally {
    await shop.database.ownerSql`alter table security.log_away rename to log`;
  }
  expect(shop.errorLines.at(-1)).toContain("notes of the security log could not be written");
});

test("who saves more files than the log has rows for leaves the call of each", async () => {
  const busy = await shop.person("Busy", "admin");
  for (let index = 0; index < 101; index += 1) {
    await (await save(`/sales/export?from=2026-11-01T00:00:00.${100 + index}Z`, busy)).text();
  }
  await (await save("/payouts/settled/export", busy)).text();
  const { body } = await shop.call("GET", "/api/security/log?kind=exported&limit=200", {
    as: boss,
  });
  const details = securityLogResponse.parse(body).notes.map(({ detail }) => detail);
  expect(details).toHaveLength(102);
  expect(details).toContain("/api/payouts/settled/export");
});
