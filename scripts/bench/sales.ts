// The list of sales among a million: totals with every filter, sorting by every column, and what a sum by day costs a new sale.
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { saleSort } from "#features/sales/contract.ts";
import { salesProjection } from "#features/sales/projection.ts";
import { fillSums } from "#features/sales/projection-sums.ts";
import { onlyZone } from "#http/store-days.ts";
import { explainSold, readTotals } from "#features/sales/queries-totals.ts";
import type { SaleQuery } from "#features/sales/search-conditions.ts";
import { cursorAfter, searchSales } from "#features/sales/search.ts";
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
import type { BenchServer } from "./server.ts";
import { makeConsignors, openBenchStore } from "./service.ts";
import { consignorIdOf } from "./shop.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const PAGE = 51;
const DAYS = 1000;
const CONSIGNORS = 200;

/** This consignor has a fifth of all sales. */
const BUSY = 0;

/** Fills the read tables with sales of a thousand days: half at the till, one in twenty refunded, one in ten of a lamp. */
async function fillSales(sql: Sql, sales: number): Promise<void> {
  const { generation } = await createGeneration(sql, salesProjection);
  const consignors = Array.from({ length: CONSIGNORS }, (_, index) => consignorIdOf(index));
  await sql.unsafe(
    `insert into ${tableName("sales", generation)} (
      sale_id, kind, consignor_id, item_id, item_name, barcode1, units, price_cents, shipping_cents,
      sales_tax_cents, tax_rate_outdated, tax_exempt, consignor_percentage, payout_cents, channel,
      refunded_units, refunded_price_cents, refunded_tax_cents, refunded_payout_cents, corrections,
      version, sold_at, position, updated_position)
    select ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
      case when h % 8 = 0 then 'master' else 'consignor' end,
      case when h % 8 > 0 then ($1::text[])[1 + case when h % 5 = 0 then ${BUSY} else h / 8 % ${CONSIGNORS} end] end,
      null, words[1 + h % 12] || ' ' || words[1 + h / 12 % 12] || case when h / 144 % 10 = 0 then ' lamp' else '' end
        || case when i % greatest(1, ${sales} / 20) = 0 then ' zirconium' else '' end || ' ' || h % 9000,
      lpad((h % 9000)::text, 13, '0'), 1 + h % 3 / 2, price, case when h % 2 = 0 then 500 else 0 end,
      case when h % 2 = 1 then price * 825 / 10000 else 0 end, false, false, 50,
      case when h % 8 > 0 then price / 2 else 0 end, case when h % 2 = 0 then 'online' else 'pos' end,
      back * (1 + h % 3 / 2), back * price, back * case when h % 2 = 1 then price * 825 / 10000 else 0 end,
      back * case when h % 8 > 0 then price / 2 else 0 end, 0, 1 + back,
      timestamptz '2024-03-01' + i * (interval '${DAYS} days' / ${sales}), i, i
    from (
      select i, h, 1000 + h % 20000 as price, case when h % 20 = 1 then 1 else 0 end as back, array['red', 'blue', 'small', 'large',
        'vintage', 'kitchen', 'garden', 'travel', 'speaker', 'camera', 'charger', 'puzzle'] as words
      from (select i, abs(hashint8(i))::bigint as h from generate_series(1, ${sales}) i) n) g
    order by i`,
    [consignors],
  );
  await sql.unsafe(renderSql(fillSums, generation, "all"));
  await indexGeneration(sql, salesProjection, generation);
  await sql.unsafe(
    `vacuum analyze ${tableName("sales", generation)}, ${tableName("sales_sums", generation)}`,
  );
  await flipGeneration(sql, salesProjection, generation);
}

type Kind = {
  readonly name: string;
  readonly targetMs: number;
  readonly of: (run: number) => SaleQuery;
};

const dayOf = (run: number) => Date.UTC(2024, 2, 1 + ((run * 37) % (DAYS - 100)), 5);
const daysFrom = (run: number, days: number): SaleQuery => ({
  from: new Date(dayOf(run)).toISOString(),
  to: new Date(dayOf(run) + days * DAY_MS).toISOString(),
});

