// The condition of the workers in `/readyz`: whether one of them has given a sign of life.
import type { Sql } from "#db/connect.ts";
import type { ReadinessCheck } from "#http/readiness.ts";

/** Processes report every five seconds. */
const SILENT_SECONDS = 60;

/** A warning, never a failure: what is in the read tables can still be served. `npm start` is its own worker. */
export function workerCheck(sql: Sql): ReadinessCheck {
  return {
    name: "worker",
    look: async () => {
      const [seen] = await sql<{ alive: boolean; seconds: number | null }[]>`
        select coalesce(max(seen_at) > now() - make_interval(secs => ${SILENT_SECONDS}), false) as alive,
          floor(extract(epoch from now() - max(seen_at)))::integer as seconds
        from read.processes where name in ('start', 'worker')`;
      if (seen?.alive === true) {
        return { state: "ok", message: "A worker updates the read tables" };
      }
      const since =
        seen?.seconds === null || seen === undefined
          ? "No worker is running"
          : `No worker has reported for ${seen.seconds} s`;
      return { state: "warning", message: `${since}: lists are no longer updated` };
    },
  };
}
