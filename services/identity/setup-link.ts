// While there is no admin, a link printed at start makes the signed-in person who opens it the first one. It works once.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

const VALID_FOR_MS = 3_600_000;

/**
 * Makes somebody the first admin with an event in the log, or returns false when there is one. `inSameTransaction`
 * runs in the transaction that appends the event; if it throws, everything is undone and the caller gets the error.
 */
export type MakeFirstAdmin = (
  uid: string,
  inSameTransaction: (transaction: TransactionSql) => Promise<void>,
) => Promise<boolean>;

/**
 * A new link, valid for an hour, that replaces the previous one; undefined if there is an admin. Print it only to the
 * console: anyone who reads it can become admin, so it must not go through the logger.
 */
export async function createSetupLink(
  sql: Sql,
  clock: () => Date,
  publicUrl: string,
): Promise<string | undefined> {
  const token = newSecret();
  const expiresAt = new Date(clock().getTime() + VALID_FOR_MS);
  const created = await sql.begin(async (transaction) => {
    await transaction`delete from identity.setup_link`;
    // The log's own list: the role in a profile is only a copy and makes nobody an admin.
    const [admin] = await transaction`
      select from log.streams where id = 'admins' and jsonb_array_length(state -> 'uids') > 0`;
    if (admin !== undefined) {
      return false;
    }
    await transaction`
      insert into identity.setup_link (token_hash, expires_at)
      values (${hashOf(token)}, ${expiresAt})
      on conflict (only_one) do update
      set token_hash = excluded.token_hash, expires_at = excluded.expires_at`;
    return true;
  });
  // After the hash sign it is never sent to a server, so no proxy logs it.
  return created ? new URL(`/login#setup=${token}`, publicUrl).href : undefined;
}

/**
 * Makes the person an admin if the token is the current one and there is still no admin; else false. The link is
 * deleted in the transaction that makes the admin, so two calls at once or a crash cannot leave a link together with
 * an admin.
 */
export async function consumeSetupLink(
  makeFirstAdmin: MakeFirstAdmin,
  clock: () => Date,
  token: string,
  uid: string,
): Promise<boolean> {
  try {
    return await makeFirstAdmin(uid, async (transaction) => {
      const used = await transaction`
        delete from identity.setup_link
        where token_hash = ${hashOf(token)} and expires_at > ${clock()} returning 1`;
      if (used.count === 0) {
        throw new LinkNotValid();
      }
    });
  } catch (error) {
    if (error instanceof LinkNotValid) {
      return false;
    }
    throw error;
  }
}

/** Used, replaced, expired, or never made. */
class LinkNotValid extends Error {}
