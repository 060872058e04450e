// A small step runs with plans that are made once and look rows up by key; a large one is planned for its own range.
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { undoneAfter } from "#db/undone.ts";
import { createFeedReader } from "#ledger/projection/feeds.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import { createGeneration, dropGeneration } from "#ledger/projection/generation.ts";
import { LITTLE_STEP } from "#ledger/projection/round.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { NO_OLDER_EVENTS, PLAIN_READING } from "#ledger/projection/sources.ts";
import { stepTogether, touchedFeedsSql } from "#ledger/projection/step.ts";
import { projections } from "../../features.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { plainStep } from "#testing/shop/money-steps.ts";

let shop: MoneyShop;
let session: Sql;

beforeAll(async () => {
  shop = await openMoneyShop();
  // Plans belong to one connection. Only a superuser may see which ones it keeps.
  const url = new URL(inject("testServer").superuserUrl);
  url.pathname = new URL(shop.database.appUrl).pathname;
  session = connect(url.href, { applicationName: "steps", maxConnections: 1 });
});

afterAll(async () => {
  await session.end();
  await shop.close();
});

async function catchUp(): Promise<void> {
  await createRunner({ sql: session, projections, events: shop.register }).catchUp();
}

/**
 * How many plans the session keeps for statements of steps. One that is made for one run is not kept. PostgreSQL tells the
 * first 1,024 characters of each, which name what a long one reads, and not always where it writes.
 */
async function plansKept(): Promise<number> {
  const [row] = await session<{ count: number }[]>`
    select count(*) from pg_backend_memory_contexts
    where name = 'CachedPlan' and ident ~ '(insert into|update) read\\.|log\\.movements'`;
  return row?.count ?? 0;
}

/** The statement of the shown tables' steps that contains this text. */
async function statementWith(text: string): Promise<string> {
  const { feeds } = await createFeedReader(session, projections)();
  const statements = feeds.flatMap(({ projection, generation }) =>
    renderStep(projection, generation.generation, "all", PLAIN_READING),
  );
  const found = statements.find((statement) => statement.includes(text));
  if (found === undefined) {
    throw new Error(`No statement contains ${text}`);
  }
  return found;
}

/** The plan that a small step makes once for this statement, line by line. */
async function planOfSmallStep(statement: string): Promise<readonly string[]> {
  return session.begin((transaction) => planIn(transaction, statement));
}

async function planIn(transaction: TransactionSql, statement: string): Promise<readonly string[]> {
  await transaction`select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']) name`;
  const plan = await transaction.unsafe<{ "QUERY PLAN": string }[]>(
    `explain (generic_plan) ${statement}`,
  );
  return plan.map((row) => row["QUERY PLAN"]);
}

/** The tables that a plan reads as a whole. */
function readAsAWhole(plan: readonly string[]): readonly string[] {
  return plan.flatMap((line, index) => {
    const scan = / Scan\b.* on (?<table>\w+_g\d+)/u.exec(line);
    const isLookUp = scan === null || / Cond: /u.test(plan[index + 1] ?? "");
    return isLookUp ? [] : [scan.groups?.["table"] ?? ""];
  });
}

test("no statement of a small step is planned again", async () => {
  const kept = [];
  for (let sale = 0; sale < 3; sale += 1) {
    await shop.take(plainStep);
    await catchUp();
    kept.push(await plansKept());
  }
  const [, second] = kept;
  expect(second).toBeGreaterThan(10);
  expect(kept.at(-1)).toBe(second);
});

test("which tables a small step touches is found by reading the range's streams once", async () => {
  const { feeds } = await createFeedReader(session, projections)();
  const plan = await planOfSmallStep(touchedFeedsSql(feeds));
  const scans = plan.filter((line) => / on event_streams\b/u.test(line));
  expect(scans).toHaveLength(1);
});

test("a shortcut reads no table as a whole", async () => {
  const { feeds } = await createFeedReader(session, projections)();
  const shortcuts = feeds.flatMap(({ projection, generation }) =>
    ("shortcuts" in projection ? (projection.shortcuts ?? []) : [])
      .filter((one) => one !== null)
      .map(({ statement }) => renderSql(statement, generation.generation, "all")),
  );
  expect(shortcuts.length).toBeGreaterThan(1);
  for (const shortcut of shortcuts) {
    expect(readAsAWhole(await planOfSmallStep(shortcut))).toEqual([]);
  }
});

