// Runs in the worker: deletes old notes of the security log, and the oldest where there are too many.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { ROLE_OF_PROFILE } from "#identity/users.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type SecurityCleaningDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly logger: Logger;
};

export const NOTES_KEPT_DAYS = 180;
/** About 60 MB: a flood from ever new networks must not fill the disk. */
const MOST_OF_STRANGERS = 200_000;
const DELETED_AT_ONCE = 20_000;
/** What an investigation needs most is not lost among other notes for this long. */
const GUARDED_DAYS = 30;

/** How many notes are kept: of all strangers, of each person, of the files that each person saved, and of all people. */
export type MostNotes = {
  readonly ofStrangers: number;
  readonly ofAPerson: number;
  readonly ofASaver: number;
  readonly ofPeople: number;
};

const MOST: MostNotes = {
  ofStrangers: MOST_OF_STRANGERS,
  ofAPerson: 2_000,
  // About 2 MB. More than 160 files on each of 30 days are not ordinary work.
  ofASaver: 5_000,
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
  const guardedFrom = new Date(now - GUARDED_DAYS * DAY_MS);
  await deleteOfSavers(sql, guardedFrom, most);
  await deleteOfPeople(sql, guardedFrom, most);
}

/**
 * Saved files are counted for whoever saved them, so nobody pushes out what others did. Of those since `guardedFrom`
 * every day keeps as many as any other, and of a day first one of each person's each list: whoever saves thousands of
 * files to hide one loses notes of the files that they saved most, on the days that they did it.
 */
async function deleteOfSavers(
  sql: Sql,
  guardedFrom: Date,
  { ofASaver }: Pick<MostNotes, "ofASaver">,
): Promise<void> {
  await sql`
    delete from security.log where id in (
      select extra.id
      from (
        select coalesce(by_uid, uid) as uid from security.log where kind = 'exported'
        group by 1 having count(*) > ${ofASaver}) as saver
      cross join lateral (
        select ranked.id
        from (
          select file.*, row_number() over (partition by file.day order by file.nth, file.noted_at, file.id) as of_day
          from (
            select l.id, l.noted_at, d.day, row_number() over (
                -- The days in a file's name are chosen by who saves it.
                partition by d.day, l.uid, translate(split_part(l.detail, ', ', 1), '0123456789', '')
                order by l.noted_at, l.id) as nth
            from security.log l
            cross join lateral (select (l.noted_at at time zone 'UTC')::date as day) d
            where l.kind = 'exported'
              and (l.by_uid = saver.uid or (l.uid = saver.uid and l.by_uid is null))
          ) file
        ) ranked
        order by ranked.noted_at >= ${guardedFrom} desc,
          case when ranked.noted_at >= ${guardedFrom} then ranked.of_day end,
          ranked.noted_at desc, ranked.id desc
        offset ${ofASaver}
      ) as extra
      limit ${DELETED_AT_ONCE})`;
}

/**
 * The oldest go first. Of one person, what was done since `guardedFrom` goes after what was only tried, because
 * strangers can try as often as they like, and sign-ins go last; saved files are not part of it. Of all people, sign-ins,
 * saved files and the notes about admins stay.
 */
async function deleteOfPeople(
  sql: Sql,
  guardedFrom: Date,
  { ofAPerson, ofPeople }: Pick<MostNotes, "ofAPerson" | "ofPeople">,
): Promise<void> {
  await sql`
    delete from security.log where id in (
      select extra.id
      from (
        select uid from security.log where uid is not null and kind <> 'exported'
        group by uid having count(*) > ${ofAPerson}) as p
      cross join lateral (
        select l.id from security.log l where l.uid = p.uid and l.kind <> 'exported'
        order by (l.noted_at >= ${guardedFrom} and l.kind = 'sign-in' and l.outcome = 'ok') desc,
          (l.noted_at >= ${guardedFrom} and l.outcome = 'ok') desc, l.noted_at desc, l.id desc
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
      order by (l.noted_at >= ${guardedFrom} and l.outcome = 'ok'), l.noted_at, l.id limit ${excess})`;
}

const CLEAN_EVERY_MS = 600_000;

/** Cleans now and every ten minutes. A failure is logged and retried the next time. */
export function startSecurityCleaning(deps: SecurityCleaningDeps): {
  readonly close: () => Promise<void>;
} {
  const failure = "old notes of the security log could not be deleted";
  return repeat(
    CLEAN_EVERY_MS,
    retried(deps.logger, failure, () => cleanSecurityLog(deps)),
  );
}
