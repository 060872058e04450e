// Brings times that pg-boss wrote while the clock was ahead back to now: until they had come, no schedule would run.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";

/** Each of these is when something was done last, so none is ever later than now. */
const done = {
  version: ["cron_on", "bam_on", "flow_on", "reindex_on"],
  queue: ["monitor_claim_on", "monitor_on", "maintain_on"],
} as const;

/** A time from the machine's clock may be a little ahead of the database's. */
const AHEAD = "now() + interval '1 minute'";
/** No job of ours waits that long: letters are tried again after an hour at most. */
const WAITS_TOO_LONG = "now() + interval '1 day'";

/** Cheap if there is nothing to do. Returns how many rows were changed. */
export async function bringBackToNow(sql: Sql): Promise<number> {
  let changed = 0;
  for (const [table, columns] of Object.entries(done)) {
    const set = columns.map((column) => `${column} = least(${column}, now())`).join(", ");
    const { count } = await sql.unsafe(
      `update pgboss.${table} set ${set} where greatest(${columns.join(", ")}) > ${AHEAD}`,
    );
    changed += count;
  }
  const { count: waiting } = await sql.unsafe(`
    update pgboss.job set start_after = now(), created_on = least(created_on, now())
    where state < 'active' and (start_after > ${WAITS_TOO_LONG} or created_on > ${AHEAD})`);
  // One whose worker has ended would count as running until its end, which is counted from its begin.
  const { count: running } = await sql.unsafe(`
    update pgboss.job set started_on = now() where state = 'active' and started_on > ${AHEAD}`);
  return changed + waiting + running;
}

/** After a clock was set back, schedules run again this soon. */
const EVERY_MS = 60_000;

/** Now, and then each minute. */
export function startBringingBack(deps: { readonly sql: Sql; readonly logger: Logger }): {
  readonly close: () => Promise<void>;
} {
  const { sql, logger } = deps;
  const bringBack = async () => {
    const rows = await bringBackToNow(sql);
    if (rows > 0) {
      logger.warn({ rows }, "the clock was ahead: the job queue's times were brought back to now");
    }
  };
  return repeat(
    EVERY_MS,
    retried(logger, "times from the future could not be brought back", bringBack),
  );
}
