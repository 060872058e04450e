// How fast an auditor's export is written and proved, and that neither holds the log in memory.
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { connect } from "#db/connect.ts";
import { exportLog } from "#ledger/log/export-log.ts";
import { readHead } from "#ledger/log/read.ts";
import { openHistory } from "./history.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";

const EVENTS = 1_000_000;
/** The prover gets no more heap than this, however long the log is. */
const PROVER_HEAP_MB = 64;
const MEGABYTE = 1024 * 1024;

export async function benchExport(server: BenchServer, options: PartOptions): Promise<Report> {
  const database = await server.ledgerDatabase("export");
  const sql = connect(database.appUrl, { applicationName: "bench-export", maxConnections: 1 });
  const folder = await mkdtemp(path.join(tmpdir(), "bench-export-"));
  try {
    options.progress("export: writing the log by commands, so that its chain is whole");
    const history = await openHistory(database, options.isSmall ? 1_000 : options.size(EVENTS));
    await history.growTo(0);
    await history.close();
    const { position: to, hash } = await readHead(sql);
    const file = path.join(folder, "log.ndjson");
    options.progress(`export: writing ${to.toLocaleString("en-US")} events`);
    const { ms: exportMs, grownMb } = await timed(() =>
      pipeline(Readable.from(exportLog(sql, { from: 1, to })), createWriteStream(file)),
    );
    const { size } = await stat(file);
    options.progress("export: proving it");
    const prover = path.join(import.meta.dirname, "..", "prove-export.mjs");
    const { ms: proveMs } = await timed(() =>
      promisify(execFile)(process.execPath, [
        `--max-old-space-size=${PROVER_HEAP_MB}`,
        prover,
        file,
        "--head",
        `${to}:${hash}`,
      ]),
    );
    return {
      part: "export",
      tables: [
        {
          title: `An export of ${to.toLocaleString("en-US")} events, ${Math.round(size / MEGABYTE)} MB`,
          rows: [
            { step: "write", s: exportMs / 1000, "events/s": Math.round((to * 1000) / exportMs) },
            { step: "prove", s: proveMs / 1000, "events/s": Math.round((to * 1000) / proveMs) },
          ],
        },
      ],
      notes: [
        `The prover ran with a heap of ${PROVER_HEAP_MB} MB; the process that wrote grew by ${Math.round(grownMb)} MB at most.`,
      ],
      verdicts: [
        {
          name: "memory added by writing",
          measured: grownMb,
          target: 200,
          unit: "MB",
          atLeast: false,
        },
      ],
    };
  } finally {
    await sql.end({ timeout: 5 });
    await rm(folder, { recursive: true });
  }
}

async function timed(act: () => Promise<unknown>): Promise<{ ms: number; grownMb: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const startedAt = performance.now();
  try {
    await act();
  } finally {
    clearInterval(look);
  }
  return { ms: performance.now() - startedAt, grownMb: (most - before) / MEGABYTE };
}
