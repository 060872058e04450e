// Asks the owner of a Discord account that somebody typed whether it is theirs: one message with a code, which is typed on the profile.
import { createHash, randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "#db/connect.ts";
import { DISCORD_IS_PROVED } from "#identity/discord-ids.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** The kind of the message in identity.notifications. No event has it. */
export const CONFIRMATION_KIND = "discord-confirmation";

/** SQL: whether the message of a row `n` of notifications arrived, may have arrived, or still may. */
const MAY_ARRIVE = "(n.state in ('waiting', 'sending', 'sent') or n.uncertain_at is not null)";

/**
 * SQL: whether money moved on the account of the person of this uid (an SQL expression). Nobody gets there by signing
 * up, so these people do not wait for messages that strangers asked for.
 */
const hadMoney = (uid: string) =>
  `exists (select from log.streams s where s.id = log.consignor_stream(${uid}))`;

type Confirmation = {
  /**
   * `unasked`: nobody was asked yet, or the message did not arrive. `waiting`: the message is under way. `asked`: it
   * went out, and its code is awaited.
   */
  readonly state: "none" | "proved" | "unasked" | "waiting" | "asked";
  /** When another message may be sent; null if one may be sent now, or is not needed. */
  readonly againAt: Date | null;
};

/** About the id in the person's profile. */
export async function readConfirmation(
  sql: Sql | TransactionSql,
  now: Date,
  uid: string,
): Promise<Confirmation> {
  const [row] = await sql<
    {
      hasId: boolean;
      isProved: boolean;
      askedAt: Date | null;
      isSent: boolean | null;
      mayArrive: boolean | null;
    }[]
  >`
    select p.discord_id is not null as "hasId", ${sql.unsafe(DISCORD_IS_PROVED)} as "isProved",
      c.asked_at as "askedAt", n.state = 'sent' as "isSent", ${sql.unsafe(MAY_ARRIVE)} as "mayArrive"
    from identity.profiles p
    left join identity.discord_confirmations c on c.uid = p.uid and c.discord_id = p.discord_id
    left join identity.notifications n on n.id = c.message_id
    where p.uid = ${uid} and p.deactivated_at is null`;
  if (row?.hasId !== true) {
    return { state: "none", againAt: null };
  }
  if (row.isProved) {
    return { state: "proved", againAt: null };
  }
  const againAt = new Date((row.askedAt?.getTime() ?? 0) + DAY_MS);
  return row.mayArrive === true && againAt > now
    ? { state: row.isSent === true ? "asked" : "waiting", againAt }
    : { state: "unasked", againAt: null };
}

/** Whether the store has a bot that could ask. */
export async function sendsByDiscord(sql: Sql): Promise<boolean> {
  const [channel] = await sql<{ isConfigured: boolean }[]>`
    select is_configured as "isConfigured" from store.notification_channels where channel = 'discord'`;
  return channel?.isConfigured ?? false;
}

/**
 * Writes the message that asks for the id in the person's profile. False if none is needed, or one went out within a
 * day. Where somebody else asked the same account, it waits until a day has passed since; whoever had money here waits
 * only for others who had, also if the message was written before they had any.
 */
export async function askForConfirmation(
  transaction: TransactionSql,
  now: Date,
  uid: string,
): Promise<boolean> {
  const [profile] = await transaction<{ discordId: string | null }[]>`
    select discord_id as "discordId" from identity.profiles
    where uid = ${uid} and deactivated_at is null for share`;
  const discordId = profile?.discordId ?? null;
  if (discordId === null) {
    return false;
  }
  await transaction`
    select pg_advisory_xact_lock(hashtextextended('discord-confirmation:' || ${discordId}, 0))`;
  const { state } = await readConfirmation(transaction, now, uid);
  if (state !== "unasked" && state !== "waiting") {
    return false;
  }
  const [others] = await transaction<{ last: Date | null }[]>`
    select max(c.asked_at) as last
    from (select ${uid}::text as uid) own
    join identity.discord_confirmations c on c.uid <> own.uid
    join identity.notifications n on n.id = c.message_id
    where c.discord_id = ${discordId} and ${transaction.unsafe(MAY_ARRIVE)}
      and (${transaction.unsafe(hadMoney("c.uid"))} or not ${transaction.unsafe(hadMoney("own.uid"))})`;
  const askedAt = new Date(Math.max(now.getTime(), (others?.last?.getTime() ?? 0) + DAY_MS));
  if (state === "waiting") {
    await moveForward(transaction, uid, discordId, askedAt);
    return false;
  }
  const [message] = await transaction<{ id: string }[]>`
    insert into identity.notifications (uid, kind, channel, state, created_at, due_at)
    values (${uid}, ${CONFIRMATION_KIND}, 'discord', 'waiting', ${now}, ${askedAt}) returning id`;
  await transaction`
    insert into identity.discord_confirmations (uid, discord_id, asked_at, message_id)
    values (${uid}, ${discordId}, ${askedAt}, ${message?.id ?? null})
    on conflict (uid, discord_id) do update set
      asked_at = excluded.asked_at, message_id = excluded.message_id, code_hashes = '{}'`;
  return true;
}

/** Only from strangers' turn to that of somebody who had money here by now: otherwise nothing would be earlier. */
async function moveForward(
  transaction: TransactionSql,
  uid: string,
  discordId: string,
  askedAt: Date,
): Promise<void> {
  await transaction`
    with moved as (
      update identity.notifications n set due_at = ${askedAt}
      from identity.discord_confirmations c
      where c.uid = ${uid} and c.discord_id = ${discordId} and n.id = c.message_id
        and n.state = 'waiting' and c.asked_at > ${askedAt} and ${transaction.unsafe(hadMoney("c.uid"))}
      returning n.id)
    update identity.discord_confirmations c set asked_at = ${askedAt}
    from moved where c.message_id = moved.id`;
}

/** For an attempt to send the message: its code, and who asks. Undefined if it is not wanted any more. */
export async function newCodeFor(
  sql: Sql,
  now: Date,
  messageId: string,
): Promise<{ readonly code: string; readonly asker: string } | undefined> {
  const code = newCode();
  const [row] = await sql<{ username: string | null; displayName: string | null }[]>`
    update identity.discord_confirmations c set code_hashes = c.code_hashes || ${hashOf(code)}::bytea
    from identity.profiles p
    where c.message_id = ${messageId} and p.uid = c.uid and p.discord_id = c.discord_id
      and p.deactivated_at is null and c.confirmed_at is null
      and c.asked_at > ${new Date(now.getTime() - DAY_MS)}
    returning p.username, p.display_name as "displayName"`;
  return row === undefined ? undefined : { code, asker: nameOf(row) };
}

/** False for a wrong code, and for one that is older than a day. */
export async function confirmDiscord(
  sql: Sql,
  now: Date,
  uid: string,
  code: string,
): Promise<boolean> {
  const { count } = await sql`
    update identity.discord_confirmations c set confirmed_at = ${now}, code_hashes = '{}'
    from identity.profiles p
    where c.uid = ${uid} and p.uid = c.uid and p.discord_id = c.discord_id and p.deactivated_at is null
      and ${hashOf(code)} = any(c.code_hashes) and c.asked_at > ${new Date(now.getTime() - DAY_MS)}`;
  return count === 1;
}

/** Deletes unanswered questions older than a day, unless the profile still has the id. */
export async function cleanConfirmations(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from identity.discord_confirmations c
    where c.confirmed_at is null and c.asked_at < ${new Date(now.getTime() - DAY_MS)}
      and not exists (
        select from identity.profiles p where p.uid = c.uid and p.discord_id = c.discord_id)`;
}

/** A stranger reads it: no link and no character that Discord would format. */
function nameOf(row: {
  readonly username: string | null;
  readonly displayName: string | null;
}): string {
  const shown = row.displayName ?? row.username ?? "";
  const plain = shown
    .replaceAll(/[^\p{L}\p{M}\p{N} '’-]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  return /^.{1,40}/u.exec(plain)?.[0] ?? "Somebody";
}

/** Without letters and digits that look alike. */
const ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ234567890";
const LETTERS = 12;

/** `ABCD-EFGH-JKMN`, 60 bits: too many to try, even with the hashes at hand. */
function newCode(): string {
  const letters = [...randomBytes(LETTERS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return (letters.join("").match(/.{4}/gu) ?? []).join("-");
}

/** Typed with small letters, spaces or without hyphens, it is the same code. */
function hashOf(code: string): Buffer {
  const letters = code.toUpperCase().replaceAll(/[^A-Z0-9]/gu, "");
  return createHash("sha256").update(letters).digest();
}
