// The reads of a store after years of use: a million items searched, a long account paged, sales listed.
import { accountHistoryProjection } from "#features/accounts/projection.ts";
import { readLedger } from "#features/accounts/queries.ts";
import { salesProjection } from "#features/sales/projection.ts";
import { cursorAfter, searchSales } from "#features/sales/search.ts";
import type { SaleQuery } from "#features/sales/search-conditions.ts";
import type { Store } from "#process/open-store.ts";
import { explanations } from "../../services/features.ts";
import { routeDepsOf } from "#process/start-api.ts";
import { BUSY_CONSIGNOR, openHistory } from "./history.ts";
import { percentile } from "./load.ts";
import { showRebuilt } from "./rebuild.ts";
import type { PartOptions, Report, Verdict } from "./report.ts";
import type { SearchMeasurement } from "./search.ts";
import { benchSearch } from "./search.ts";
import type { BenchServer } from "./server.ts";
import { openBenchStore } from "./service.ts";
import { consignorIdOf } from "./shop.ts";

const PAGE = 50;

export type Timed = { readonly name: string; readonly p50Ms: number; readonly p95Ms: number };

/** Runs a read repeatedly; the first run does not count. */
export async function time(
  name: string,
  runs: number,
  read: (run: number) => Promise<unknown>,
): Promise<Timed> {
  await read(0);
  const times: number[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = performance.now();
    await read(run);
    times.push(performance.now() - startedAt);
  }
  return { name, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

/** The busiest account: how many lines it has, and how long each kind of page takes. */
async function timeAccount(
  store: Store,
  runs: number,
): Promise<{ lines: number; pages: readonly Timed[] }> {
  const { identity } = store;
  const reads = routeDepsOf(store);
  const query = {
    uid: BUSY_CONSIGNOR,
    timeZone: "UTC",
    closings: { closed: [] },
    filters: { types: [], from: undefined, to: undefined },
    before: undefined,
    limit: PAGE,
    forAdmin: false,
  };
  const read = (more: Partial<Parameters<typeof readLedger>[2]>) =>
    readLedger(reads, { ...identity, explanations }, { ...query, ...more });
  const { lineCount, lines } = await read({});
  const newest = lines[0]?.happenedAt ?? "";
  const deep = (run: number) => Math.max(PAGE, Math.floor((lineCount * ((run * 37) % 100)) / 100));
  const filters = { types: ["SaleRefunded"], from: undefined, to: undefined };
  return {
    lines: lineCount,
    pages: [
      await time("newest page", runs, () => read({})),
      await time("any page", runs, (run) => read({ before: deep(run) })),
      await time("oldest page", runs, () => read({ before: PAGE + 1 })),
      await time("refunds only", runs, () => read({ filters })),
      await time("up to a day", runs, (run) =>
        read({
          filters: {
            types: [],
            from: undefined,
            to: new Date(Date.parse(newest) - run * 3_600_000).toISOString(),
          },
        }),
      ),
    ],
  };
}

/** Pages of all sales, and of one consignor's. */
async function timeSales(store: Store, runs: number): Promise<readonly Timed[]> {
  const { sql } = store;
  const { searches } = routeDepsOf(store);
  const page = (query: SaleQuery, cursor?: string) =>
    searchSales(searches, query, cursor, PAGE + 1);
  const [middle] = await sql<{ sold_at: Date; position: number }[]>`
    select sold_at, position from read.sales order by sold_at desc, position desc
    offset (select count(*) / 2 from read.sales) limit 1`;
  const cursor = middle === undefined ? undefined : cursorAfter(middle);
  const consignorId = (run: number) => consignorIdOf((run * 37) % 200);
  return [
    await time("all, newest page", runs, () => page({})),
    await time("all, from the middle on", runs, () => page({}, cursor)),
    await time("one consignor's", runs, (run) => page({ consignorId: consignorId(run) })),
    await time("refunded", runs, () => page({ status: "partly_refunded" })),
    await time("refunded, one consignor's", runs, (run) =>
      page({ status: "partly_refunded", consignorId: consignorId(run) }),
    ),
    await time("custom", runs, () => page({ kind: "custom" })),
    await time("at the till", runs, () => page({ channel: "pos" })),
    await time("a term that all have", runs, () => page({ searchTerm: "lamp" })),
    await time("a term that few have", runs, (run) => page({ searchTerm: `lamp ${1_900 + run}` })),
    await time("a term that none has", runs, (run) => page({ searchTerm: `unheard-of ${run}` })),
  ];
}

function verdictsOf(searches: readonly SearchMeasurement[]): readonly Verdict[] {
  const slowest = (name: string, wanted: (one: SearchMeasurement) => boolean) => {
    const [worst] = searches.filter(wanted).sort((one, other) => other.p95Ms - one.p95Ms);
    return worst === undefined
      ? []
      : [
          {
            name: `${name}, the slowest of all filters (${worst.filter}), p95`,
            measured: worst.p95Ms,
            target: worst.targetMs,
            unit: "ms",
            atLeast: false,
          },
        ];
  };
  return [
    "exact barcode",
    "rare term",
    "term of 10 %",
    "no term",
    "absent term",
    "one letter",
    "no term, page 1,000",
    "one letter, page 1,000",
  ].flatMap((term) => slowest(term, (one) => one.term === term));
}

export async function benchReads(server: BenchServer, options: PartOptions): Promise<Report> {
  const runs = options.isSmall ? 5 : 40;
  const database = await server.ledgerDatabase("reads");
  options.progress("search: writing and copying a log");
  const history = await openHistory(database, options.isSmall ? 1_000 : 20_000);
  const events = await history.growTo(options.isSmall ? 2_000 : options.size(1_000_000));
  await history.close();
  const store = await openBenchStore(database, false);
  try {
    options.progress("search: filling account history and sales");
    await showRebuilt(store.workSql, [accountHistoryProjection, salesProjection]);
    await store.workSql.unsafe("vacuum analyze read.projections");
    options.progress("search: paging the longest account, listing sales");
    const account = await timeAccount(store, runs);
    const sales = await timeSales(store, runs);
    const items = options.isSmall ? 20_000 : options.size(1_000_000);
    options.progress(`search: filling ${items.toLocaleString("en-US")} items`);
    const searches = await benchSearch(store.workSql, {
      items,
      runs,
      onMeasured: ({ term, filter, p95Ms }) =>
        options.progress(`search: ${term}, ${filter}: ${p95Ms.toFixed(1)} ms`),
    });
    return summarize({ events, items, account, sales, searches });
  } finally {
    await store.close();
  }
}

type Measured = {
  readonly events: number;
  readonly items: number;
  readonly account: Awaited<ReturnType<typeof timeAccount>>;
  readonly sales: readonly Timed[];
  readonly searches: readonly SearchMeasurement[];
};

function summarize({ events, items, account, sales, searches }: Measured): Report {
  const rowOf = ({ name, p50Ms, p95Ms }: Timed) => ({
    read: name,
    "p50 ms": p50Ms,
    "p95 ms": p95Ms,
  });
  const slowestPage = Math.max(...account.pages.map(({ p95Ms }) => p95Ms));
  const slowestList = Math.max(...sales.map(({ p95Ms }) => p95Ms));
  return {
    part: "search",
    tables: [
      {
        title: `Inventory of ${items.toLocaleString("en-US")} items`,
        rows: searches.map(({ term, filter, p50Ms, p95Ms, targetMs }) => ({
          term,
          filter,
          "p50 ms": p50Ms,
          "p95 ms": p95Ms,
          "target ms": targetMs,
        })),
      },
      {
        title: `History of an account with ${account.lines.toLocaleString("en-US")} lines in a log of ${events.toLocaleString("en-US")} events`,
        rows: account.pages.map(rowOf),
      },
      { title: "Sales in the same log", rows: sales.map(rowOf) },
    ],
    notes: ["The routes' own queries, one at a time, including reading and shaping the rows."],
    verdicts: [
      ...verdictsOf(searches),
      {
        name: "history page, the slowest kind, p95",
        measured: slowestPage,
        target: 20,
        unit: "ms",
        atLeast: false,
      },
      {
        name: "sales list, the slowest kind, p95",
        measured: slowestList,
        target: 30,
        unit: "ms",
        atLeast: false,
      },
    ],
  };
}
