// A small step runs with plans that are made once and look rows up by key; a large one is planned for its own range.
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { undoneAfter } from "#db/undone.ts";
import { createFeedReader } from "#ledger/projection/feeds.ts";
import { renderStep } from "#ledger/projection/render.ts";
import { LITTLE_STEP } from "#ledger/projection/round.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { NO_OLDER_EVENTS, PLAIN_READING } from "#ledger/projection/sources.ts";
import { stepTogether } from "#ledger/projection/step.ts";
import { projections } from "../../features.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { plainStep } from "#testing/shop/money-steps.ts";

let shop: MoneyShop;
let session: Sql;

beforeAll(async () => {
  shop = await openMoneyShop();
  // Prepared statements belong to one connection.
  session = connect(shop.database.appUrl, { applicationName: "steps", maxConnections: 1 });
});

afterAll(async () => {
  await session.end();
  await shop.close();
});

async function catchUp(): Promise<void> {
  await createRunner({ sql: session, projections, events: shop.register }).catchUp();
}

async function plansOf(pattern: string) {
  return session<{ statement: string; generic_plans: number; custom_plans: number }[]>`
    select statement, generic_plans, custom_plans from pg_prepared_statements
    where statement like ${pattern}`;
}

/** The plan that a small step makes once for this statement, line by line. */
async function planOfSmallStep(statement: string | undefined): Promise<readonly string[]> {
  return session.begin(async (transaction) => {
    await transaction`select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) name`;
    const plan = await transaction.unsafe<{ "QUERY PLAN": string }[]>(
      `explain (generic_plan) ${statement}`,
    );
    return plan.map((row) => row["QUERY PLAN"]);
  });
}

test("no statement of a small step is planned again", async () => {
  for (let sale = 0; sale < 3; sale += 1) {
    await shop.take(plainStep);
    await catchUp();
  }
  const statements = await plansOf("%insert into read.%_g%");
  expect(statements.length).toBeGreaterThan(5);
  for (const { statement, generic_plans: generic, custom_plans: custom } of statements) {
    expect({ statement, isUsed: generic > 0, custom }).toEqual({
      statement,
      isUsed: true,
      custom: 0,
    });
  }
});

test("which tables a small step touches is found by reading the range's streams once", async () => {
  const [found] = await plansOf("with streams_of_step%");
  expect(found).toMatchObject({ custom_plans: 0 });
  const plan = await session.unsafe<{ "QUERY PLAN": string }[]>(
    `explain (generic_plan) ${found?.statement}`,
  );
  const scans = plan
    .map((row) => row["QUERY PLAN"])
    .filter((line) => / on event_streams\b/u.test(line));
  expect(scans).toHaveLength(1);
});

test("the reports' step looks up a consignor's last line by the consignor, however many lines others have had since", async () => {
  const [found] = await plansOf("%insert into read.report_lines_g%");
  const lines = await planOfSmallStep(found?.statement);
  const lookUp = lines.findIndex((line) => / on report_lines_g\d+ b\b/u.test(line));
  expect(lines.slice(lookUp, lookUp + 2).join("\n")).toMatch(/(?:Index|Recheck) Cond: \(uid = /u);
});

test.each([
  ["account_history", "events e"],
  ["audit_events", "postings p"],
])(
  "a small step of %s looks each event up, and does not compare it with all others of the step",
  async (table, source) => {
    const [found] = await plansOf(`%insert into read.${table}_g%`);
    const plan = await planOfSmallStep(found?.statement);
    const lookUps = plan.filter(
      (_line, index) => plan[index - 1]?.includes(` on ${source} `) === true,
    );
    expect(lookUps.join("\n")).toMatch(/(?:Index|Recheck) Cond: .*"position"? = \w+\."?position/u);
  },
);

test("the marketplace's step looks up the items of its range by their ids, however many items there are", async () => {
  const [found] = await plansOf("%set former_barcode1 = null%");
  const table = /read\.marketplace_items_g\d+/u.exec(found?.statement ?? "")?.[0] ?? "";
  const plan = await undoneAfter(shop.database.ownerSql, async (transaction) => {
    await transaction.unsafe(`
      insert into ${table} (id, owner_uid, barcode1, item_name, link, image_url, asin, units, archived,
        added_position, updated_position)
      select gen_random_uuid(), 'somebody', n::text, '', '', '', '', 1, false, n, n
      from generate_series(1, 20000) n`);
    await transaction.unsafe(`analyze ${table}`);
    const lines = await transaction.unsafe<{ "QUERY PLAN": string }[]>(
      `explain (generic_plan) ${found?.statement}`,
    );
    return lines.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toMatch(/Index Cond: \(id = ANY/u);
  expect(plan).not.toMatch(/Seq Scan on marketplace_items/u);
});

test("a large step is planned for its own range", async () => {
  await Promise.all(Array.from({ length: LITTLE_STEP + 1 }, () => shop.take(plainStep)));
  const large = connect(shop.database.appUrl, { applicationName: "steps", maxConnections: 1 });
  const feeds = await createFeedReader(large, projections)();
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
