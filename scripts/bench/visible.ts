// How soon after its commit a sale is in the read tables: at a fixed rate, and when every wake-up is lost.
import { connect } from "#db/connect.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { startWorker } from "#process/start-worker.ts";
import { events, streams } from "../../services/features.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { percentile } from "./load.ts";
import { rowsOf, sendAtRate } from "./rate.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { sellTo } from "./sell.ts";
import { openBenchStore } from "./service.ts";
import { stockShelves } from "./shop.ts";

const PER_SECOND = 100;
const PER_SECOND_WITHOUT_WAKE_UPS = 20;

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
  await sendAtRate(sellTo(store.ledger), items, observer, { perSecond: PER_SECOND, seconds: 1 });
  const woken = await sendAtRate(sellTo(store.ledger), items, observer, {
    perSecond: PER_SECOND,
    seconds,
  });

  // This writer's commits wake no worker, so only the worker's own polling is left.
  const silentSql = connect(database.appUrl, {
    applicationName: "bench-silent",
    maxConnections: 1,
  });
  parts.defer(() => silentSql.end({ timeout: 5 }));
  const silent = openLedger({ sql: silentSql, streams, events, newId: newTimeOrderedId });
  parts.defer(silent.close);
  options.progress("visible: the same with every wake-up lost");
  const dropped = await sendAtRate(sellTo(silent), items, observer, {
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
