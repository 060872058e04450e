// What must be well so that the heartbeat is sent: each check by its name.
import { readLastRuns } from "#db/backup/runs.ts";
import type { Sql } from "#db/connect.ts";
import { readProof } from "#features/alerts/proof-now.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readLateTables } from "#ledger/projection/late-tables.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";

export type HealthCheck = {
  readonly name: string;
  /** Null while it is well; else a sentence that says why not. */
  readonly look: () => Promise<string | null>;
};

export type HealthDeps = {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
};

/** Read tables that lack an event older than this are not fed, unless they are filled for the first time. */
const LATE_SECONDS = 60;
const PASS_LATE_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** A night and a little more: the proof of a large log takes a while. */
export const PROOF_LATE_MS = 26 * HOUR_MS;
const BACKUP_LATE_MS = 26 * HOUR_MS;

/** True for what never was, and for what was too long ago. A time in the future is no better: the clock was ahead. */
export function isFarFrom(now: Date, at: Date | null, limitMs: number): boolean {
  return at === null || Math.abs(now.getTime() - at.getTime()) > limitMs;
}

/** Whether there is a back-up of the last night. For stores that have `BACKUP_DIR` set. */
export function backupHealth({ sql, clock }: Pick<HealthDeps, "sql" | "clock">): HealthCheck {
  return {
    name: "backup",
    look: async () => {
      const { goodBackup } = await readLastRuns(sql);
      if (goodBackup === null) {
        return "No back-up was made yet";
      }
      return isFarFrom(clock(), goodBackup.endedAt, BACKUP_LATE_MS)
        ? "The last back-up is more than 26 hours old"
        : null;
    },
  };
}

/** Whether the worker feeds the read tables, and all of them are there: a lost row or table is behind nothing. */
export function workerHealth({
  sql,
  projections,
}: Pick<HealthDeps, "sql"> & { readonly projections: readonly Projection[] }): HealthCheck {
  return {
    name: "worker",
    look: async () => {
      const [missing] = await findMissing(sql, projections, "with views");
      if (missing !== undefined) {
        return missing.sentence;
      }
      const late = (await readLateTables(sql)).find(
        ({ seconds, isFirstFill }) => !isFirstFill && seconds >= LATE_SECONDS,
      );
      return late === undefined ? null : `The read tables of ${late.projection} are not fed`;
    },
  };
}

/** Whether the books are proved in time, and nothing was found. */
export function proofHealth(deps: HealthDeps & { readonly proofTime: string | null }): HealthCheck {
  return {
    name: "proof",
    look: async () => {
      const { passAt, provedAt } = await readProof(deps.sql);
      const now = deps.clock();
      if (isFarFrom(now, passAt, PASS_LATE_MS)) {
        return "Accounts are not proved";
      }
      if (deps.proofTime !== null && isFarFrom(now, provedAt, PROOF_LATE_MS)) {
        return "The last proof of the books is too old";
      }
      const { open } = await readState(deps, alertsStream, ALERTS);
      const wrong = open.some(({ kind }) => kind === "drift" || kind === "books");
      return wrong ? "The proof found something wrong" : null;
    },
  };
}