test("the reports' step looks up a consignor's last line by the consignor, however many lines others have had since", async () => {
  const lines = await planOfSmallStep(await statementWith("insert into read.report_lines_g"));
  const lookUp = lines.findIndex((line) => / on report_lines_g\d+ b\b/u.test(line));
  expect(lines.slice(lookUp - 1, lookUp + 2).join("\n")).toMatch(
    /Limit.*\n.*Index Scan Backward.*\n.*Index Cond: \(uid = /u,
  );
});

test.each([
  ["account_history", "events e"],
  ["audit_events", "postings p"],
])(
  "a small step of %s looks each event up, and does not compare it with all others of the step",
  async (table, source) => {
    const plan = await planOfSmallStep(await statementWith(`insert into read.${table}_g`));
    const lookUps = plan.filter(
      (_line, index) => plan[index - 1]?.includes(` on ${source} `) === true,
    );
    expect(lookUps.join("\n")).toMatch(/(?:Index|Recheck) Cond: .*"position"? = \w+\."?position/u);
  },
);

test("a small step of the marketplace looks up items by their ids, also where all are in stock and the log is long", async () => {
  const { feeds } = await createFeedReader(session, projections)();
  const marketplace = feeds.find(({ projection }) => projection.name === "marketplace");
  if (marketplace === undefined) {
    throw new Error("There is no marketplace");
  }
  const { projection, generation } = marketplace;
  const scans = await undoneAfter(session, async (transaction) => {
    const table = `read.marketplace_items_g${generation.generation}`;
    await transaction.unsafe(`
      insert into ${table} (id, owner_uid, barcode1, item_name, link, image_url, asin, units, archived,
        added_position, updated_position)
      select gen_random_uuid(), 'somebody', n::text, '', '', '', '', 1, false, n, n
      from generate_series(1, 20000) n`);
    await transaction.unsafe(`analyze ${table}, log.events, log.event_streams, log.movements`);
    await transaction`
      select pg_restore_relation_stats('schemaname', 'log', 'relname', relname, 'relpages', 1, 'reltuples', 10000000::real)
      from unnest(array['events', 'event_streams', 'movements']) relname`;
    const plans = [];
    for (const statement of renderStep(projection, generation.generation, "all", PLAIN_READING)) {
      plans.push(await planIn(transaction, statement));
    }
    return plans.flatMap(readAsAWhole).filter((name) => name.startsWith("marketplace_items"));
  });
  expect(scans).toEqual([]);
});

test("a small chunk of a rebuild looks rows up by key too, though most indexes are made after the last one", async () => {
  const scans: string[] = [];
  for (const projection of projections) {
    const { generation } = await createGeneration(session, projection);
    for (const statement of projection.fill?.step ?? projection.step) {
      const plan = await planOfSmallStep(renderSql(statement, generation, "all"));
      scans.push(...readAsAWhole(plan).map((table) => `${projection.name}: ${table}`));
    }
    await dropGeneration(session, projection, generation);
  }
  expect(scans).toEqual([]);
});

test("a large step is planned for its own range", async () => {
  await Promise.all(Array.from({ length: LITTLE_STEP + 1 }, () => shop.take(plainStep)));
  const large = connect(shop.database.appUrl, { applicationName: "steps", maxConnections: 1 });
  const { feeds } = await createFeedReader(large, projections)();
  const [{ through } = { through: 0 }] = await large<{ through: number }[]>`
    select max(position) as through from log.events`;
  await stepTogether(large, feeds, { through, older: NO_OLDER_EVENTS, commit: "off" });
  const rows = await large<{ generic: number; custom: number }[]>`
    select sum(generic_plans)::bigint as generic, sum(custom_plans)::bigint as custom
    from pg_prepared_statements
    where statement like '%insert into read.%_g%' and statement not like '%pg_prepared_statements%'`;
  await large.end();
  expect(rows).toEqual([{ generic: 0, custom: expect.any(Number) }]);
  expect(rows[0]?.custom).toBeGreaterThan(5);
});

test("the reports' step looks up an event's streams by its position, also before PostgreSQL has analyzed the log", async () => {
  const reports = projections.find(({ name }) => name === "reports");
  const [live] = await session<{ generation: number }[]>`
    select generation from read.projections where name = 'reports' and state = 'live'`;
  if (reports === undefined || live === undefined) {
    throw new Error("There are no reports");
  }
  const [lines = ""] = renderStep(reports, live.generation, "all", PLAIN_READING);
  const plan = await undoneAfter(shop.database.ownerSql, async (transaction) => {
    await transaction`select pg_clear_relation_stats('log', 'event_streams')`;
    await transaction`
      select pg_clear_attribute_stats('log', 'event_streams', attname, false) from pg_attribute
      where attrelid = 'log.event_streams'::regclass and attnum > 0 and not attisdropped`;
    const rows = await transaction.unsafe<{ "QUERY PLAN": string }[]>(
      `explain ${lines.replaceAll("$1", "'1000'").replaceAll("$2", "'2000'")}`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toMatch(/on event_streams/u);
  expect(plan).not.toMatch(/\(stream_id >= '/u);
});
