// Links that verify an address when they are opened: valid once, for a while, and only if the address is still the same.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type LinkPurpose = "verify-email" | "reset-password" | "invitation";

const GOOD_FOR_MS: Readonly<Record<LinkPurpose, number>> = {
  "verify-email": DAY_MS,
  "reset-password": 3_600_000,
  invitation: 7 * DAY_MS,
};

/** The person of a link, and the hash of the address it was sent to. */
export type MailedLink = { readonly uid: string; readonly emailHash: Buffer };

/**
 * The token of a new link. Earlier ones stay valid until one is used, so that repeated requests cannot invalidate a
 * letter that somebody is about to open. `until` ends it sooner.
 */
export async function createMailLink(
  sql: Sql,
  now: Date,
  purpose: LinkPurpose,
  uid: string,
  email: string,
  until: Date = new Date(now.getTime() + GOOD_FOR_MS[purpose]),
): Promise<string> {
  const token = newSecret();
  await sql`
    insert into identity.mail_links (token_hash, purpose, uid, email_hash, expires_at)
    values (${hashOf(token)}, ${purpose}, ${uid}, ${hashOf(email)}, ${until})`;
  await sql`delete from identity.mail_links where expires_at <= ${now}`;
  return token;
}

/** A link that ends later was made by a fast clock and must not be valid until then. */
function latestEnd(purpose: LinkPurpose, now: Date): Date {
  return new Date(now.getTime() + 2 * GOOD_FOR_MS[purpose]);
}

/** The link, without using it; undefined if it was used, has expired or never existed. */
export async function findMailLink(
  sql: Sql | TransactionSql,
  now: Date,
  purpose: LinkPurpose,
  token: string,
): Promise<MailedLink | undefined> {
  const [row] = await sql<{ uid: string; email_hash: Buffer }[]>`
    select uid, email_hash from identity.mail_links
    where token_hash = ${hashOf(token)} and purpose = ${purpose}
      and expires_at > ${now} and expires_at <= ${latestEnd(purpose, now)}`;
  return row === undefined ? undefined : { uid: row.uid, emailHash: row.email_hash };
}

/** When the person's last link of this purpose ends; null if none works. */
export async function lastLinkEnd(
  sql: Sql,
  now: Date,
  purpose: LinkPurpose,
  uid: string,
): Promise<Date | null> {
  const [row] = await sql<{ ends: Date | null }[]>`
    select max(expires_at) as ends from identity.mail_links
    where uid = ${uid} and purpose = ${purpose}
      and expires_at > ${now} and expires_at <= ${latestEnd(purpose, now)}`;
  return row?.ends ?? null;
}

/**
 * Uses a link, which also ends all others of the person for this purpose. Of two calls at once, only one gets it. Their
 * profile stays locked.
 */
export async function useMailLink(
  transaction: TransactionSql,
  now: Date,
  purpose: LinkPurpose,
  token: string,
): Promise<MailedLink | undefined> {
  const link = await findMailLink(transaction, now, purpose, token);
  if (link === undefined) {
    return undefined;
  }
  await lockProfile(transaction, link.uid);
  const used = await transaction`
    delete from identity.mail_links
    where token_hash = ${hashOf(token)} and purpose = ${purpose}`;
  if (used.count === 0) {
    return undefined;
  }
  await transaction`
    delete from identity.mail_links where uid = ${link.uid} and purpose = ${purpose}`;
  return link;
}
