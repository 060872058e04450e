// `npm run rebuild`, `npm run jobs` and `npm run status` as an operator calls them: each action is an event of the script with its reason, before it is done.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordRun } from "#db/backup/runs.ts";
import { pendingMigrations } from "#db/migrate.ts";
import { raiseAlert } from "#features/alerts/decider.ts";
import { holdPayouts } from "#features/holds/decider.ts";
import { recordRestore } from "#features/restores/decider.ts";
import { closeBoss, ensureQueue, openBoss } from "#jobs/boss.ts";
import { callScript } from "#testing/service/script-host.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { auditProjection } from "#features/audit/projection.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { events } from "../services/features.ts";
import { withWriter } from "./writer.ts";

let database: TestDatabase;
let dataDir: string;

const TIMEOUT = 240_000;

beforeAll(async () => {
  database = await readableDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "rebuild-"));
});

afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

/** The exit code and everything that it printed. */
async function run(script: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { code, out, errors } = await callScript(script, args, {
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: dataDir,
  });
  return { code, text: out + errors };
}

const rebuild = (...args: string[]) => run("rebuild.ts", ...args);

const acts = () => database.sql<{ type: string; actor: string; why: string }[]>`
  select e.type, e.actor, n.text as why
  from log.event_streams s join log.events e on e.position = s.position
  left join identity.notes n on n.id = (e.data ->> 'noteId')::uuid
  where s.stream_id = 'operations-log' order by s.version`;

it("looks first, continues what it looked at, and goes back", { timeout: TIMEOUT }, async () => {
  expect(await rebuild("payouts", "--preview", "--why", "Looking")).toMatchObject({ code: 0 });
  expect(await acts()).toEqual([
    { type: "RebuildStarted", actor: "system:rebuild", why: "Looking" },
  ]);
  const [left] = await database.sql`select wanted, phase, differences from read.rebuilds`;
  expect(left).toEqual({ wanted: "built", phase: "ready", differences: [] });

  await database.sql`create table read.payouts_g9 (payout_id uuid)`;
  expect(await rebuild("payouts", "--why", "It is right")).toMatchObject({
    code: 0,
    text: expect.stringContaining("dropped read.payouts_g9: no row") as string,
  });
  await database.sql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select name, generation, 'somebody', 1, 'division by zero'
    from read.projections where name = 'payouts' and state = 'previous'`;
  expect(await rebuild("payouts", "--take-back")).toMatchObject({
    code: 1,
    text: expect.stringContaining("Rows that are shown now would be missing") as string,
  });
  await database.sql`delete from read.quarantine`;
  const payoutId = "0d5c8a4e-5b0f-4c3a-9a53-2f6f0d0a7b11";
  await database.sql`
    insert into read.payouts (payout_id, consignor_uid, amount_cents, method, handle_id, handle_position, status,
      requested_at, position, withdrawn)
    values (${payoutId}, 'Avery-0000000000000000', 1250, 'venmo', ${payoutId}, 1, 'pending', now(), 1, false)`;
  const refused = await rebuild("payouts", "--take-back");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.text).toContain("payouts: NOT switched back: 1 row differs");
  expect(refused.text).toContain(`${payoutId} only shown now from event 1 amount −$12.50`);
  expect(await acts()).toHaveLength(2);
  const back = await rebuild("payouts", "--take-back", "--accept-differences");
  expect(back).toMatchObject({ code: 0 });
  expect(back.text).toContain(
    "The tables that were shown until now cannot be shown again; the only way forward is a new rebuild: npm run rebuild -- payouts",
  );
  expect((await acts()).slice(1)).toEqual([
    { type: "ProjectionFlipped", actor: "system:rebuild", why: "It is right" },
    { type: "FlipReverted", actor: "system:rebuild", why: "No reason was given" },
  ]);
  const [done] = await database.sql`select wanted, phase from read.rebuilds`;
  expect(done).toEqual({ wanted: "taken-back", phase: "done" });
});

it(
  "npm run status lists the earlier orders with what came of them",
  { timeout: TIMEOUT },
  async () => {
    const json = await run("status.ts", "--json");
    const { orders } = JSON.parse(json.text) as { orders: object[] };
    const actor = "system:rebuild";
    expect(orders).toMatchObject([
      { projection: "payouts", act: "take-back", outcome: "done", actor },
      { projection: "payouts", act: "flip", outcome: "done", actor, why: "It is right" },
      { projection: "payouts", act: "rebuild", outcome: "done", actor, why: "Looking" },
    ]);
    const { text } = await run("status.ts", "--orders");
    expect(text).toMatch(/payouts +rebuild v\d+ +done \(\d+\.\d s\) .+ system:rebuild: Looking/u);
    expect((await run("status.ts")).text).not.toContain("system:rebuild");
  },
);

it(
  "fails to pause or cancel where there is no rebuild, and says so",
  { timeout: TIMEOUT },
  async () => {
    const before = await acts();
    for (const act of ["pause", "cancel"]) {
      expect(await rebuild("payouts", `--${act}`)).toMatchObject({
        code: 1,
        text: expect.stringContaining(
          `payouts: there is no rebuild to ${act}: none was begun`,
        ) as string,
      });
    }
    expect(await acts()).toEqual(before);
  },
);

it("folds one held row key again, and no other", { timeout: TIMEOUT }, async () => {
  await database.sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select name, generation, k, 1, 'division by zero'
      from read.projections, unnest(array['store:cash', 'store:till']) as k
      where name = 'balances' and state = 'live'`;
  expect(await rebuild("balances", "--quarantined", "--key", "store:cash")).toMatchObject({
    code: 0,
    text: expect.stringContaining("1 held row keys folded again") as string,
  });
  expect(await database.sql`select key from read.quarantine`).toEqual([{ key: "store:till" }]);
  expect((await acts()).at(-1)).toMatchObject({ type: "HeldKeysRefolded" });
});