const kinds: readonly Kind[] = [
  { name: "all", targetMs: 50, of: () => ({}) },
  { name: "one day", targetMs: 50, of: (run) => daysFrom(run, 1) },
  { name: "30 days", targetMs: 50, of: (run) => daysFrom(run, 30) },
  { name: "since a day", targetMs: 50, of: (run) => ({ from: daysFrom(run, 1).from }) },
  { name: "one kind", targetMs: 50, of: () => ({ kind: "master" }) },
  {
    name: "the till's, refunded",
    targetMs: 50,
    of: () => ({ channel: "pos", status: "refunded" }),
  },
  {
    name: "a consignor",
    targetMs: 50,
    of: (run) => ({ consignorId: consignorIdOf(1 + (run % 199)) }),
  },
  { name: "the busiest consignor", targetMs: 50, of: () => ({ consignorId: consignorIdOf(BUSY) }) },
  {
    name: "the busiest consignor, 30 days",
    targetMs: 50,
    of: (run) => ({ consignorId: consignorIdOf(BUSY), ...daysFrom(run, 30) }),
  },
  { name: "a rare text", targetMs: 200, of: () => ({ searchTerm: "zirconium" }) },
  {
    name: "a barcode",
    targetMs: 200,
    of: (run) => ({ searchTerm: String(run * 7).padStart(13, "0") }),
  },
  { name: "a text of 2 %", targetMs: 200, of: () => ({ searchTerm: "red lamp" }) },
  { name: "a text of 10 %", targetMs: 200, of: () => ({ searchTerm: "lamp" }) },
  {
    name: "a text of 10 %, 30 days",
    targetMs: 200,
    of: (run) => ({ searchTerm: "lamp", ...daysFrom(run, 30) }),
  },
  { name: "one letter", targetMs: 200, of: () => ({ searchTerm: "e" }) },
];

export async function benchSales(server: BenchServer, options: PartOptions): Promise<Report> {
  const size = options.size(options.isSmall ? 10_000 : 1_000_000);
  const runs = options.isSmall ? 2 : 20;
  const database = await server.ledgerDatabase("sales");
  const store = await openBenchStore(database, false);
  await store.close();
  await makeConsignors(database);
  const sql = connect(database.ownerUrl, { applicationName: "bench-sales", maxConnections: 2 });
  try {
    options.progress(`sales: making ${size.toLocaleString("en-US")} sales`);
    await fillSales(sql, size);
    const { searches } = readsOver(sql);
    const totals: (Timed & { readonly targetMs: number })[] = [];
    for (const { name, targetMs, of } of kinds) {
      options.progress(`sales: totals of ${name}`);
      totals.push({
        ...(await time(name, runs, (run) => readTotals(searches, of(run)))),
        targetMs,
      });
    }
    const sorted: Timed[] = [];
    for (const sort of saleSort.options) {
      for (const [name, query] of [
        ["all", {}],
        ["a text of 10 %", { searchTerm: "lamp" }],
        ["refunded", { status: "refunded" }],
      ] as const) {
        options.progress(`sales: ${name} by ${sort}`);
        const page = async (run: number) => {
          const order = run % 2 === 0 ? "asc" : "desc";
          const list = { ...query, sort, order } as const;
          const rows = await searchSales(searches, list, undefined, PAGE);
          const last = rows.at(-1);
          return last === undefined ? rows : searchSales(searches, list, cursorAfter(last), PAGE);
        };
        sorted.push(await time(`${name} by ${sort}, two pages`, options.isSmall ? 2 : 6, page));
      }
    }
    const why = await time("why: all by month", 3, () =>
      explainSold(searches, {}, "price", onlyZone("America/Chicago")),
    );
    return {
      part: "sales",
      tables: [
        { title: `Totals of ${size.toLocaleString("en-US")} sales`, rows: totals },
        { title: "Sorted lists", rows: sorted },
        { title: "Explained", rows: [why] },
      ],
      verdicts: totals.map(({ name, p95Ms, targetMs }) => ({
        name: `totals of ${name}, p95`,
        measured: p95Ms,
        target: targetMs,
        unit: "ms",
        atLeast: false,
      })),
      notes: [],
    };
  } finally {
    await sql.end();
  }
}
