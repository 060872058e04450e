// Times the marketplace's list among a million items of which 10,000 barcodes are in stock, for viewers who have some of them.
import type { Sql } from "#db/connect.ts";
import { marketplaceProjection } from "#features/marketplace/projection.ts";
import { readMarketplace } from "#features/marketplace/queries.ts";
import type { MarketplaceSort } from "#features/marketplace/contract.ts";
import { tradesProjection } from "#features/trades/projection.ts";
import { readsOver } from "#http/reads.ts";
import type { Projection } from "#ledger/projection/define.ts";
import {
  createGeneration,
  flipGeneration,
  indexGeneration,
} from "#ledger/projection/generation.ts";
import { tableName } from "#ledger/projection/render.ts";
import { percentile } from "./load.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { openBenchStore } from "./service.ts";

const CONSIGNORS = 200;
const BARCODES_IN_STOCK = 10_000;
const TRADES = 50_000;
const TARGET_MS = 50;

const viewerOf = (run: number) => `bench-consignor-${String(run % CONSIGNORS).padStart(6, "0")}`;

async function fill(
  sql: Sql,
  projection: Projection,
  statements: (table: (name: string) => string) => readonly string[],
): Promise<void> {
  const { generation } = await createGeneration(sql, projection);
  const table = (name: string) => tableName(name, generation);
  for (const statement of statements(table)) {
    await sql.unsafe(statement);
  }
  await indexGeneration(sql, projection, generation);
  for (const { name } of projection.tables) {
    await sql.unsafe(`vacuum analyze ${table(name)}`);
  }
  await flipGeneration(sql, projection, generation);
}

/** Items in stock share the barcodes; all others have one of their own and no stock. */
async function fillMarketplace(sql: Sql, items: number): Promise<void> {
  const inStock = Math.min(items, 3 * BARCODES_IN_STOCK);
  await fill(sql, marketplaceProjection, (table) => [
    `insert into ${table("marketplace_items")} (
      id, owner_uid, barcode1, item_name, link, image_url, asin, units, archived, added_position, updated_position)
    select ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
      'bench-consignor-' || lpad((h % ${CONSIGNORS})::text, 6, '0'),
      case when i <= ${inStock} then 'B-' || (i % ${BARCODES_IN_STOCK}) else 'X-' || i end,
      words[1 + h % 6] || ' ' || words[1 + h / 6 % 6] || case when h % 10 = 0 then ' lamp' else '' end || ' ' || h % 9000,
      'https://shop.example/' || i, '', '', case when i <= ${inStock} then 1 + h % 9 else 0 end, false, i, i
    from (
      select i, abs(hashint8(i))::bigint as h,
        array['red', 'blue', 'vintage', 'kitchen', 'camera', 'puzzle'] as words
      from generate_series(1, ${items}) i) g`,
    `insert into ${table("marketplace_barcodes")} (
      barcode1, units, owners, item_name, link, image_url, asin, newest_position)
    select barcode1, sum(units)::bigint, count(distinct owner_uid),
      (array_agg(item_name order by added_position desc))[1], '', '', '', max(added_position)
    from ${table("marketplace_items")} where in_stock group by barcode1`,
  ]);
}

/** One in ten still waits for sellers, the others were fulfilled. */
async function fillTrades(sql: Sql, count: number): Promise<void> {
  await fill(sql, tradesProjection, (table) => [
    `insert into ${table("trades")} (
      trade_id, buyer_uid, status, status_since, item_name, barcode1, item_link, image_url, quantity, accepted_units,
      price_cents, provides_own_shipping, commission_percentage, shipping_fee_cents, held_cents, address_id,
      fulfilled_at, traded_price_cents, reminded_day, requested_at, position, updated_position)
    select ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
      'bench-consignor-' || lpad((i % ${CONSIGNORS})::text, 6, '0'),
      case when i % 10 = 0 then 'pending' else 'completed' end, now(), 'Lamp', 'B-' || (i % ${BARCODES_IN_STOCK}),
      '', '', 3, 1, 500, false, 10, 400, 0, '00000000-0000-4000-8000-000000000000',
      case when i % 10 > 0 then now() - i * interval '1 minute' end,
      case when i % 10 > 0 then 100 + i % 900 end, 0, now(), i, i
    from generate_series(1, ${count}) i`,
  ]);
}

type Kind = { readonly name: string; readonly term?: string; readonly sort?: MarketplaceSort };

const kinds: readonly Kind[] = [
  { name: "newest first" },
  { name: "by name", sort: "itemName" },
  { name: "by quantity", sort: "totalQuantity" },
  { name: "by last price", sort: "lastTradedPrice" },
  { name: "term of 10 %", term: "lamp" },
  { name: "exact barcode", term: "B-4711" },
  { name: "absent term", term: "unheard-of" },
];

/** Every kind of list, its first page and the one after it. */
export async function benchMarketplace(server: BenchServer, options: PartOptions): Promise<Report> {
  const runs = options.isSmall ? 3 : 60;
  const items = options.isSmall ? 40_000 : options.size(1_000_000);
  const store = await openBenchStore(await server.ledgerDatabase("marketplace"), false);
  try {
    options.progress(`marketplace: filling ${items.toLocaleString("en-US")} items`);
    await fillMarketplace(store.workSql, items);
    await fillTrades(store.workSql, options.isSmall ? 2_000 : TRADES);
    const pair = readsOver(store.sql);
    const rows: { list: string; "p50 ms": number; "p95 ms": number }[] = [];
    for (const { name, term = "", sort } of kinds) {
      const times: number[] = [];
      for (let run = 0; run <= runs; run += 1) {
        const order = run % 2 === 0 ? "asc" : "desc";
        const query = { searchTerm: term, sort, order, limit: 48, cursor: undefined } as const;
        const startedAt = performance.now();
        const page = await readMarketplace(pair, viewerOf(run * 37), query);
        const first = performance.now() - startedAt;
        const next = page.nextCursor ?? undefined;
        const nextAt = performance.now();
        await readMarketplace(pair, viewerOf(run * 37), { ...query, cursor: next });
        if (run > 0) {
          times.push(first, performance.now() - nextAt);
        }
      }
      const row = {
        list: name,
        "p50 ms": percentile(times, 0.5),
        "p95 ms": percentile(times, 0.95),
      };
      options.progress(`marketplace: ${name}: ${row["p95 ms"].toFixed(1)} ms`);
      rows.push(row);
    }
    const title = `Marketplace of ${BARCODES_IN_STOCK.toLocaleString("en-US")} barcodes in stock among ${items.toLocaleString("en-US")} items`;
    return {
      part: "marketplace",
      tables: [{ title, rows }],
      notes: [
        "The route's own queries with count and demand, one at a time, for viewers with own units.",
      ],
      verdicts: [
        {
          name: "marketplace page, the slowest kind, p95",
          measured: Math.max(...rows.map((row) => row["p95 ms"])),
          target: TARGET_MS,
          unit: "ms",
          atLeast: false,
        },
      ],
    };
  } finally {
    await store.close();
  }
}