it("retries a failed job once", { timeout: TIMEOUT }, async () => {
  const logger = pino({ level: "silent" });
  const url = database.appUrl;
  const boss = await openBoss({ url, applicationName: "test-jobs", role: "sender", logger });
  try {
    await ensureQueue(boss, { name: "letters", policy: "standard", retryLimit: 0 });
    const id = String(await boss.send("letters", {}));
    await boss.fetch("letters");
    await boss.fail("letters", id, { message: "The mail server refused it" });
    expect(await run("jobs.ts", "retry", "letters", id, "--why", "It is back")).toMatchObject({
      code: 0,
    });
    expect(await boss.fetch("letters")).toMatchObject([{ id }]);
    expect((await acts()).at(-1)).toEqual({
      type: "JobRetried",
      actor: "system:jobs",
      why: "It is back",
    });
  } finally {
    await closeBoss(boss);
  }
});

it(
  "shows a paused rebuild as paused, and tables that are filled for the first time as filling",
  { timeout: TIMEOUT },
  async () => {
    const { sql } = database;
    await sql`
      insert into read.projections (name, generation, version, state, position)
      values ('payouts', 90, 1, 'building', 1)`;
    await sql`
      insert into read.rebuilds (projection, rebuild_id, wanted, accept_held, phase, generation)
      values ('payouts', ${randomUUID()}, 'paused', false, 'filling', 90)
      on conflict (projection) do update set wanted = 'paused', phase = 'filling', generation = 90`;
    await sql`
      update read.projections set position = 0, flipped_at = now() where name = 'balances' and state = 'live'`;
    const { text } = await run("status.ts");
    expect(text).toMatch(/^payouts +v1 g90 +paused +position +1 /mu);
    expect(text).toMatch(/^balances +v\d+ g\d+ +filling +position +0 /mu);
    const { text: json } = await run("status.ts", "--json");
    expect(json).toMatch(/"name":"payouts","generation":90,"version":1,"state":"paused"/u);
    expect(json).toMatch(/"name":"balances","generation":\d+,"version":\d+,"state":"filling"/u);
    await sql`delete from read.projections where generation = 90`;
    await sql`delete from read.rebuilds`;
    await sql`
      update read.projections set position = (select max(position) from log.events) where name = 'balances'`;
  },
);

