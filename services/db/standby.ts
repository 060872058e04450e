// A hot standby for reads: its pool, and a regular check that it follows the primary.
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { afterLook, notLookedAtYet } from "#db/standby-lag.ts";
import type { Following, StandbyLook, StandbyState } from "#db/standby-lag.ts";

export type StandbyOptions = {
  /** As the application's role. */
  readonly url: string;
  readonly primary: Sql;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  /** A standby that lags by more than this is not read from. */
  readonly maxLagMs: number;
  /** Called when reads start or stop going there, with the error that caused it, if any. */
  readonly onChange: (state: StandbyState, error: unknown) => void;
  readonly lookEveryMs?: number;
};

export type Standby = {
  readonly state: () => StandbyState;
  /** The pool while the standby follows the primary; else null. Statements that write are refused. */
  readonly pool: () => Sql | null;
  /** For callers whose read failed: nobody else tries the standby until the next check finds it again. */
  readonly noteLost: (error: unknown) => void;
  readonly close: () => Promise<void>;
};

/** A server that does not answer within this time counts as lost. */
const PATIENCE_MS = 1_000;

/** Starts checking now and returns without waiting, so that a standby that is down delays nothing. */
export function watchStandby(options: StandbyOptions): Standby {
  const { primary, maxLagMs, onChange, lookEveryMs = 250 } = options;
  let known: Following = notLookedAtYet;
  let pools = openPools(options);
  const ending = new AbortController();

  function learn(next: Following, error?: unknown): void {
    const hasChanged = next.state.kind !== known.state.kind;
    known = next;
    if (hasChanged) {
      onChange(next.state, error);
    }
  }

  async function look(): Promise<void> {
    const [written, replayed] = await Promise.all([
      settled(readWritten(primary)),
      settled(readReplayed(pools.probe)),
    ]);
    if (ending.signal.aborted || written.kind === "failed") {
      // Without the primary, nothing is known, and nobody can be served anyway.
      return;
    }
    const atMs = performance.now();
    const found: StandbyLook =
      replayed.kind === "failed"
        ? { kind: "silent", atMs, written: written.value, reason: reasonOf(replayed.error) }
        : { kind: "answered", atMs, written: written.value, replayed: replayed.value };
    learn(
      afterLook(known, found, maxLagMs),
      replayed.kind === "failed" ? replayed.error : undefined,
    );
    if (replayed.kind === "failed" && replayed.error instanceof NoAnswer) {
      // Hanging connections would keep hanging: reads that wait on them fail now and go to the primary.
      const hung = pools;
      pools = openPools(options);
      await hung.drop();
    }
  }

  async function keepLooking(): Promise<void> {
    while (!ending.signal.aborted) {
      await look();
      await delay(lookEveryMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  const looking = keepLooking();
  return {
    state: () => known.state,
    pool: () => (known.state.kind === "following" ? pools.reads : null),
    noteLost: (error) => {
      const { kind, lagMs } = known.state;
      if (kind !== "away") {
        learn({ ...known, state: { kind: "away", lagMs, reason: reasonOf(error) } }, error);
      }
    },
    close: async () => {
      ending.abort();
      await Promise.all([looking, pools.end()]);
    },
  };
}

function openPools({ url, applicationName, maxConnections, statementTimeoutMs }: StandbyOptions) {
  const options = { applicationName, statementTimeoutMs, isReadOnly: true };
  const reads = connect(url, { ...options, maxConnections });
  const probe = connect(url, { ...options, maxConnections: 1 });
  const end = async (timeout: number) => {
    await Promise.all([reads.end({ timeout }), probe.end({ timeout })]);
  };
  return { reads, probe, end: () => end(5), drop: () => end(0) };
}

async function readWritten(primary: Sql): Promise<number> {
  const [row] = await primary<{ written: number }[]>`
    select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as written`;
  return row?.written ?? 0;
}

async function readReplayed(standby: Sql): Promise<number> {
  const [row] = await standby<{ replayed: number | null }[]>`
    select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as replayed
    where pg_is_in_recovery()`;
  if (row === undefined) {
    // It was promoted, or never was a standby: its data may differ from the primary's.
    throw new NotAStandby();
  }
  return row.replayed ?? 0;
}

class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  override readonly message = "it does not answer";
}

class NotAStandby extends Error {
  override readonly name = "NotAStandby";
  override readonly message = "it is not in recovery, so it does not follow the primary";
}

type Settled =
  | { readonly kind: "done"; readonly value: number }
  | { readonly kind: "failed"; readonly error: unknown };

async function settled(answer: Promise<number>): Promise<Settled> {
  const late = new AbortController();
  const patience = delay(PATIENCE_MS, undefined, { signal: late.signal }).then(
    (): Settled => ({ kind: "failed", error: new NoAnswer() }),
    (): Settled => ({ kind: "failed", error: new NoAnswer() }),
  );
  const outcome = answer.then(
    (value): Settled => ({ kind: "done", value }),
    (error: unknown): Settled => ({ kind: "failed", error }),
  );
  const first = await Promise.race([outcome, patience]);
  late.abort();
  return first;
}

/** Shown to anyone who asks, so it contains no address. */
function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer || error instanceof NotAStandby) {
    return error.message;
  }
  const code =
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown";
  return `it cannot be reached (${code})`;
}
