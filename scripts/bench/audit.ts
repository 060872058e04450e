// The audit log at a million events: pages by every filter, single events, and what its projection adds to each sale.
import { connect } from "#db/connect.ts";
import { accountHistoryProjection } from "#features/accounts/projection.ts";
import type { EventDeps } from "#features/audit/event-loaded.ts";
import { readAuditEvent } from "#features/audit/event-view.ts";
import { auditProjection } from "#features/audit/projection.ts";
import { readAuditPage } from "#features/audit/queries.ts";
import type { Reader } from "#features/audit/queries-words.ts";
import type { AuditFilters } from "#features/audit/search-check.ts";
import { positionBefore } from "#http/as-of.ts";
import { understand } from "#features/audit/search-text.ts";
import { typesForConsignors } from "#features/audit/sentence.ts";
import { inventoryProjection, itemTimelineProjection } from "#features/inventory/projection.ts";
import { itemStreamId } from "#features/inventory/streams.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { saleStreamId } from "#features/sales/streams.ts";
import { sellersLines } from "#features/trades/seller-history.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Store } from "#process/open-store.ts";
import { routeDepsOf } from "#process/start-api.ts";
import { events, explanations, projections, streams } from "../../services/features.ts";
import { BUSY_CONSIGNOR, openHistory } from "./history.ts";
import { percentile } from "./load.ts";
import type { Timed } from "./reads.ts";
import { time } from "./reads.ts";
import { showRebuilt } from "./rebuild.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { makeConsignors, openBenchStore } from "./service.ts";
import { consignorIdOf, newContext } from "./shop.ts";

const PAGE = 50;
const TARGET_MS = 50;
const NO_FILTER: AuditFilters = {
  person: null,
  streams: [],
  types: [],
  actor: null,
  account: null,
  ownEntries: false,
  sought: null,
  isOwn: false,
};
const ADMIN: Reader = { uid: "bench-admin-00000000001", isAdmin: true };
const BUSY: Reader = { uid: BUSY_CONSIGNOR, isAdmin: false };

function depsOf(store: Store): EventDeps {
  const { notes } = store.identity;
  const ownTypes = typesForConsignors(explanations);
  return { ...routeDepsOf(store), notes, explanations, streams, sellersLines, ownTypes };
}

/** Ids of a thing of each kind, from all over the log. */
async function sampleOf(store: Store, name: "itemId" | "saleId"): Promise<readonly string[]> {
  const rows = await store.sql<{ id: string }[]>`
    select distinct data ->> ${name} as id from log.events
    where position % 9973 = 1 and data ->> ${name} is not null limit 50`;
  return rows.map(({ id }) => id);
}

async function timePages(store: Store, head: number, runs: number): Promise<readonly Timed[]> {
  const deps = depsOf(store);
  const any = (run: number) => Math.max(PAGE, Math.floor((head * ((run * 37) % 100)) / 100));
  const page = (filters: Partial<AuditFilters>, before = head + 1, reader = ADMIN) =>
    readAuditPage(
      deps,
      reader,
      { ...NO_FILTER, ...filters },
      { order: "newest", bounds: { after: 0, before }, limit: PAGE },
    );
  const parts = routeDepsOf(store);
  const text = async (q: string, more: Partial<AuditFilters> = {}, reader = ADMIN) => {
    const { sought } = await understand(parts, q, reader.isAdmin ? null : reader.uid, head);
    return page({ ...more, sought }, head + 1, reader);
  };
  const own = { person: BUSY.uid, types: deps.ownTypes, isOwn: true };
  const items = await sampleOf(store, "itemId");
  const sales = await sampleOf(store, "saleId");
  const of = (ids: readonly string[], run: number) => ids[run % ids.length] ?? "";
  const rare = ["PayoutPaid"];
  const timed = (name: string, read: (run: number) => Promise<unknown>) => time(name, runs, read);
  return [
    await timed("no filter, any page", (run) => page({}, any(run))),
    await timed("a rare type, any page", (run) => page({ types: rare }, any(run))),
    await timed("admins' own entries", () => page({ ownEntries: true })),
    await timed("nine types, any page", (run) =>
      page({ types: [...explanations.keys()].slice(0, 9) }, any(run)),
    ),
    await timed("the busiest person, any page", (run) => page({ person: BUSY.uid }, any(run))),
    await timed("that person, a rare type", (run) =>
      page({ person: BUSY.uid, types: rare }, any(run)),
    ),
    await timed("one item", (run) => page({ streams: [itemStreamId(of(items, run))] })),
    await timed("one sale", (run) => page({ streams: [saleStreamId(of(sales, run))] })),
    await timed("from an instant on", async (run) => {
      const instant = new Date(Date.UTC(2026, 0, 1) + run * 3_600_000).toISOString();
      const before = await positionBefore(deps.reads, new Date(instant), head);
      return page({}, before + 1);
    }),
    await timed("an amount that many have", (run) => text(`$${10 + (run % 90)}.00`)),
    await timed("an amount of one person", (run) =>
      text(`$${10 + (run % 90)}.00`, { person: BUSY.uid }),
    ),
    await timed("a barcode", (run) => text(`00000000-${run}`)),
    await timed("an item's name", (run) => text(`lamp ${run}`)),
    await timed("the first characters of an id", (run) => text(of(sales, run).slice(0, 8))),
    await timed("a text that nothing has", (run) => text(`unheard-of ${run}`)),
    await timed("a consignor's own, any page", (run) => page(own, any(run), BUSY)),
    await timed("a consignor's own amount", (run) => text(`$${10 + (run % 90)}.00`, own, BUSY)),
  ];
}

