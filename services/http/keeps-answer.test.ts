// Mutations that are not ledger commands: a repeated key gets the first answer, and nothing happens twice.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readLegacyFile } from "#features/migration/legacy-file.ts";
import { stageLegacy } from "#features/migration/legacy-staging.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { TEST_NOW, type TestPerson } from "#testing/service/test-app.ts";
import { type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";

let desk: ItemDesk;
let admin: TestPerson;
let keys = 0;

beforeAll(async () => {
  desk = await openItemDesk();
  admin = await desk.shop.person("Kept", "admin");
  const { sql, clock } = desk.shop.deps;
  const file = new URL("../testing/shop/legacy-export.json", import.meta.url);
  const accounts = readLegacyFile(await readFile(file, "utf8"), clock());
  await stageLegacy({ sql, clock, keys: createReservationKeys(sql) }, accounts);
});

afterAll(() => desk.shop.close());

const id = (digit: number) => `0192f0c1-3333-7000-8000-00000000000${digit}`;

const newKey = () => `kept-${(keys += 1)}`;

const send = (
  [method, path]: readonly [string, string],
  key: string,
  { as = admin, body }: { readonly as?: TestPerson; readonly body?: unknown } = {},
) => desk.shop.call(method, path, { as, body, headers: { "Idempotency-Key": key } });

const isReplayed = (answer: { readonly headers: Headers }) =>
  answer.headers.get("Idempotency-Replayed") === "true";

const importOf = (itemName: string) => ({
  fileHash: "b".repeat(64),
  consignorID: null,
  width: 3,
  columns: { itemName: 0, code: 1, quantity: 2 },
  rows: [{ line: 2, cells: [itemName, "KEPT-ANSWER-1", "4"] }],
});

const named = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ parameters: z.optional(z.array(z.object({ name: z.optional(z.string()) }))) }),
    ),
  ),
});

it("the document names the key at every call that changes something, but for these", async () => {
  const { body } = await desk.shop.call("GET", "/api/openapi.json");
  const { paths } = named.parse(body);
  const without = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
      method === "get" ||
      path.startsWith("/api/identity/") ||
      parameters.some(({ name }) => name === "Idempotency-Key")
        ? []
        : [`${method} ${path}`],
    ),
  );
  expect(without.toSorted()).toEqual([
    "post /api/analytics/track",
    // A photo, and a search whose result is kept per product.
    "post /api/images",
    "post /api/images/find",
    // These only read.
    "post /api/inventory/import/check",
    "post /api/inventory/known",
    "post /api/statements/verify",
  ]);
});

