// A person's sessions: lists them, ends one of them, and signs out everywhere.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { Role } from "#identity/profiles.ts";
import { endOfSession, type SessionLimits } from "#identity/session-life.ts";
import { ROLE_OF_PROFILE } from "#identity/users.ts";

export type ListedSession = {
  readonly id: string;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | null;
  /** From where it began; null if unknown. */
  readonly address: string | null;
};

const MAX_LISTED = 100;

type ListedRow = {
  id: string;
  authenticated_at: Date;
  used_at: Date;
  user_agent: string | null;
  address: string | null;
  role: Role;
};

/** A person's current sessions, the last used first, at most 100. */
export async function listSessions(
  sql: Sql,
  uid: string,
  now: Date,
  limits: SessionLimits,
): Promise<readonly ListedSession[]> {
  const rows = await sql<ListedRow[]>`
    select f.id, f.authenticated_at, f.used_at, f.user_agent, f.address,
      ${sql.unsafe(ROLE_OF_PROFILE)} as role
    from identity.refresh_families f join identity.profiles p on p.uid = f.uid
    where f.uid = ${uid} and f.ended_at is null and f.expires_at > ${now}
    order by f.used_at desc, f.id limit ${MAX_LISTED}`;
  return rows
    .map((row) => ({
      id: row.id,
      signedInAt: row.authenticated_at,
      lastUsedAt: row.used_at,
      expiresAt: endOfSession(
        { signedInAt: row.authenticated_at, usedAt: row.used_at },
        limits[row.role],
      ),
      userAgent: row.user_agent,
      address: row.address,
    }))
    .filter(({ expiresAt }) => expiresAt > now);
}

/** False if the person has no such session that was not ended. Its ID token ends with it. */
export async function endSession(sql: Sql, uid: string, id: string, now: Date): Promise<boolean> {
  const ended = await sql`
    update identity.refresh_families set ended_at = ${now}, ended_because = 'signed-out'
    where id = ${id} and uid = ${uid} and ended_at is null and expires_at > ${now}`;
  return ended.count === 1;
}

/**
 * Ends every session of a person, and by starting the next epoch every ID token and every sign-in in progress.
 * Returns how many sessions there were. Call it in the transaction of the change that requires it.
 */
export async function endAllSessions(
  transaction: TransactionSql,
  uid: string,
  now: Date,
): Promise<number> {
  // First, because a session that starts at the same time waits for this row.
  await transaction`
    update identity.profiles set session_epoch = session_epoch + 1, sessions_ended_at = ${now}
    where uid = ${uid}`;
  const ended = await transaction<{ lived: boolean }[]>`
    update identity.refresh_families set ended_at = ${now}, ended_because = 'ended'
    where uid = ${uid} and ended_at is null returning expires_at > ${now} as lived`;
  await transaction`delete from identity.custom_tokens where uid = ${uid}`;
  return ended.filter(({ lived }) => lived).length;
}

/**
 * Ends every session but this one, and every sign-in under way. Returns how many sessions there were. `sessionId` is
 * null if it is not one of ours.
 */
export async function endOtherSessions(
  transaction: TransactionSql,
  uid: string,
  sessionId: string | null,
  now: Date,
): Promise<number> {
  const ended = await transaction<{ lived: boolean }[]>`
    update identity.refresh_families set ended_at = ${now}, ended_because = 'ended'
    where uid = ${uid} and ended_at is null and id is distinct from ${sessionId}::uuid
    returning expires_at > ${now} as lived`;
  await transaction`delete from identity.custom_tokens where uid = ${uid}`;
  await transaction`delete from identity.second_steps where uid = ${uid}`;
  return ended.filter(({ lived }) => lived).length;
}
