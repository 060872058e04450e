// Operators' calls on a running store: each act is an event with its reason, a worker carries it out, and a killed worker's successor continues.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pino } from "pino";
import { events, projections } from "../../features.ts";
import { connect } from "#db/connect.ts";
import { closeBoss, ensureQueue, openBoss } from "#jobs/boss.ts";
import type {
  HeldResponse,
  JobsResponse,
  ProjectionsResponse,
  ProjectionStatus,
} from "#features/operations/contract.ts";
import { actionsResponse, systemResponse } from "#features/operations/contract.ts";
import { reportProcess } from "#db/processes.ts";
import type { CarryOutParts } from "#ledger/projection/carry-out.ts";
import { foldAsked } from "#ledger/projection/fold-again.ts";
import { noteOrder } from "#ledger/projection/orders.ts";
import { takeLagSample } from "#ledger/projection/lag-samples.ts";
import { feederOfShown, workOnTables } from "#testing/service/table-worker.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;
let other: TestPerson;
let avery: TestPerson;

const why = "Looks wrong since the last update";

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  other = await shop.person("Other", "admin");
  avery = await shop.person("Avery");
  for (let sale = 1; sale <= 12; sale += 1) {
    await sell(`Lamp ${sale}`, sale);
  }
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

function post(path: string, as: TestPerson, body: object = { why }, key?: string) {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return shop.call("POST", `/api/operations/${path}`, { as, body, headers });
}

const onBalances = (act: string, as = boss, body: object = { why }, key?: string) =>
  post(`projections/balances/${act}`, as, body, key);

async function get<Body>(path: string): Promise<Body> {
  const answer = await shop.call("GET", `/api/operations/${path}`, { as: boss });
  expect(answer.status).toBe(200);
  return answer.body as Body;
}

async function balances(): Promise<ProjectionStatus | undefined> {
  const { projections: all } = await get<ProjectionsResponse>("projections");
  return all.find(({ name }) => name === "balances");
}

async function sell(itemName: string, amount: number): Promise<void> {
  const body = { consignorID: avery.uid, itemName, amount };
  await shop.call("POST", "/api/sales/custom", { as: boss, body });
}

/** In cents, as it is shown. */
async function shownBalance(): Promise<number | undefined> {
  const [row] = await shop.database.sql<{ cents: number }[]>`
    select balance_cents as cents from read.balances
    where account = ${`consignor:${avery.uid}:available`}`;
  return row?.cents;
}

const work = (parts: Partial<CarryOutParts> = {}) =>
  workOnTables(shop.database.sql, "balances", parts);

const actsOfBalances = async () =>
  (
    await shop.database.sql<{ type: string; actor: string }[]>`
      select e.type, e.actor from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = 'operations-log' order by s.version`
  ).map(({ type }) => type);

async function lastAct() {
  return actionsResponse.parse(await get("actions")).actions[0];
}

