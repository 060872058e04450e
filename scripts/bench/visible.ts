// How soon after its commit a sale is in the read tables: at a fixed rate, and when every wake-up is lost.
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { startWorker } from "#process/compose.ts";
import { events, streams } from "../../services/features.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { percentile } from "./load.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { openBenchStore } from "./service.ts";
import type { ShopItem } from "./shop.ts";
import { newContext, saleOf, stockShelves } from "./shop.ts";

const PER_SECOND = 100;
const PER_SECOND_WITHOUT_WAKE_UPS = 20;

type Seen = {
  /** From the acknowledged commit until an outside reader sees it, in milliseconds. */
  readonly visibleMs: readonly number[];
  /** The same, from when the command was due, even if it was sent later. */
  readonly dueToVisibleMs: readonly number[];
  readonly dueToAnsweredMs: readonly number[];
};

type Waiting = { readonly position: number; readonly dueAt: number; readonly answeredAt: number };

/** Looks at the checkpoints about every millisecond, as a reader of its own. */
function watchTables(sql: Sql): {
  readonly expect: (waiting: Waiting) => void;
  readonly end: () => Promise<Pick<Seen, "visibleMs" | "dueToVisibleMs">>;
} {
  let waiting: Waiting[] = [];
  const ending = new AbortController();
  const visibleMs: number[] = [];
  const dueToVisibleMs: number[] = [];
  const look = async () => {
    const [row] = await sql<{ reached: number }[]>`
      select min(position) as reached from read.projections where state = 'live'`;
    const now = performance.now();
    const reached = row?.reached ?? 0;
    for (const { position, dueAt, answeredAt } of waiting) {
      if (position <= reached) {
        // The reader may see the tables move a moment before this process learns of its own commit.
        visibleMs.push(Math.max(0, now - answeredAt));
        dueToVisibleMs.push(now - dueAt);
      }
    }
    waiting = waiting.filter(({ position }) => position > reached);
  };
  const running = (async () => {
    while (!ending.signal.aborted || waiting.length > 0) {
      await look();
      await delay(1);
    }
  })();
  return {
    expect: (one) => void waiting.push(one),
    end: async () => {
      ending.abort();
      await running;
      return { visibleMs, dueToVisibleMs };
    },
  };
}

/** Sends sales by the clock without waiting for answers, so that a slow moment delays no later sale. */
async function sendAtRate(
  ledger: LedgerWriter,
  items: readonly ShopItem[],
  observer: Sql,
  rate: { readonly perSecond: number; readonly seconds: number },
): Promise<Seen> {
  const tables = watchTables(observer);
  const dueToAnsweredMs: number[] = [];
  const count = Math.ceil(rate.perSecond * rate.seconds);
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  const sendOne = async (item: ShopItem, dueAt: number): Promise<void> => {
    const outcome = await ledger.execute(recordSale, saleOf(item), newContext());
    if (outcome.kind !== "accepted") {
      throw new Error(`A sale of the benchmark was answered: ${outcome.kind}`);
    }
    const answeredAt = performance.now();
    dueToAnsweredMs.push(answeredAt - dueAt);
    tables.expect({ position: outcome.position, dueAt, answeredAt });
  };
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1000) / rate.perSecond;
    const restMs = dueAt - performance.now();
    if (restMs > 0) {
      await delay(restMs);
    }
    const item = items[(index * 7919) % items.length];
    if (item !== undefined) {
      sent.push(sendOne(item, dueAt));
    }
  }
  await Promise.all(sent);
  return { ...(await tables.end()), dueToAnsweredMs };
}

function rowsOf(label: string, seen: Seen): Record<string, string | number>[] {
  const kinds = [
    ["commit to visible", seen.visibleMs],
    ["due to answered", seen.dueToAnsweredMs],
    ["due to visible", seen.dueToVisibleMs],
  ] as const;
  return kinds.map(([name, times]) => ({
    rate: label,
    time: name,
    "p50 ms": percentile(times, 0.5),
    "p90 ms": percentile(times, 0.9),
    "p99 ms": percentile(times, 0.99),
    "max ms": percentile(times, 1),
  }));
}

export async function benchVisible(server: BenchServer, options: PartOptions): Promise<Report> {
  await using parts = new AsyncDisposableStack();
  const database = await server.ledgerDatabase("visible");
  const store = await openBenchStore(database, true);
  parts.defer(store.close);
  const worker = await startWorker(store);
  parts.defer(worker.close);
  const observer = connect(database.appUrl, { applicationName: "bench-see", maxConnections: 1 });
  parts.defer(() => observer.end({ timeout: 5 }));
  const items = await stockShelves(store.ledger);
  await worker.runner.catchUp();

  const seconds = options.seconds(20);
  options.progress(`visible: ${PER_SECOND} sales a second for ${seconds} s`);
  await sendAtRate(store.ledger, items, observer, { perSecond: PER_SECOND, seconds: 1 });
  const woken = await sendAtRate(store.ledger, items, observer, { perSecond: PER_SECOND, seconds });

  // This writer's commits wake no worker, so only the worker's own polling is left.
  const silentSql = connect(database.appUrl, {
    applicationName: "bench-silent",
    maxConnections: 1,
  });
  parts.defer(() => silentSql.end({ timeout: 5 }));
  const silent = openLedger({ sql: silentSql, streams, events, newId: newTimeOrderedId });
  parts.defer(silent.close);
  options.progress("visible: the same with every wake-up lost");
  const dropped = await sendAtRate(silent, items, observer, {
    perSecond: PER_SECOND_WITHOUT_WAKE_UPS,
    seconds: Math.max(3, seconds / 2),
  });
  return {
    part: "visible",
    tables: [
      {
        title: "From the commit until all read tables have it, seen by a separate reader",
        rows: [
          ...rowsOf(`${PER_SECOND}/s`, woken),
          ...rowsOf(`${PER_SECOND_WITHOUT_WAKE_UPS}/s, no wake-ups`, dropped),
        ],
      },
    ],
    notes: [
      "Sales are sent by the clock, and times count from when they were due, so slow moments are not hidden (no coordinated omission).",
      "Writer, worker and reader share this process, as with `npm start`; the reader looks about every millisecond.",
    ],
    verdicts: [
      {
        name: `commit to visible, p99 at ${PER_SECOND} commands a second`,
        measured: percentile(woken.visibleMs, 0.99),
        target: 15,
        unit: "ms",
        atLeast: false,
      },
      {
        name: "commit to visible at most, with notifications dropped",
        measured: percentile(dropped.visibleMs, 1),
        target: 1500,
        unit: "ms",
        atLeast: false,
      },
    ],
  };
}
