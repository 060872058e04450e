// Who has confirmed lately, in which session, that it is really them. A sign-in counts for the same few minutes.
import { createHash } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** A sign-in or confirmation counts for this long. */
export const CONFIRMED_SECONDS = 600;

/** The session of a request, as its token names it. */
export type ConfirmedSession = {
  readonly uid: string;
  /** Null for a sign-in at an outside issuer. */
  readonly sessionId: string | null;
  /** In 1970 if the issuer does not say when. */
  readonly authenticatedAt: Date;
  readonly tokenExpiresAt: Date;
};

export type Confirmations = {
  /** Costs a query only if the sign-in is older than some minutes. */
  readonly isConfirmed: (session: ConfirmedSession) => Promise<boolean>;
  /** Counts from now, in this session only. */
  readonly confirm: (session: ConfirmedSession) => Promise<void>;
};

export function createConfirmations(sql: Sql, clock: () => Date): Confirmations {
  return {
    async isConfirmed(session) {
      const now = clock();
      if (isRecent(now, session.authenticatedAt)) {
        return true;
      }
      const [row] = await sql<{ confirmed_at: Date }[]>`
        select confirmed_at from identity.confirmations
        where session_key = ${keyOf(session)} and uid = ${session.uid}`;
      return row !== undefined && isRecent(now, row.confirmed_at);
    },
    async confirm(session) {
      const now = clock();
      await sql`
        insert into identity.confirmations (session_key, uid, confirmed_at)
        values (${keyOf(session)}, ${session.uid}, ${now})
        on conflict (session_key) do update set confirmed_at = excluded.confirmed_at`;
      await sql`
        delete from identity.confirmations
        where uid = ${session.uid} and confirmed_at < ${new Date(now.getTime() - DAY_MS)}`;
    },
  };
}

/** Neither long ago nor, because of a clock that was ahead, in the future. */
function isRecent(now: Date, at: Date): boolean {
  return Math.abs(now.getTime() - at.getTime()) <= CONFIRMED_SECONDS * 1000;
}

/**
 * Without a session of ours: the time of the sign-in, which stays when its tokens are renewed. If the issuer does not
 * say it, the confirmation counts for this one token.
 */
function keyOf({ uid, sessionId, authenticatedAt, tokenExpiresAt }: ConfirmedSession): string {
  const signIn =
    authenticatedAt.getTime() > 0
      ? authenticatedAt.toISOString()
      : `token until ${tokenExpiresAt.toISOString()}`;
  return createHash("sha256")
    .update(JSON.stringify([uid, sessionId ?? signIn]))
    .digest("hex");
}
