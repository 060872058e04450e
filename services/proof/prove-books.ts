// The nightly proof of everything: runs once a night however many workers there are, and again after a crash.
import type { Sql } from "#db/connect.ts";
import { isProofAsked, readProof } from "#features/alerts/proof-now.ts";
import { MOST_KEYS_APART } from "#features/holds/place-holds.ts";
import type { Alert } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { isProvable, proveKeys } from "#ledger/verify/drifted-keys.ts";
import type { FoundDifferences } from "#ledger/verify/replay.ts";
import type { VerifyReport } from "#ledger/verify/verify.ts";
import type { AccountProofDeps } from "./prove-accounts.ts";
import { namedKey, openDrift, reportDrift, reportManyRows, settleDrift } from "./drift.ts";

/** What a proof of everything found. */
export type BooksProof = {
  readonly report: Pick<
    VerifyReport,
    "position" | "problems" | "unlistedProblems" | "replayedProjections"
  >;
  readonly differences: readonly FoundDifferences[];
};

export type NightlyDeps = AccountProofDeps & {
  /** "03:00" in the store's time zone; null for only when an admin asks. */
  readonly proofTime: string | null;
  readonly timeZone: () => Promise<string>;
  readonly prove: () => Promise<BooksProof>;
};

/** When the last proof was due: the latest time of the day that is not in the future. */
export async function lastDue(
  sql: Sql,
  { now, time, timeZone }: { readonly now: Date; readonly time: string; readonly timeZone: string },
): Promise<Date> {
  const [row] = await sql<{ due: Date }[]>`
    select max(due) as due from (
      select (date_trunc('day', ${now}::timestamptz at time zone ${timeZone})
        - make_interval(days => days) + ${time}::time) at time zone ${timeZone} as due
      from generate_series(0, 2) as days) d
    where due <= ${now}`;
  return row?.due ?? now;
}

/**
 * The alerts about rows of a projection that were open when the proof began and are open still. One that was raised
 * meanwhile, or raised again, may be about rows that changed after they were compared.
 */
async function openSince(
  deps: NightlyDeps,
  projection: Projection,
  before: readonly Alert[],
): Promise<readonly Alert[]> {
  const open = await openDrift(deps, projection.name);
  return open.filter(({ key, episode }) =>
    before.some((alert) => alert.key === key && alert.episode === episode),
  );
}

/** Reports the rows of a projection that differ. Returns false if no row key explains what the comparison found. */
async function reportDifferences(
  deps: NightlyDeps,
  projection: Projection,
  found: FoundDifferences,
  { position, before }: { readonly position: number; readonly before: readonly Alert[] },
): Promise<boolean> {
  if (!isProvable(projection) || found.keys === null) {
    await reportManyRows(deps, projection, { rows: found.rows, position });
    return true;
  }
  const upcasts = createUpcasts(deps.proofSql, deps.events);
  const proved = await proveKeys(deps.proofSql, projection, found.keys, upcasts);
  const { drifted } = proved;
  await reportDrift(deps, projection, proved);
  const open = await openSince(deps, projection, before);
  const wrong = new Set(drifted.map((key) => namedKey(key)));
  const right = open.filter(({ rowKey }) =>
    rowKey === null ? drifted.length <= MOST_KEYS_APART : !wrong.has(rowKey),
  );
  await settleDrift(deps, right);
  return drifted.length > 0;
}

/** Turns differing rows into alerts and holds. Returns how many tables they explain. */
async function reportRows(
  deps: NightlyDeps,
  { report, differences }: BooksProof,
  before: readonly Alert[],
): Promise<number> {
  const { position, replayedProjections } = report;
  let explained = 0;
  for (const projection of deps.projections) {
    const found = differences.find((entry) => entry.projection === projection.name);
    if (found !== undefined) {
      const isExplained = await reportDifferences(deps, projection, found, { position, before });
      explained += isExplained ? found.tables : 0;
    } else if (replayedProjections.includes(projection.name)) {
      await settleDrift(deps, await openSince(deps, projection, before));
    }
  }
  return explained;
}

/** Raises an alert for each check that found something else. Returns their keys. */
async function reportChecks(
  deps: NightlyDeps,
  { report }: BooksProof,
  explained: number,
): Promise<ReadonlySet<string>> {
  const checks = Map.groupBy(
    // Held rows have alerts of their own, and a program that is too old is none.
    report.problems.filter(({ check }) => check !== "held" && check !== "program"),
    ({ check }) => check,
  );
  const raised = new Set<string>();
  for (const [check, problems] of checks) {
    const count = problems.length - (check === "projection" ? explained : 0);
    if (count > 0) {
      const key = `books:${check}`;
      raised.add(key);
      const atPosition = problems[0]?.position ?? 0;
      const fault = { key, subject: check, rowKey: null, count, atPosition };
      await deps.alerting.raise({ ...fault, kind: "books" });
    }
  }
  return raised;
}

/** Resolves the alerts of checks that are right again. */
async function resolveOthers(deps: NightlyDeps, raised: ReadonlySet<string>): Promise<void> {
  const { open } = await readState(deps, alertsStream, ALERTS);
  for (const { key, kind } of open) {
    if (kind === "books" && !raised.has(key)) {
      await deps.alerting.resolve(key);
    }
  }
}

/** Whether this program is older than the log, so that it compared the published heads and proved nothing. */
export function isLeftToNewer({ report }: BooksProof): boolean {
  return report.problems.some(({ check }) => check === "program");
}

async function proveHeld(deps: NightlyDeps): Promise<boolean> {
  const { proofSql: sql, clock } = deps;
  const now = clock();
  const [proof, timeZone] = [await readProof(sql), await deps.timeZone()];
  const time = deps.proofTime;
  const due = time === null ? proof.dueAt : await lastDue(sql, { now, time, timeZone });
  // One from the future was made while the clock was ahead, and would keep all others off until then.
  const isDone = proof.dueAt !== null && due !== null && proof.dueAt >= due && proof.dueAt <= now;
  const isDue = time !== null && due !== null && !isDone;
  if (!isDue && !isProofAsked(proof)) {
    return false;
  }
  const { open: before } = await readState(deps, alertsStream, ALERTS);
  const books = await deps.prove();
  const raised = await reportChecks(deps, books, await reportRows(deps, books, before));
  if (isLeftToNewer(books)) {
    // It stays due, and what was not looked at is not right again.
    return false;
  }
  await resolveOthers(deps, raised);
  const { report } = books;
  await sql`
    update read.proof set due_at = ${due}, proved_at = ${clock()}, position = ${report.position},
      findings = ${report.problems.length + report.unlistedProblems},
      asked_at = nullif(asked_at, ${proof.askedAt})`;
  return true;
}

/**
 * Proves everything if it is due, or if an admin asked for it. Returns whether it did: not if another worker does it
 * at the moment, and not if only a newer program can. A proof that was interrupted leaves nothing behind and is due again.
 */
export async function proveBooksIfDue(deps: NightlyDeps): Promise<boolean> {
  const connection = await deps.proofSql.reserve();
  try {
    const [lock] = await connection<{ held: boolean }[]>`
      select pg_try_advisory_lock(4730, 1) as held`;
    if (lock?.held !== true) {
      return false;
    }
    try {
      return await proveHeld(deps);
    } finally {
      // If the connection was lost, the lock is released already.
      await connection`select pg_advisory_unlock(4730, 1)`.catch(() => undefined);
    }
  } finally {
    connection.release();
  }
}
