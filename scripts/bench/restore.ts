// How long a back-up and its restore take, and how large it is: full, of what is new, and proved in an empty database.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { backUp } from "#db/backup/back-up.ts";
import { connect } from "#db/connect.ts";
import { restoreStore } from "#process/restore-store.ts";
import { addItem } from "#features/inventory/decider.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { events, streams } from "../../services/features.ts";
import { openHistory } from "./history.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchDatabase, BenchServer } from "./server.ts";
import { newContext } from "./shop.ts";

const EVENTS = 1_000_000;
/** About a busy day. */
const NEW_EVENTS = 5_000;
const PASSPHRASE = "a passphrase of the benchmark";
const MEGABYTE = 1e6;

/** A log whose chain is whole: every event is written by a command. */
async function write(database: BenchDatabase, count: number): Promise<void> {
  const history = await openHistory(database, count);
  await history.close();
  const sql = connect(database.ownerUrl, { applicationName: "bench-restore", maxConnections: 1 });
  await sql.unsafe("drop schema bench cascade");
  await sql.end();
}

async function writeMore(database: BenchDatabase, count: number): Promise<void> {
  const sql = connect(database.appUrl, { applicationName: "bench-restore", maxConnections: 1 });
  const ledger = openLedger({ sql, streams, events, newId: newTimeOrderedId });
  const texts = { listingTitle: "", barcode2: "", location: "", link: "", imageUrl: "", asin: "" };
  try {
    const add = (index: number) =>
      ledger.execute(
        addItem,
        {
          itemId: crypto.randomUUID(),
          ownerUid: null,
          details: { itemName: `Lamp ${index}`, barcode1: `L-${index}`, ...texts },
          quantity: 1,
          source: "manual",
          happenedAt: "2026-11-22T10:00:00.000Z",
        },
        newContext(),
      );
    await Promise.all(Array.from({ length: count }, (_, index) => add(index)));
  } finally {
    await ledger.close();
    await sql.end();
  }
}

export async function benchRestore(server: BenchServer, options: PartOptions): Promise<Report> {
  const count = options.isSmall ? 1_000 : options.size(EVENTS);
  const database = await server.ledgerDatabase("backed_up");
  const folder = await mkdtemp(path.join(tmpdir(), "bench-restore-"));
  const back = () =>
    backUp({
      ownerUrl: database.ownerUrl,
      folder,
      passphrase: PASSPHRASE,
      clock: () => new Date(),
    });
  try {
    options.progress("restore: writing the log by commands, so that its chain is whole");
    await write(database, count);
    options.progress("restore: a full back-up");
    const full = await back();
    await writeMore(database, options.isSmall ? 100 : NEW_EVENTS);
    options.progress("restore: a back-up of what is new");
    const added = await back();
    const target = await server.emptyDatabase("restored");
    const restored = await restoreStore({
      folder,
      passphrase: PASSPHRASE,
      secretKeys: null,
      heads: [],
      openTarget: () => Promise.resolve(target),
      onProgress: (label) => options.progress(`restore: ${label}`),
    });
    // Nobody is paid here, so the payouts have no handles.
    const problem = restored.verified.problems.find(({ message }) => !message.includes("handle"));
    if (problem !== undefined) {
      throw new Error(`The restored books are not right: ${problem.message}`);
    }
    const proveMs = restored.verified.elapsedMs;
    const row = (step: string, ms: number, bytes?: number) => ({
      step,
      s: ms / 1000,
      MB: bytes === undefined ? "" : bytes / MEGABYTE,
    });
    return {
      part: "restore",
      tables: [
        {
          title: `A store of ${restored.position.toLocaleString("en-US")} events, encrypted`,
          rows: [
            row("full back-up", full.elapsedMs, full.newBytes),
            row(
              `back-up of ${(added.position - added.after).toLocaleString("en-US")} new events`,
              added.elapsedMs,
              added.newBytes,
            ),
            row("check and load", restored.loadMs),
            row("build all read tables", restored.rebuildMs),
            row("prove", proveMs),
            row("whole restore", restored.elapsedMs),
          ],
        },
      ],
      notes: [],
      verdicts: [],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
