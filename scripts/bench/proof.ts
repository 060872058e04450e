// The continuous proof of accounts: how much processor time a minute's pass takes, by the number of lines of an account.
import { pino } from "pino";
import { connect } from "#db/connect.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { events, projections, streams } from "../../services/features.ts";
import { createAlerting } from "../../services/proof/alerting.ts";
import { proveAccounts } from "../../services/proof/prove-accounts.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { ownCpuMs } from "./server.ts";
import { consignorIdOf, newContext } from "./shop.ts";

const ACCOUNTS = 100;
const MINUTE_MS = 60_000;
const TARGET_PERCENT = 25;
const happenedAt = "2026-06-01T12:00:00.000Z";

type Line = {
  readonly lines: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly percent: number;
};

/** A store in which each account has this many lines; proves all of it twice, and measures the second time. */
async function measure(server: BenchServer, lines: number): Promise<Line> {
  const name = `proof_${lines}`;
  const { appUrl } = await server.ledgerDatabase(name);
  const pool = (maxConnections: number, isInBackground = false) =>
    connect(appUrl, { applicationName: "bench-proof", maxConnections, isInBackground });
  const [sql, writerSql, proofSql] = [pool(4), pool(1), pool(2, true)];
  const ledger = openLedger({ sql: writerSql, streams, events, newId: newTimeOrderedId });
  try {
    await ensureProjections({ sql, projections, events });
    const uids = Array.from({ length: ACCOUNTS }, (_, index) => consignorIdOf(index));
    await sql`
      insert into identity.profiles (uid, created_at) select uid, now() from unnest(${uids}::text[]) as u (uid)`;
    for (let line = 1; line <= lines; line += 1) {
      const change = { balanceCents: line, expectedCents: null, noteId: null, happenedAt };
      await Promise.all(
        uids.map((uid) => ledger.execute(setBalance, { uid, ...change }, newContext())),
      );
    }
    await createRunner({ sql, projections, events }).catchUp();
    await sql`vacuum analyze`.catch(() => undefined);
    const clock = () => new Date();
    const logger = pino({ level: "silent" });
    const readEvent = createReadEvent(events);
    const deps = {
      sql,
      proofSql,
      ledger,
      clock,
      readEvent,
      alerting: createAlerting({ sql, readEvent, ledger, clock, logger, queueLetter: null }),
      projections,
      events,
      rest: () => Promise.resolve(),
      giveWay: () => Promise.resolve(),
    };
    await proveAccounts(deps);
    const from = { at: performance.now(), own: ownCpuMs(), server: server.cpuMs() };
    const { accounts, drifted } = await proveAccounts(deps);
    const wallMs = performance.now() - from.at;
    const cpuMs = ownCpuMs() - from.own + server.cpuMs() - from.server;
    if (accounts !== ACCOUNTS || drifted !== 0) {
      throw new Error(`${accounts} accounts were proved, and ${drifted} rows differ`);
    }
    return { lines, wallMs, cpuMs, percent: (cpuMs / MINUTE_MS) * 100 };
  } finally {
    await ledger.close();
    await Promise.all([sql, writerSql, proofSql].map((each) => each.end({ timeout: 5 })));
    await server.dropDatabase(name);
  }
}

export async function benchProof(server: BenchServer, options: PartOptions): Promise<Report> {
  const found: Line[] = [];
  for (const lines of options.isSmall ? [2] : [10, 100, 300, 2_000]) {
    options.progress(`proof: ${ACCOUNTS} accounts of ${lines} lines`);
    found.push(await measure(server, lines));
  }
  return {
    part: "proof",
    tables: [
      {
        title: `A pass over ${ACCOUNTS} accounts without its rests`,
        rows: found.map(({ lines, wallMs, cpuMs, percent }) => ({
          "lines of an account": lines,
          "time, ms": wallMs,
          "CPU, ms": cpuMs,
          "of one core, once a minute, %": percent,
        })),
      },
    ],
    verdicts: found.map(({ lines, percent }) => ({
      name: `${ACCOUNTS} accounts of ${lines} lines a minute, of one core`,
      measured: percent,
      target: TARGET_PERCENT,
      unit: "%",
      atLeast: false,
    })),
    notes: [],
  };
}
