// While there is no admin, a link printed at start makes whoever opens it, signed in, the first one. Once.
import { createHash, randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "#db/connect.ts";

const VALID_FOR_MS = 3_600_000;

/**
 * A new link, good for an hour, that replaces the one before; undefined when there is an admin. Print it to
 * the console only: whoever reads it can become admin, so it must not pass through the logger.
 */
export async function createSetupLink(
  sql: Sql,
  clock: () => Date,
  publicUrl: string,
): Promise<string | undefined> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(clock().getTime() + VALID_FOR_MS);
  const created = await sql.begin(async (transaction) => {
    await lockAdmins(transaction);
    await transaction`delete from identity.setup_link`;
    if (await hasAdmin(transaction)) {
      return false;
    }
    await transaction`
      insert into identity.setup_link (token_hash, expires_at)
      values (${hashOf(token)}, ${expiresAt})`;
    return true;
  });
  // Behind the hash sign it is never sent to a server, so no proxy logs it.
  return created ? new URL(`/login#setup=${token}`, publicUrl).href : undefined;
}

/** Makes the person an admin if the token is the current one and there still is none. False otherwise. */
export async function consumeSetupLink(
  sql: Sql,
  clock: () => Date,
  token: string,
  uid: string,
): Promise<boolean> {
  return sql.begin(async (transaction) => {
    await lockAdmins(transaction);
    const used = await transaction`
      delete from identity.setup_link
      where token_hash = ${hashOf(token)} and expires_at > ${clock()} returning 1`;
    if (used.count === 0 || (await hasAdmin(transaction))) {
      return false;
    }
    const made = await transaction`
      update identity.profiles set role = 'admin'
      where uid = ${uid} and deactivated_at is null returning uid`;
    return made.count === 1;
  });
}

/** Whoever makes or counts admins does so one at a time. */
async function lockAdmins(transaction: TransactionSql): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended('identity.admins', 0))`;
}

async function hasAdmin(transaction: TransactionSql): Promise<boolean> {
  const [row] = await transaction<{ found: boolean }[]>`
    select exists (
      select 1 from identity.profiles where role = 'admin' and deactivated_at is null
    ) as found`;
  return row?.found === true;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
