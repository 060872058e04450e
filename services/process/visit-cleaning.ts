// Runs in the worker: deletes the sessions of old visits. The sums of their days stay.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { KEPT_DAYS } from "#features/visits/visit.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type VisitCleaningDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly logger: Logger;
};

const DELETED_AT_ONCE = 20_000;

/** Deletes a part of them; the next run goes on. */
export async function cleanVisits({
  sql,
  clock,
}: Pick<VisitCleaningDeps, "sql" | "clock">): Promise<void> {
  // A day later, so that the store's time zone makes no difference.
  const before = new Date(clock().getTime() - (KEPT_DAYS + 1) * DAY_MS).toISOString().slice(0, 10);
  await sql`
    delete from visits.sessions where (session_id, day) in (
      select session_id, day from visits.sessions where day < ${before}::date
      order by day limit ${DELETED_AT_ONCE})`;
  await sql`delete from visits.paths where day < ${before}::date`;
}

const CLEAN_EVERY_MS = 3_600_000;

/** Cleans now and every hour. A failure is logged and retried the next time. */
export function startVisitCleaning(deps: VisitCleaningDeps): {
  readonly close: () => Promise<void>;
} {
  return repeat(
    CLEAN_EVERY_MS,
    retried(deps.logger, "old visits could not be deleted", () => cleanVisits(deps)),
  );
}
