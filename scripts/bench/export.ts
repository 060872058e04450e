// How fast an auditor's export is written and proved, and that neither holds the log in memory.
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { connect } from "#db/connect.ts";
import { readHead } from "#ledger/log/read.ts";
import { openHistory } from "./history.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";

const EVENTS = 1_000_000;
/** However long the log is, neither process gets more. */
const HEAP_MB = 96;
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
    const writer = path.join(import.meta.dirname, "..", "export-log.ts");
    const exportMs = await timed([writer, "--out", file], {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      DATA_DIR: folder,
    });
    const { size } = await stat(file);
    options.progress("export: proving it");
    const prover = path.join(import.meta.dirname, "..", "prove-export.mjs");
    const proveMs = await timed([prover, file, "--head", `${to}:${hash}`]);
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
      notes: [`Each ran in a process of its own with a heap of ${HEAP_MB} MB.`],
      verdicts: [],
    };
  } finally {
    await sql.end({ timeout: 5 });
    await rm(folder, { recursive: true });
  }
}

/** Milliseconds. Throws if the program fails, also for lack of memory. */
async function timed(call: readonly string[], environment: object = {}): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP_MB}`, ...call], {
    env: { ...process.env, ...environment },
  });
  return performance.now() - startedAt;
}
