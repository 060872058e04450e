// A full disk over HTTP: 503 with a cause and a time, nothing stored, and the same key accepted once there is space.
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchStorage } from "#db/storage-watch.ts";
import { createOutages } from "#http/outages.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { fillOverHttp, jarFeature } from "#testing/jar/jar-feature.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp(jarFeature);
  boss = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());

function fill(jar: string, key: string) {
  return fillOverHttp(shop, boss, { jar, cents: 100, key });
}

/** From now on nothing can be written to the table, as on a full disk. */
async function fillDiskUnder(table: string): Promise<() => Promise<void>> {
  const sql = shop.database.ownerSql;
  await sql.unsafe(`
    create function public.refuse_room() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file "base/5/16413": No space left on device' using errcode = '53100';
    end $$`);
  await sql.unsafe(
    `create trigger no_room before insert on ${table} execute function public.refuse_room()`,
  );
  return async () => {
    await sql.unsafe(`drop trigger no_room on ${table}`);
    await sql`drop function public.refuse_room()`;
  };
}

test("a command on a full disk is a 503 with the cause, and its key is accepted once there is space", async () => {
  const makeRoom = await fillDiskUnder("log.events");
  const refused = await fill("a", "full-1");
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual({
    error: "storage_full",
    message: expect.stringContaining("disk is full"),
  });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);

  await makeRoom();
  const again = await fill("a", "full-1");
  expect(again).toMatchObject({ status: 200, body: { cents: 100 } });
  expect(again.headers.get("Idempotency-Replayed")).toBeNull();
  const third = await fill("a", "full-1");
  expect(third.headers.get("Idempotency-Replayed")).toBe("true");
  expect((await shop.call("GET", "/api/jars/a", { as: boss })).body).toEqual({ cents: 100 });
});

test("while writes fail on a full disk, /readyz says so, and is ready after the first one that succeeds", async () => {
  const makeRoom = await fillDiskUnder("log.events");
  await fill("b", "ready-1");
  const full = await shop.call("GET", "/readyz");
  expect(full.status).toBe(503);
  expect(full.body).toMatchObject({
    status: "not ready",
    conditions: [
      { name: "database", state: "ok" },
      { name: "storage", state: "failing", message: expect.stringContaining("no space left") },
    ],
  });
  await makeRoom();
  await fill("b", "ready-1");
  expect((await shop.call("GET", "/readyz")).status).toBe(200);
});

test("writes outside the ledger get the same 503: signing in counts attempts", async () => {
  const makeRoom = await fillDiskUnder("identity.rate_limits");
  const answer = await shop.call("POST", "/api/identity/sign-in", {
    body: { email: "boss@people.test", password: "some-password" },
  });
  expect(answer).toMatchObject({ status: 503, body: { error: "storage_full" } });
  await makeRoom();
});

test("an outage is one line in the log, however many requests fail", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const storage = watchStorage({
    folders: [],
    warningBytes: null,
    logger: pino({ level: "silent" }),
  });
  const outages = createOutages(storage, logger);
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  for (let request = 0; request < 5; request += 1) {
    expect(await outages.explain(refused)).toMatchObject({
      status: 503,
      code: "database_unavailable",
      extras: { retryAfterSeconds: 5 },
    });
  }
  expect(lines).toHaveLength(1);
  storage.close();
});

test("if a database cannot be reached because its disk is full, the answer says that the disk is full", async () => {
  const logger = pino({ level: "silent" });
  const storage = watchStorage({ folders: [], warningBytes: null, logger });
  storage.noteRefused();
  const starting = Object.assign(new Error("the database system is starting up"), {
    code: "57P03",
  });
  expect(await createOutages(storage, logger).explain(starting)).toMatchObject({
    status: 503,
    code: "storage_full",
  });
  storage.close();
});

test("any other error is not an outage", async () => {
  const logger = pino({ level: "silent" });
  const storage = watchStorage({ folders: [], warningBytes: null, logger });
  const bug = Object.assign(new Error("null value in column"), { code: "23502" });
  expect(await createOutages(storage, logger).explain(bug)).toBeUndefined();
  storage.close();
});
