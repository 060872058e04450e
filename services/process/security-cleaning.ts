// Runs in the worker: deletes old notes of the security log, and the oldest of strangers where there are too many.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";

export type SecurityCleaningDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly logger: Logger;
};

const DAY_MS = 86_400_000;
export const NOTES_KEPT_DAYS = 180;
/** About 60 MB: a flood from ever new networks must not fill the disk. */
const MOST_OF_STRANGERS = 200_000;
const DELETED_AT_ONCE = 20_000;

export async function cleanSecurityLog(
  { sql, clock }: Pick<SecurityCleaningDeps, "sql" | "clock">,
  mostOfStrangers = MOST_OF_STRANGERS,
): Promise<void> {
  const before = new Date(clock().getTime() - NOTES_KEPT_DAYS * DAY_MS);
  await sql`
    delete from security.log where id in (
      select id from security.log where noted_at < ${before} order by noted_at limit ${DELETED_AT_ONCE})`;
  await sql`
    delete from security.log where id in (
      select id from security.log where uid is null
      order by noted_at desc, id desc offset ${mostOfStrangers} limit ${DELETED_AT_ONCE})`;
}

const CLEAN_EVERY_MS = 600_000;

/** Cleans now and every ten minutes. A failure is logged and retried the next time. */
export function startSecurityCleaning(deps: SecurityCleaningDeps): {
  readonly close: () => Promise<void>;
} {
  let running: Promise<void> = Promise.resolve();
  const after = async (before: Promise<void>): Promise<void> => {
    await before;
    try {
      await cleanSecurityLog(deps);
    } catch (error) {
      deps.logger.warn({ err: error }, "old notes of the security log could not be deleted yet");
    }
  };
  const clean = (): void => {
    running = after(running);
  };
  clean();
  const timer = setInterval(clean, CLEAN_EVERY_MS);
  timer.unref();
  return {
    close: () => {
      clearInterval(timer);
      return running;
    },
  };
}
