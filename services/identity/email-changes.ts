// Changes of an admin's address that another admin asked for: they wait until the new and the old address have agreed.
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const GOOD_FOR_MS = 3 * DAY_MS;

export type EmailChange = {
  readonly id: string;
  readonly uid: string;
  readonly email: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly expiresAt: Date;
  readonly newAgreed: boolean;
  /** True if there is no old address. */
  readonly oldAgreed: boolean;
};

/** Which address a link was sent to. */
export type ChangeSide = "new" | "old";

type ChangeRow = {
  id: string;
  uid: string;
  email: string;
  asked_by: string;
  asked_at: Date;
  expires_at: Date;
  new_agreed: boolean;
  old_agreed: boolean;
};

const COLUMNS = `id, uid, email, asked_by, asked_at, expires_at, new_agreed_at is not null as new_agreed,
  old_hash is null or old_agreed_at is not null as old_agreed`;

function fromRow(row: ChangeRow): EmailChange {
  return {
    id: row.id,
    uid: row.uid,
    email: row.email,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    newAgreed: row.new_agreed,
    oldAgreed: row.old_agreed,
  };
}

/** The change that waits for this person's addresses. */
export async function findEmailChange(
  sql: Sql,
  now: Date,
  uid: string,
): Promise<EmailChange | undefined> {
  const [row] = await sql<ChangeRow[]>`
    select ${sql.unsafe(COLUMNS)} from identity.email_changes
    where uid = ${uid} and expires_at > ${now}`;
  return row === undefined ? undefined : fromRow(row);
}

export type EmailChangeLinks = {
  readonly id: string;
  readonly newToken: string;
  /** Null if there is no old address. */
  readonly oldToken: string | null;
};

/**
 * Begins a change. An earlier one of the same person ends, with its links; undefined if the same one waits already. One
 * statement, because two admins may ask at once.
 */
export async function askEmailChange(
  sql: Sql | TransactionSql,
  now: Date,
  asked: {
    readonly uid: string;
    readonly email: string;
    readonly askedBy: string;
    readonly hasOldAddress: boolean;
  },
): Promise<EmailChangeLinks | undefined> {
  const id = randomUUID();
  const newToken = newSecret();
  const oldToken = asked.hasOldAddress ? newSecret() : null;
  const begun = await sql`
    insert into identity.email_changes as earlier
      (uid, id, email, asked_by, asked_at, expires_at, new_hash, old_hash)
    values (${asked.uid}, ${id}, ${asked.email}, ${asked.askedBy}, ${now},
      ${new Date(now.getTime() + GOOD_FOR_MS)}, ${hashOf(newToken)},
      ${oldToken === null ? null : hashOf(oldToken)})
    on conflict (uid) do update
    set id = excluded.id, email = excluded.email, asked_by = excluded.asked_by,
      asked_at = excluded.asked_at, expires_at = excluded.expires_at,
      new_hash = excluded.new_hash, new_agreed_at = null,
      old_hash = excluded.old_hash, old_agreed_at = null
    where earlier.email <> excluded.email or earlier.expires_at <= ${now}`;
  return begun.count === 0 ? undefined : { id, newToken, oldToken };
}

/** Ends whichever change waits for this person's addresses. False if none was waiting. */
export async function cancelEmailChange(sql: Sql, uid: string): Promise<boolean> {
  const ended = await sql`delete from identity.email_changes where uid = ${uid}`;
  return ended.count === 1;
}

/** Ends this change, and no later one of the same person. */
export async function endEmailChange(sql: Sql, { id }: Pick<EmailChange, "id">): Promise<void> {
  await sql`delete from identity.email_changes where id = ${id}`;
}

/** The change of a link, and the address that the link was sent to; undefined if it has ended. */
export async function findChangeByLink(
  sql: Sql,
  now: Date,
  token: string,
): Promise<{ readonly change: EmailChange; readonly side: ChangeSide } | undefined> {
  const hash = hashOf(token);
  const [row] = await sql<(ChangeRow & { side: ChangeSide })[]>`
    select ${sql.unsafe(COLUMNS)}, case when new_hash = ${hash} then 'new' else 'old' end as side
    from identity.email_changes
    where (new_hash = ${hash} or old_hash = ${hash}) and expires_at > ${now}
      and expires_at <= ${new Date(now.getTime() + 2 * GOOD_FOR_MS)}`;
  return row === undefined ? undefined : { change: fromRow(row), side: row.side };
}

/** Notes that an address agrees; returns the change as it is then. */
export async function agreeTo(
  sql: Sql,
  now: Date,
  { id }: EmailChange,
  side: ChangeSide,
): Promise<EmailChange | undefined> {
  const column = side === "new" ? "new_agreed_at" : "old_agreed_at";
  const [row] = await sql<ChangeRow[]>`
    update identity.email_changes set ${sql(column)} = coalesce(${sql(column)}, ${now})
    where id = ${id} returning ${sql.unsafe(COLUMNS)}`;
  return row === undefined ? undefined : fromRow(row);
}

/** Takes a change that both addresses agreed to, in the transaction that carries it out. False if it has ended. */
export async function takeEmailChange(
  transaction: TransactionSql,
  now: Date,
  { id }: EmailChange,
): Promise<boolean> {
  const taken = await transaction`
    delete from identity.email_changes
    where id = ${id} and expires_at > ${now} and new_agreed_at is not null
      and (old_hash is null or old_agreed_at is not null)`;
  return taken.count === 1;
}