it(
  "prints a row key that somebody made up without what would move the cursor of the terminal",
  { timeout: TIMEOUT },
  async () => {
    const key = "gone\u001b[2J\u009b1A\rAll is well\u202e";
    await database.sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select name, generation, ${key}, 1, ${key} from read.projections
      where name = 'payouts' and state = 'live'`;
    const { code, text } = await run("status.ts");
    await database.sql`delete from read.quarantine`;
    const shown = String.raw`gone\u{1b}[2J\u{9b}1A\u{d}All is well\u{202e}`;
    expect(text).toContain(`${shown} since event 1: ${shown}\n`);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(code).toBe(1);
  },
);

it(
  "previews tables that get no further by saying where they stand and why, and repairs them",
  { timeout: TIMEOUT },
  async () => {
    const { sql, ownerSql } = database;
    const [live] = await sql<{ generation: number }[]>`
      select generation from read.projections where name = 'audit' and state = 'live'`;
    await sql`update read.projections set position = 0 where name = 'audit'`;
    await ownerSql.unsafe(
      `alter table read.audit_events_g${live?.generation} rename column actor to spoilt`,
    );
    const reason =
      /The shown tables of audit get no further than event 0: column "actor" .+ does not exist\. The new tables got further/u;
    const preview = await rebuild("audit", "--preview");
    expect(preview).toMatchObject({ code: 1, text: expect.stringMatching(reason) as string });
    const [noted] = await sql`select phase, error, differences from read.rebuilds`;
    expect(noted).toMatchObject({
      phase: "ready",
      error: expect.stringMatching(reason) as string,
      differences: null,
    });
    expect(await rebuild("audit")).toMatchObject({ code: 0 });
    // The broken tables are those from before the switch now, which nobody proves.
    expect(await checkReplay(sql, auditProjection, { events })).toEqual({
      isReplayed: true,
      problems: [],
    });
    expect((await rebuild("audit", "--preview")).code).toBe(0);
    // They have another column, so they are not shown again, whatever is accepted.
    expect(await rebuild("audit", "--take-back", "--accept-differences")).toMatchObject({
      code: 1,
    });
  },
);

it(
  "names open alerts and payout holds, and does not upgrade an older store",
  { timeout: TIMEOUT },
  async () => {
    const happenedAt = "2024-05-31T12:00:00.000Z";
    const fault = { projection: "balances", rowKey: "store:cash", atPosition: 1 };
    const books = {
      ...database,
      heads: { folder: dataDir, formerFile: path.join(dataDir, "head") },
      startedHere: false,
    };
    const said = (key: string) => ({
      actor: "system:test",
      scope: "store",
      key,
      requestHash: "00",
    });
    await withWriter(books, "test-status", async (ledger) => {
      const hold = { ...fault, uid: "Avery-0000000000000000", reference: "row-1", happenedAt };
      await ledger.execute(holdPayouts, { ...hold, cause: "row" }, said("hold"));
      const alert = { key: "held:balances", kind: "held", subject: "balances", count: 1 } as const;
      await ledger.execute(raiseAlert, { ...fault, ...alert, happenedAt }, said("alert"));
    });
    await withWriter(books, "test-status", (ledger) =>
      ledger.execute(
        recordRestore,
        {
          restoreId: randomUUID(),
          backedUpAt: happenedAt,
          position: 1,
          lostThrough: null,
          happenedAt,
        },
        said("restore"),
      ),
    );
    await database.sql`
      insert into store.notification_channels (channel, is_configured) values ('discord', true)`;
    await database.sql`
      insert into store.image_backfills (id, state, started_at)
      values (${randomUUID()}, 'paused', ${happenedAt})`;
    const { code, text } = await run("status.ts");
    expect(code).toBe(1);
    expect(text).toContain("Notifications discord  sends: 0 waiting, 0 failing, 0 uncertain");
    expect(text).toContain("Image backfill paused: 0 waiting, 0 done, 0 failed");
    expect(text).toContain(
      `Alert since ${happenedAt}: A row of balances is held back (row store:cash)`,
    );
    expect(text).toContain(`Payouts of Avery-0000000000000000 are held since ${happenedAt}`);
    expect(text).toContain("could not be applied to a row of balances (row store:cash)");
    expect(text).toContain(`Payouts wait since the restore at ${happenedAt}`);

    await database.ownerSql`
    delete from ledger_meta.migrations where number = (select max(number) from ledger_meta.migrations)`;
    await recordRun(database.ownerSql, {
      kind: "backup",
      endedAt: new Date(happenedAt),
      passed: true,
      position: 1,
      bytes: 2_000_000,
      elapsedMs: 1_000,
      message: null,
    });
    const older = await run("status.ts");
    expect(older.code).toBe(1);
    expect(older.text).toContain("This store is older: start the service to upgrade it (it lacks ");
    expect(older.text).toMatch(/\(it lacks 1 migration, \d{4}_\w+\)/u);
    expect(older.text).toMatch(/^Log +position \d+ /mu);
    expect(older.text).toContain(`Back-up         ${happenedAt}  passed, position 1, 2.0 MB`);
    for (const script of ["verify.ts", "verify-statement.ts", "export-log.ts", "jobs.ts"]) {
      const args = script === "verify-statement.ts" ? [import.meta.filename] : [];
      expect(await run(script, ...args)).toMatchObject({
        code: 1,
        text: expect.stringContaining(
          "This store is older: start the service to upgrade it",
        ) as string,
      });
    }
    expect(await pendingMigrations(database.sql)).toHaveLength(1);
  },
);
