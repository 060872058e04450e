// Times the inventory search among a million generated items: every kind of term, with and without filters.
import type { Sql } from "#db/connect.ts";
import { inventoryProjection } from "#features/inventory/projection.ts";
import type { ItemSort } from "#features/inventory/contract.ts";
import { countItems, searchItems } from "#features/inventory/search.ts";
import type { ItemQuery } from "#features/inventory/search-conditions.ts";
import { readsOver } from "#http/reads.ts";
import {
  createGeneration,
  flipGeneration,
  indexGeneration,
} from "#ledger/projection/generation.ts";
import { tableName } from "#ledger/projection/render.ts";

/** One kind of search: its 95th and 50th percentile, and the target. */
export type SearchMeasurement = {
  readonly term: string;
  readonly filter: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly targetMs: number;
  /** Rows found by the last run. */
  readonly rows: number;
};

export type SearchBenchOptions = {
  /** By default a million. */
  readonly items?: number;
  /** Searches of each kind; by default 40. */
  readonly runs?: number;
  readonly onMeasured?: (measured: SearchMeasurement) => void;
};

const consignors = 200;
const aisles = 20;
const shelves = 25;
// Neighboring items get unique barcodes that look nothing alike.
const barcodeStep = 982_451_653n;
const barcodeModulus = 999_999_999_989n;
const pageSize = 51;

/**
 * Fills the inventory's read table with generated items, a quarter of them the store's. The names are words
 * of a small dictionary and a number; one item in ten is a lamp, twenty are of zirconium. Takes minutes.
 */
export async function fillInventory(sql: Sql, items: number): Promise<void> {
  const { generation } = await createGeneration(sql, inventoryProjection);
  await sql.unsafe(
    `insert into ${tableName("inventory_items", generation)} (
      id, owner_uid, item_name, listing_title, barcode1, barcode2, location, link, image_url, asin,
      quantity, version, archived, added_position, updated_position, added_at, unsold_since)
    select ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
      case when h % 4 > 0 then 'bench-consignor-' || lpad((h / 4 % ${consignors})::text, 6, '0') end,
      words[1 + h % 12] || ' ' || words[1 + h / 12 % 12]
        || case when h / 144 % 10 = 0 then ' lamp' else '' end
        || case when i % greatest(1, ${items} / 20) = 0 then ' zirconium' else '' end || ' ' || h % 90000,
      'New ' || words[1 + h / 1728 % 12] || ' in its box, tested, from a home without smoke',
      lpad((i::bigint * ${barcodeStep} % ${barcodeModulus})::text, 13, '0'), case when h % 3 = 0 then 'X' || md5(i::text) else '' end,
      'R' || lpad((h / 7 % ${aisles})::text, 2, '0') || '-' || lpad((h / 140 % ${shelves})::text, 2, '0'),
      'https://shop.example/dp/' || i, case when h % 5 = 0 then '' else 'https://img.example/' || i end, '',
      h % 40, 1 + h % 9, h % 50 = 0, i, i, timestamptz '2024-01-01' + i * interval '1 minute',
      timestamptz '2024-01-01' + i * interval '1 minute' + (h % 4) * interval '40 days'
    from (
      select i, abs(hashint8(i))::bigint as h, array['red', 'blue', 'small', 'large', 'vintage', 'kitchen',
        'garden', 'travel', 'speaker', 'camera', 'charger', 'puzzle'] as words
      from generate_series(1, ${items}) i) g
    order by i`,
  );
  await indexGeneration(sql, inventoryProjection, generation);
  await sql.unsafe(`vacuum analyze ${tableName("inventory_items", generation)}`);
  await flipGeneration(sql, inventoryProjection, generation);
}

type Kind = {
  readonly sort?: ItemSort;
  readonly term: string;
  /** The term of the nth run. */
  readonly of: (run: number) => string;
  readonly page: number;
  readonly targetMs: number;
};

/** Not by quantity: the search sorts by it only when there are few items. */
const sorts = ["itemName", "barcode2", "location", "source"] as const;

const sortedKinds: readonly Kind[] = sorts.flatMap((sort) => [
  { term: `no term, by ${sort}`, of: () => "", page: 1, targetMs: 50, sort },
  { term: `no term, by ${sort}, page 20`, of: () => "", page: 20, targetMs: 50, sort },
  { term: `rare term, by ${sort}`, of: () => "zirconium", page: 1, targetMs: 200, sort },
  { term: `term of 10 %, by ${sort}`, of: () => "lamp", page: 1, targetMs: 200, sort },
]);