describe("a rebuild", () => {
  test("needs a reason, and tables that exist", async () => {
    expect(await onBalances("rebuild", boss, {})).toMatchObject({ status: 400 });
    expect(await post("projections/moods/rebuild", boss)).toMatchObject({
      status: 404,
      body: { error: "unknown_projection" },
    });
    expect(await onBalances("pause")).toMatchObject({ status: 409, body: { error: "no_rebuild" } });
  });

  test("is started once by two admins at once, and by a double click", async () => {
    const [one, two, again] = await Promise.all([
      onBalances("rebuild", boss, { why }, "start-1"),
      onBalances("rebuild", other, { why }, "start-2"),
      onBalances("rebuild", boss, { why }, "start-1"),
    ]);
    expect(new Set([one.status, two.status])).toEqual(new Set([200, 409]));
    expect(again.status).toBe(one.status);
    expect(await actsOfBalances()).toEqual(["RebuildStarted"]);
    expect(await balances()).toMatchObject({ rebuild: { phase: "waiting", wanted: "built" } });
  });

  test("is paused between two chunks, and nothing moves until it is resumed", async () => {
    const paused: number[] = [];
    await work({
      chunk: 3,
      onStage: async ({ position }) => {
        if (position > 0 && paused.length === 0) {
          paused.push((await onBalances("pause")).status);
        }
      },
    });
    expect(paused).toEqual([200]);
    const stopped = await balances();
    expect(stopped).toMatchObject({ rebuild: { wanted: "paused", phase: "filling" } });
    expect(stopped?.rebuild?.position).toBeLessThan(12);
    await work();
    expect((await balances())?.rebuild?.position).toBe(stopped?.rebuild?.position);
    expect(await onBalances("flip")).toMatchObject({ status: 409, body: { error: "not_ready" } });
    expect(await onBalances("resume")).toMatchObject({ status: 200 });
  });

  test("is continued by another worker when its own is killed", async () => {
    const before = await balances();
    const killed = connect(shop.database.appUrl, { applicationName: "doomed", maxConnections: 4 });
    await expect(
      work({
        sql: killed,
        chunk: 2,
        onStage: async ({ phase, position }) => {
          if (phase === "filling" && position > (before?.rebuild?.position ?? 0)) {
            await shop.database.sql`
              select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'doomed'`;
            // The pool may connect again before it notices; a killed worker does nothing more.
            throw Object.assign(new Error("terminated"), { code: "57P01" });
          }
        },
      }),
    ).rejects.toThrow(/terminat|CONNECTION|ECONNRESET/iu);
    await killed.end({ timeout: 1 });
    const left = await balances();
    expect(left?.rebuild).toMatchObject({ wanted: "built", phase: "filling" });
    const generation = left?.generations.find(({ state }) => state === "building")?.generation;
    await work();
    const ready = await balances();
    expect(ready?.rebuild).toMatchObject({ phase: "ready", differences: [], newlyHeld: 0 });
    expect(ready?.generations.find(({ state }) => state === "ready")?.generation).toBe(generation);
  });

  test("shows which rows a switch would change, by how much, and from which event on", async () => {
    const live = (await balances())?.generations.find(({ state }) => state === "live")?.generation;
    const { sql } = shop.database;
    await sql.unsafe(
      `update read.balances_g${live} set balance_cents = balance_cents + 5
       where account = 'consignor:${avery.uid}:available'`,
    );
    await sql`update read.rebuilds set phase = 'comparing' where projection = 'balances'`;
    await work();
    expect((await balances())?.rebuild?.differences).toMatchObject([
      {
        table: "balances",
        rows: 2,
        keyCount: 1,
        keys: [
          {
            kind: "changed",
            key: `consignor:${avery.uid}:available`,
            amounts: [{ column: "balance", amount: -0.05 }],
          },
        ],
      },
    ]);
  });

  test("is switched to once by two admins at once, and then the tables are right", async () => {
    const answers = await Promise.all([onBalances("flip", boss), onBalances("flip", other)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await onBalances("rebuild")).toMatchObject({
      status: 409,
      body: { error: "act_under_way" },
    });
    const asked = "Asked to switch to the rebuilt tables of balances";
    expect(await lastAct()).toMatchObject({ text: asked, outcome: "not done yet" });
    await Promise.all([work(), work()]);
    expect(await lastAct()).toMatchObject({ text: asked, outcome: "done" });
    expect(await balances()).toMatchObject({ rebuild: null, canTakeBack: true, state: "ok" });
    expect(await shownBalance()).toBe((100 * 12 * 13) / 2);
  });

  test("is taken back once, and canceled without a trace", async () => {
    const older = () =>
      shop.call("GET", "/api/operations/projections/balances/older", { as: boss });
    // While much is written, the tables from before are behind and never reach the shown ones by themselves.
    await sell("A late lamp", 13);
    await feederOfShown(shop.database.sql).catchUp();
    // What the test above changed in the tables shown before.
    expect((await older()).body).toMatchObject({
      differences: [
        {
          table: "balances",
          keys: [
            {
              key: `consignor:${avery.uid}:available`,
              kind: "changed",
              amounts: [{ column: "balance", amount: 0.05 }],
            },
          ],
        },
      ],
    });
    const asOfVersion = (version: string) =>
      shop.database.sql.unsafe(
        `update read.projections set version = ${version} where name = 'balances' and state = 'previous'`,
      );
    await asOfVersion("version + 1");
    expect(await balances()).toMatchObject({ canTakeBack: false });
    expect(await onBalances("take-back")).toMatchObject({
      status: 409,
      body: { error: "older_of_other_version" },
    });
    await asOfVersion("version - 1");
    // They are behind again when they are shown.
    await sell("A later lamp", 14);
    await feederOfShown(shop.database.sql).catchUp();
    expect(await onBalances("take-back")).toMatchObject({ status: 200 });
    const { sql } = shop.database;
    await sql`
      update read.rebuilds set phase = 'failed', error = 'division by zero' where projection = 'balances'`;
    expect(await lastAct()).toMatchObject({
      text: "Asked to switch balances back to its earlier tables",
      outcome: "failed: division by zero",
    });
    await sql`update read.rebuilds set phase = 'waiting', error = null where projection = 'balances'`;
    await work();
    expect(await balances()).toMatchObject({ rebuild: null, canTakeBack: false });
    expect(await shownBalance()).toBe((100 * 14 * 15) / 2 + 5);
    expect(await onBalances("take-back")).toMatchObject({ body: { error: "nothing_older" } });
    expect(await older()).toMatchObject({ status: 404, body: { error: "nothing_older" } });
    await onBalances("rebuild");
    await work();
    expect(await onBalances("cancel")).toMatchObject({ status: 200 });
    expect(await onBalances("cancel")).toMatchObject({ body: { error: "no_rebuild" } });
    await work();
    expect(await balances()).toMatchObject({ rebuild: null });
    expect((await balances())?.generations.some(({ state }) => state === "ready")).toBe(false);
  });

  test("that failed says why, and is tried again when it is resumed", async () => {
    await onBalances("rebuild");
    const rebuildId = (await balances())?.rebuild?.rebuildId ?? "";
    const failed = { phase: "failed", error: "division by zero" } as const;
    await noteOrder(shop.database.sql, { projection: "balances", rebuildId }, failed);
    expect(await balances()).toMatchObject({
      rebuild: { phase: "failed", error: "division by zero" },
    });
    expect(await onBalances("resume")).toMatchObject({ status: 200 });
    await work();
    expect(await balances()).toMatchObject({ rebuild: { phase: "ready", error: null } });
    await onBalances("cancel");
    await work();
  });
});

test("operators' actions are listed with who did them and why", async () => {
  const answer = await shop.call("GET", "/api/operations/actions", { as: boss });
  const { actions } = actionsResponse.parse(answer.body);
  expect(actions[0]).toMatchObject({
    text: "Canceled the rebuild of balances",
    outcome: null,
    why,
  });
  expect(actions.at(-1)).toMatchObject({ text: "Started a rebuild of balances (version 1)" });
  expect(["Boss", "Other"]).toContain(actions.at(-1)?.actor.displayName);
});

test("a held row is replayed alone, and stays held with the new error if it fails again", async () => {
  const { sql } = shop.database;
  const account = `consignor:${avery.uid}:available`;
  await sql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select name, generation, k, 3, 'division by zero' from read.projections,
      unnest(array[${account}, 'store:cash']) as k where name = 'balances' and state = 'live'`;
  expect((await get<HeldResponse>("held")).keys).toMatchObject([
    { projection: "balances", key: account, atPosition: 3, error: "division by zero" },
    { key: "store:cash" },
  ]);
  const replay = (key: string) =>
    post("held/fold-again", boss, { projection: "balances", key, why });
  expect(await replay("store:till")).toMatchObject({ body: { error: "key_not_held" } });
  expect(await replay(account)).toMatchObject({ status: 200 });
  expect((await get<HeldResponse>("held")).keys[0]).toMatchObject({ isAsked: true });
  expect(await foldAsked(sql, projections, events)).toBe(1);
  expect(await get<HeldResponse>("held")).toMatchObject({
    count: 1,
    keys: [{ key: "store:cash" }],
  });
  await replay("store:cash");
  const broken = projections.map((one) =>
    one.name === "balances" ? { ...one, step: ["select 1 / 0 where {key:'x'} and $1 < $2"] } : one,
  );
  await foldAsked(sql, broken, events);
  const [still] = (await get<HeldResponse>("held")).keys;
  expect(still).toMatchObject({ key: "store:cash", isAsked: false });
  expect(still?.triedAt).not.toBeNull();
  expect(await post("held/fold-again", boss, { projection: "balances", why })).toMatchObject({
    body: { message: "Replaying the held rows" },
  });
  await foldAsked(sql, projections, events);
  expect(await get<HeldResponse>("held")).toMatchObject({ count: 0 });
});

test("failed jobs say why, and are retried or dropped once", async () => {
  const queue = "letters-of-a-test";
  const jobs = await openBoss({
    url: shop.database.appUrl,
    applicationName: "test-jobs",
    role: "sender",
    logger: pino({ level: "silent" }),
  });
  try {
    await ensureQueue(jobs, { name: queue, policy: "standard", retryLimit: 0 });
    const ids = [await jobs.send(queue, {}), await jobs.send(queue, {})].map(String);
    for (const job of await jobs.fetch(queue, { batchSize: 2 })) {
      await jobs.fail(queue, job.id, { message: "The mail server refused the letter" });
    }
    const { failed, queues } = await get<JobsResponse>("jobs");
    expect(queues.find(({ name }) => name === queue)).toMatchObject({ failed: 2, waiting: 0 });
    expect(failed).toMatchObject([
      { queue, reason: "The mail server refused the letter" },
      { queue },
    ]);
    const act = (id: string | undefined, what: string, as = boss) =>
      post(`jobs/${queue}/${id}/${what}`, as);
    const twice = await Promise.all([act(ids[0], "retry"), act(ids[0], "retry", other)]);
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await act(ids[1], "drop")).toMatchObject({ status: 200 });
    expect(await act(ids[1], "drop")).toMatchObject({ body: { error: "job_not_found" } });
    expect(await jobs.fetch(queue)).toMatchObject([{ id: ids[0] }]);
    expect((await actsOfBalances()).slice(-2)).toEqual(["JobRetried", "JobDropped"]);
  } finally {
    await closeBoss(jobs);
  }
});

test("processes say what they do, and the lag of the tables is sampled once in a quarter of a minute", async () => {
  const { sql } = shop.database;
  const reporting = reportProcess({
    sql,
    name: "worker",
    report: () => ({
      doing: ["Feeds the read tables"],
      published: { position: 7, at: new Date("2026-11-21T10:00:00.000Z") },
    }),
    onError: (error) => {
      throw error;
    },
  });
  await expect.poll(async () => sql`select from read.processes`).toHaveLength(1);
  const answer = await shop.call("GET", "/api/operations/system", { as: boss });
  expect(systemResponse.parse(answer.body)).toMatchObject({
    processes: [{ name: "worker", isAlive: true, doing: ["Feeds the read tables"] }],
    publishedHead: { position: 7, at: "2026-11-21T10:00:00.000Z" },
  });
  await reporting.close();
  expect(await sql`select from read.processes`).toHaveLength(0);
  await shop.runner.catchUp();
  await Promise.all([takeLagSample(sql), takeLagSample(sql)]);
  const { samples } = await get<ProjectionsResponse>("projections");
  expect(samples.length).toBeLessThanOrEqual(2);
  expect(samples.at(-1)).toMatchObject({ lagEvents: 0, lagSeconds: 0 });
});