describe("a request that is repeated under its key", () => {
  it("gets the first answer, and what happened in between stays", async () => {
    const path = ["PUT", "/api/auth/me"] as const;
    const as = await desk.shop.person("Mia");
    const [first, second] = [newKey(), newKey()];
    const off = { discordNotificationsEnabled: false };
    const before = await send(path, first, { as, body: off });
    await send(path, second, { as, body: { discordNotificationsEnabled: true } });
    const again = await send(path, first, { as, body: off });
    expect(again).toMatchObject({ status: 200, body: before.body });
    expect([isReplayed(before), isReplayed(again)]).toEqual([false, true]);
    expect(await desk.shop.call("GET", "/api/auth/me", { as })).toMatchObject({
      body: { discordNotificationsEnabled: true },
    });
  });

  it.each([
    ["POST /api/auth/users", { displayName: "Somebody" }, { displayName: "Somebody else" }],
    ["PUT /api/auth/me", { landsOn: "today" }, { landsOn: "dashboard" }],
    [
      "POST /api/auth/invitations",
      { email: "kept-invited@people.test" },
      { email: "other@people.test" },
    ],
    ["POST /api/auth/users/:uid/migrate", {}, { legacyId: "0192f0c1-2222-7000-8000-000000000002" }],
    ["POST /api/inventory/import", importOf("Kept lamp"), importOf("Kept vase")],
    ["POST /api/admin/image-backfill/retry", {}, { itemUID: id(1) }],
    [
      "PUT /api/notifications/settings",
      { kind: "offer", channel: "email", on: false },
      { kind: "offer", channel: "email", on: true },
    ],
    ["POST /api/notifications/read", { id: id(1) }, { id: id(2) }],
  ])(
    "%s is answered once, and another request under its key is a 422",
    async (call, body, other) => {
      const [method = "", path = ""] = call.replace(":uid", admin.uid).split(" ");
      const key = newKey();
      const first = await send([method, path], key, { body });
      expect(first.status).toBe(200);
      const eventsNow = () => desk.shop.deps.sql`select max(position) as last from log.events`;
      const events = await eventsNow();
      const again = await send([method, path], key, { body });
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(isReplayed(again)).toBe(true);
      expect(again.headers.get("Ledger-Position")).toBe(first.headers.get("Ledger-Position"));
      expect(await eventsNow()).toEqual(events);
      expect(await send([method, path], key, { body: other })).toMatchObject({
        status: 422,
        body: { error: "idempotency_key_reused" },
      });
    },
  );

  it("POST /api/auth/migrate-all is answered once, and its key belongs to no other call", async () => {
    const key = newKey();
    const first = await send(["POST", "/api/auth/migrate-all"], key);
    expect(first.status).toBe(200);
    const again = await send(["POST", "/api/auth/migrate-all"], key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(isReplayed(again)).toBe(true);
    const other = await send(["POST", `/api/auth/users/${admin.uid}/migrate`], key, { body: {} });
    expect(other.status).toBe(422);
  });

  it("runs once if it is sent twice at the same time", async () => {
    const key = newKey();
    const body = { email: "twice-at-once@people.test" };
    const call = ["POST", "/api/auth/invitations"] as const;
    const answers = await Promise.all([send(call, key, { body }), send(call, key, { body })]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 409, body: { error: "still_running" } });
    }
    expect(desk.shop.letters.filter(({ to }) => to === body.email)).toHaveLength(1);
  });

  it("runs again after a request that was refused or cut off, and after a day", async () => {
    const call = ["POST", "/api/auth/invitations"] as const;
    const key = newKey();
    expect(await send(call, key, { body: { email: "no address" } })).toMatchObject({ status: 400 });
    const body = { email: "third-time@people.test" };
    expect(await send(call, key, { body })).toMatchObject({ status: 200 });

    const path = ["PUT", "/api/auth/me"] as const;
    const profile = { discordNotificationsEnabled: true };
    const cut = newKey();
    await send(path, cut, { body: profile });
    const { sql } = desk.shop.deps;
    const begunAgo = (minutes: number) => sql`
      update identity.kept_answers
      set status = null, body = null, begun_at = ${new Date(TEST_NOW.getTime() - minutes * 60_000)}
      where key = ${cut}`;
    await begunAgo(1);
    expect(await send(path, cut, { body: profile })).toMatchObject({ status: 409 });
    await begunAgo(3);
    const resumed = await send(path, cut, { body: profile });
    expect([resumed.status, isReplayed(resumed)]).toEqual([200, false]);
    await sql`
      update identity.kept_answers
      set begun_at = ${new Date(TEST_NOW.getTime() - 86_400_001)} where key = ${cut}`;
    expect(isReplayed(await send(path, cut, { body: profile }))).toBe(false);
  });

  it("runs again after a person was deleted, because no answer that may name them is kept", async () => {
    const leaving = await desk.shop.person("Lea");
    await send(["PUT", "/api/auth/me"], newKey(), { as: leaving, body: { landsOn: "dashboard" } });
    await desk.shop.call("DELETE", `/api/auth/users/${leaving.uid}`, { as: admin });
    expect(await desk.shop.deps.sql`select key from identity.kept_answers`).toHaveLength(0);
  });
});
