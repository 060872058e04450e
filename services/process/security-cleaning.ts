// Runs in the worker: deletes old notes of the security log, and the oldest where there are too many.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { ROLE_OF_PROFILE } from "#identity/users.ts";

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
/** What an investigation needs most is not lost among other notes for this long. */
const GUARDED_DAYS = 30;

/** How many notes are kept: of all strangers, of each person, and of all people. */
export type MostNotes = {
  readonly ofStrangers: number;
  readonly ofAPerson: number;
  readonly ofPeople: number;
};

const MOST: MostNotes = {
  ofStrangers: MOST_OF_STRANGERS,
  ofAPerson: 2_000,
  ofPeople: 1_000_000,
};

export async function cleanSecurityLog(
  { sql, clock }: Pick<SecurityCleaningDeps, "sql" | "clock">,
  most = MOST,
): Promise<void> {
  const now = clock().getTime();
  const before = new Date(now - NOTES_KEPT_DAYS * DAY_MS);
  await sql`
    delete from security.log where id in (
      select id from security.log where noted_at < ${before} order by noted_at limit ${DELETED_AT_ONCE})`;
  await sql`
    delete from security.log where id in (
      select id from security.log where uid is null
      order by noted_at desc, id desc offset ${most.ofStrangers} limit ${DELETED_AT_ONCE})`;
  await deleteOfPeople(sql, new Date(now - GUARDED_DAYS * DAY_MS), most);
}

/**
 * The oldest go first. Of one person, sign-ins since `guardedFrom` go last, and saved files before them. Of all
 * people, those and the notes about admins stay.
 */
async function deleteOfPeople(
  sql: Sql,
  guardedFrom: Date,
  { ofAPerson, ofPeople }: MostNotes,
): Promise<void> {
  await sql`
    delete from security.log where id in (
      select extra.id
      from (select uid from security.log where uid is not null group by uid having count(*) > ${ofAPerson}) as p
      cross join lateral (
        select l.id from security.log l where l.uid = p.uid
        order by (l.noted_at >= ${guardedFrom} and l.kind = 'sign-in' and l.outcome = 'ok') desc,
          (l.noted_at >= ${guardedFrom} and l.kind = 'exported') desc,
          l.noted_at desc, l.id desc
        offset ${ofAPerson}
      ) as extra
      limit ${DELETED_AT_ONCE})`;
  const [counted] = await sql<{ excess: number }[]>`
    select greatest(count(*) - ${ofPeople}::bigint, 0)::int as excess
    from security.log where uid is not null`;
  const excess = Math.min(counted?.excess ?? 0, DELETED_AT_ONCE);
  if (excess === 0) {
    return;
  }
  await sql`
    delete from security.log where id in (
      select l.id from security.log l
      where l.uid is not null and not (
        l.noted_at >= ${guardedFrom} and (
          (l.kind = 'sign-in' and l.outcome = 'ok') or l.kind = 'exported'
          or l.uid in (
            select p.uid from identity.profiles p
            where ${sql.unsafe(ROLE_OF_PROFILE)} = 'admin')))
      order by l.noted_at, l.id limit ${excess})`;
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