const kinds: readonly Kind[] = [
  { term: "no term", of: () => "", page: 1, targetMs: 30 },
  {
    term: "exact barcode",
    of: (run) => String((BigInt(1 + run * 7919) * barcodeStep) % barcodeModulus).padStart(13, "0"),
    page: 1,
    targetMs: 30,
  },
  { term: "rare term", of: () => "zirconium", page: 1, targetMs: 30 },
  { term: "term of 10 %", of: () => "lamp", page: 1, targetMs: 30 },
  { term: "absent term", of: (run) => `unheard-of ${run}`, page: 1, targetMs: 30 },
  { term: "one letter", of: (run) => "aeiorstln"[run % 9] ?? "e", page: 1, targetMs: 200 },
  // No index helps here: the whole table is read.
  { term: "letter that no item has", of: () => "ø", page: 1, targetMs: 1000 },
  { term: "no term, page 1,000", of: () => "", page: 1000, targetMs: 200 },
  { term: "one letter, page 1,000", of: () => "e", page: 1000, targetMs: 200 },
];

type Filter = { readonly name: string; readonly of: (run: number) => Partial<ItemQuery> };

const consignorOf = (run: number) =>
  `bench-consignor-${String((run * 37) % consignors).padStart(6, "0")}`;
const aisleOf = (run: number) => `R${String(run % aisles).padStart(2, "0")}`;
const locationOf = (run: number) => `${aisleOf(run)}-${String(run % shelves).padStart(2, "0")}`;

const filters: readonly Filter[] = [
  { name: "none", of: () => ({}) },
  { name: "consignor", of: (run) => ({ ownerUids: [consignorOf(run)] }) },
  { name: "location", of: (run) => ({ location: locationOf(run) }) },
  { name: "aisle", of: (run) => ({ location: aisleOf(run) }) },
  { name: "master only", of: () => ({ filter: "master" }) },
  { name: "consignor only", of: () => ({ filter: "consignor" }) },
  {
    name: "consignor and location",
    of: (run) => ({ ownerUids: [consignorOf(run)], location: locationOf(run) }),
  },
  { name: "zero stock", of: () => ({ preset: "zero-stock" }) },
  { name: "unsold", of: (run) => ({ unsoldSince: new Date(Date.UTC(2024, 2 + (run % 18))) }) },
];

const anything: ItemQuery = {
  searchTerm: "",
  location: "",
  ownerUids: null,
  filter: "all",
  preset: null,
  unsoldSince: null,
};

async function measure(
  label: { readonly term: string; readonly filter: string; readonly targetMs: number },
  runs: number,
  search: (run: number) => Promise<number>,
): Promise<SearchMeasurement> {
  await search(0);
  const times: number[] = [];
  let rows = 0;
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    rows = await search(run);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(runs - 1, Math.floor(runs * share))] ?? 0;
  return { ...label, p50Ms: at(0.5), p95Ms: at(0.95), rows };
}

/** Times every kind of search on a table that `fillInventory` filled. */
export async function measureSearches(
  sql: Sql,
  options: SearchBenchOptions = {},
): Promise<readonly SearchMeasurement[]> {
  const runs = options.runs ?? 40;
  const { searches } = readsOver(sql);
  const measured: SearchMeasurement[] = [];
  const keep = (one: SearchMeasurement) => {
    measured.push(one);
    options.onMeasured?.(one);
  };
  for (const kind of [...kinds, ...sortedKinds]) {
    for (const filter of filters) {
      const label = { term: kind.term, filter: filter.name, targetMs: kind.targetMs };
      const search = async (run: number) => {
        const query = { ...anything, ...filter.of(run), searchTerm: kind.of(run) };
        const order = run % 2 === 0 ? "asc" : "desc";
        const part = { offset: (kind.page - 1) * (pageSize - 1), limit: pageSize };
        const found = await searchItems(searches, query, { sort: kind.sort, order }, part);
        return found.length;
      };
      keep(await measure(label, runs, search));
    }
  }
  for (const kind of kinds.filter(({ page }) => page === 1)) {
    const label = {
      term: `count of ${kind.term}`,
      filter: "none",
      targetMs: Math.max(200, kind.targetMs),
    };
    const count = async (run: number) =>
      (await countItems(searches, { ...anything, searchTerm: kind.of(run) })).count;
    keep(await measure(label, runs, count));
  }
  return measured;
}

/** Fills the table and times every kind of search. */
export async function benchSearch(
  sql: Sql,
  options: SearchBenchOptions = {},
): Promise<readonly SearchMeasurement[]> {
  await fillInventory(sql, options.items ?? 1_000_000);
  return measureSearches(sql, options);
}