async function timeEvents(store: Store, head: number, runs: number): Promise<readonly Timed[]> {
  const deps = depsOf(store);
  const own = await store.sql<{ position: number }[]>`
    select position from read.audit_people where uid = ${BUSY.uid} and position % 211 = 0 limit 200`;
  return [
    await time("any event, for an admin", runs * 5, (run) =>
      readAuditEvent(deps, ADMIN, 1 + ((run * 7_919_113) % head)),
    ),
    await time("an event of the busiest account", runs * 5, (run) =>
      readAuditEvent(deps, BUSY, own[run % own.length]?.position ?? 1),
    ),
  ];
}

/** How long one custom sale takes from its commit into all read tables, with and without the audit's. */
async function timeSteps(server: BenchServer, sales: number): Promise<readonly Timed[]> {
  const all: Timed[] = [];
  for (const [name, wanted] of [
    ["without the audit log", projections.filter((one) => one !== auditProjection)],
    ["with it", projections],
  ] as const) {
    const database = await server.ledgerDatabase(`steps_${all.length}`);
    const sql = connect(database.appUrl, { applicationName: "bench-steps" });
    const ledger = openLedger({ sql, streams, events, newId: newTimeOrderedId });
    await ensureProjections({ sql, projections: wanted, events });
    const runner = createRunner({ sql, projections: wanted, events, commit: "off" });
    const times: number[] = [];
    for (let sale = 0; sale < sales; sale += 1) {
      const consignorId = consignorIdOf(sale % 200);
      await ledger.execute(
        recordCustomSale,
        {
          saleId: crypto.randomUUID(),
          consignorId,
          itemName: "Repair",
          amountCents: 700,
          happenedAt: new Date().toISOString(),
        },
        newContext(),
      );
      const startedAt = performance.now();
      await runner.catchUp();
      times.push(performance.now() - startedAt);
    }
    all.push({ name, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) });
    await ledger.close();
    await sql.end();
  }
  return all;
}

export async function benchAudit(server: BenchServer, options: PartOptions): Promise<Report> {
  const runs = options.isSmall ? 5 : 60;
  options.progress("audit: one custom sale after the other");
  const steps = await timeSteps(server, options.isSmall ? 20 : 500);
  const database = await server.ledgerDatabase("audit");
  options.progress("audit: writing and copying a log");
  const history = await openHistory(database, options.isSmall ? 1_000 : 20_000);
  const head = await history.growTo(options.isSmall ? 2_000 : options.size(1_000_000));
  await history.close();
  await makeConsignors(database);
  const store = await openBenchStore(database, false);
  try {
    options.progress("audit: filling its tables");
    const startedAt = performance.now();
    await showRebuilt(store.workSql, [auditProjection]);
    const rebuildMs = performance.now() - startedAt;
    await showRebuilt(store.workSql, [
      accountHistoryProjection,
      inventoryProjection,
      itemTimelineProjection,
    ]);
    await store.workSql.unsafe("vacuum analyze");
    options.progress("audit: paging and opening");
    const pages = await timePages(store, head, runs);
    const opened = await timeEvents(store, head, runs);
    return summarize({ head, rebuildMs, steps, pages, opened });
  } finally {
    await store.close();
  }
}

type Measured = {
  readonly head: number;
  readonly rebuildMs: number;
  readonly steps: readonly Timed[];
  readonly pages: readonly Timed[];
  readonly opened: readonly Timed[];
};

function summarize({ head, rebuildMs, steps, pages, opened }: Measured): Report {
  const rowOf = ({ name, p50Ms, p95Ms }: Timed) => ({
    what: name,
    "p50 ms": p50Ms,
    "p95 ms": p95Ms,
  });
  const slowest = (all: readonly Timed[]) => Math.max(...all.map(({ p95Ms }) => p95Ms));
  const verdict = (name: string, measured: number) => ({
    name,
    measured,
    target: TARGET_MS,
    unit: "ms",
    atLeast: false,
  });
  return {
    part: "audit",
    tables: [
      {
        title: `Pages of the audit log at ${head.toLocaleString("en-US")} events`,
        rows: pages.map(rowOf),
      },
      { title: "One event with its streams before and after", rows: opened.map(rowOf) },
      { title: "One custom sale into all read tables", rows: steps.map(rowOf) },
      {
        title: "Rebuild of its tables",
        rows: [
          {
            what: "audit alone",
            "rebuild s": rebuildMs / 1000,
            "events/s": Math.round((head * 1000) / rebuildMs),
          },
        ],
      },
    ],
    notes: ["The routes' own queries, one at a time, including reading and shaping the rows."],
    verdicts: [
      verdict("a page, the slowest kind, p95", slowest(pages)),
      verdict("an event, the slowest kind, p95", slowest(opened)),
    ],
  };
}
