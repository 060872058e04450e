// Reports by month and by consignor over a million lines of a thousand days, for stores with few and with many consignors.
import type { Sql } from "#db/connect.ts";
import { readHead } from "#ledger/log/read.ts";
import { connect } from "#db/connect.ts";
import type { ReportSort } from "#features/reports/contract.ts";
import { reportsProjection } from "#features/reports/projection.ts";
import { addToSums } from "#features/reports/projection-sums.ts";
import { readConsignorReport, readMonthReport } from "#features/reports/report.ts";
import { readsOver } from "#http/reads.ts";
import {
  createGeneration,
  flipGeneration,
  indexGeneration,
} from "#ledger/projection/generation.ts";
import { renderSql, tableName } from "#ledger/projection/render.ts";
import type { Timed } from "./reads.ts";
import { time } from "./reads.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchDatabase, BenchServer } from "./server.ts";
import { openBenchStore } from "./service.ts";

const DAYS = 1000;
const BEGIN = "2024-03-01";
const TARGET_MS = 50;
const CONSIGNORS = [200, 2_000] as const;

const uidOf = (number: string) => `'bench-consignor-' || lpad((${number})::text, 6, '0')`;

async function makeProfiles(database: BenchDatabase, count: number): Promise<void> {
  const owner = connect(database.ownerUrl, { applicationName: "bench-people", maxConnections: 1 });
  try {
    await owner.unsafe(`
      insert into identity.profiles (uid, email, display_name, created_at)
      select ${uidOf("i")}, 'person-' || i || '@bench.test', 'Person ' || i, now()
      from generate_series(1, ${count}) i`);
  } finally {
    await owner.end();
  }
}

/** Lines of a thousand days: an eighth the store's own, of the others one in twenty a refund and one in fifty a payout. */
async function fillLines(sql: Sql, lines: number, consignors: number): Promise<void> {
  const { generation } = await createGeneration(sql, reportsProjection);
  await sql.unsafe(`
    insert into ${tableName("report_lines", generation)} (
      position, uid, type, booked_at, is_entry, price_cents, share_cents, shipping_cents, tax_cents, taxed_cents,
      exempt_cents, untaxed_cents, remitted_cents, commission_cents, traded_cents, paid_cents, adjusted_cents,
      taken_over_cents, available_cents, pending_cents, held_cents)
    select i, case when kind = 0 then '' else ${uidOf(`1 + h / 160 % ${consignors}`)} end,
      case when is_paid then 'PayoutRequested' when kind = 0 then 'MasterSaleRecorded'
        when back < 0 then 'SaleRefunded' else 'SaleRecorded' end,
      timestamptz '${BEGIN}' + i * (interval '${DAYS} days' / ${lines}), true,
      cents, case when kind = 0 then cents else cents / 2 end, 0, 0, 0, 0, cents, 0, 0, 0, 0, 0, 0,
      case when kind = 0 then 0 when is_paid then -300 else cents - cents / 2 end,
      case when is_paid then 300 else 0 end, 0
    from (
      select i, h, h % 8 as kind, back, is_paid, case when is_paid then 0 else back * (1000 + h % 20000) end as cents
      from (
        select i, h, case when h % 20 = 1 then -1 else 1 end as back, h % 50 = 3 as is_paid
        from (select i, abs(hashint8(i))::bigint as h from generate_series(1, ${lines}) i) n) k) g
    order by i`);
  await sql.unsafe(`
    insert into ${tableName("report_units", generation)}
      (position, key, item_id, uid, type, reason, units, value_cents, booked_at)
    select position, 'units:' || position, position::text, uid, 'ItemRemoved', 'lost', 1, 1200, booked_at
    from ${tableName("report_lines", generation)} where position % 100 = 0`);
  await sql.unsafe(renderSql(addToSums("{table:report_lines}"), generation, "all"));
  await indexGeneration(sql, reportsProjection, generation);
  const tables = ["report_lines", "report_units", "report_sums"];
  await sql.unsafe(
    `vacuum analyze ${tables.map((name) => tableName(name, generation)).join(", ")}`,
  );
  await flipGeneration(sql, reportsProjection, generation);
}

const periods = [
  { name: "a month", from: "2026-10-01", to: "2026-10-31" },
  { name: "to a day in a month", from: "2026-01-01", to: "2026-11-12" },
  { name: "a year", from: "2025-01-01", to: "2025-12-31" },
  { name: "all", from: "2024-01-01", to: "2026-12-31" },
] as const;

async function timeReports(sql: Sql, runs: number): Promise<readonly Timed[]> {
  const reads = readsOver(sql);
  const now = new Date("2026-11-23T12:00:00Z");
  const { position } = await readHead(sql);
  const times: Timed[] = [];
  for (const { name, from, to } of periods) {
    const asked = {
      from,
      to,
      timeZone: "America/Chicago",
      position,
      closings: { closed: [] },
      now,
    };
    const byConsignor = (sort: ReportSort, q?: string) => () =>
      readConsignorReport(
        reads,
        asked,
        { sort, order: "desc", q },
        { limit: 50, cursor: undefined },
      );
    times.push(
      await time(`${name}, by month`, runs, () => readMonthReport(reads, asked, undefined)),
      await time(`${name}, by consignor`, runs, byConsignor("owed")),
      await time(`${name}, by consignor's name`, runs, byConsignor("name")),
      await time(`${name}, consignors found`, runs, byConsignor("owed", "person 17")),
    );
  }
  return times;
}

export async function benchReports(server: BenchServer, options: PartOptions): Promise<Report> {
  const size = options.size(options.isSmall ? 10_000 : 1_000_000);
  const runs = options.isSmall ? 2 : 40;
  const measured: { readonly consignors: number; readonly times: readonly Timed[] }[] = [];
  for (const consignors of CONSIGNORS) {
    const name = `reports_${consignors}`;
    const database = await server.ledgerDatabase(name);
    const store = await openBenchStore(database, false);
    await store.close();
    await makeProfiles(database, consignors);
    const sql = connect(database.ownerUrl, { applicationName: "bench-reports", maxConnections: 3 });
    try {
      options.progress(
        `reports: ${size.toLocaleString("en-US")} lines of ${consignors} consignors`,
      );
      await fillLines(sql, size, consignors);
      measured.push({ consignors, times: await timeReports(sql, runs) });
    } finally {
      await sql.end();
    }
    await server.dropDatabase(name);
  }
  return {
    part: "reports",
    tables: measured.map(({ consignors, times }) => ({
      title: `${size.toLocaleString("en-US")} lines of ${consignors.toLocaleString("en-US")} consignors`,
      rows: times.map(({ name, p50Ms, p95Ms }) => ({
        report: name,
        "p50 ms": p50Ms,
        "p95 ms": p95Ms,
      })),
    })),
    verdicts: measured.map(({ consignors, times }) => ({
      name: `the slowest report of ${consignors.toLocaleString("en-US")} consignors, p95`,
      measured: Math.max(...times.map(({ p95Ms }) => p95Ms)),
      target: TARGET_MS,
      unit: "ms",
      atLeast: false,
    })),
    notes: ["The routes' own queries, one at a time, including reading and shaping the rows."],
  };
}
