// Whose Discord id it is. People type one, and prove that it is theirs by signing in with Discord or by typing the code sent there.
import type { Sql, TransactionSql } from "#db/connect.ts";
import { DISCORD_ISSUER } from "#identity/discord.ts";

/** SQL: whether the person of a row `p` of profiles has proved the Discord id in it. */
export const DISCORD_IS_PROVED = `(
  exists (select from identity.issuer_subjects s
    where s.issuer = '${DISCORD_ISSUER}' and s.subject = p.discord_id and s.uid = p.uid)
  or exists (select from identity.discord_confirmations c
    where c.uid = p.uid and c.discord_id = p.discord_id and c.confirmed_at is not null))`;

/** Whether saving this id makes it the person's without any proof. */
export async function isNewAndUnproved(sql: Sql, uid: string, discordId: string): Promise<boolean> {
  const [row] = await sql<{ isNew: boolean }[]>`
    select p.held is distinct from p.discord_id and not ${sql.unsafe(DISCORD_IS_PROVED)} as "isNew"
    from (select uid, discord_id as held, ${discordId}::text as discord_id
      from identity.profiles where uid = ${uid}) p`;
  return row?.isNew ?? false;
}

/** Whether it belongs to somebody else, who signed in with it or else confirmed it first. */
export async function isAnothers(
  sql: Sql | TransactionSql,
  uid: string,
  discordId: string,
): Promise<boolean> {
  const [row] = await sql<{ isAnothers: boolean }[]>`
    select case
      when proved.uid is not null then proved.uid <> ${uid}
      else exists (
        select from identity.profiles other join identity.discord_confirmations c
          on c.uid = other.uid and c.discord_id = other.discord_id
        where other.discord_id = ${discordId} and other.uid <> ${uid} and other.deactivated_at is null
          and (c.confirmed_at, other.uid) < (coalesce((
            select own.confirmed_at from identity.discord_confirmations own
            where own.uid = ${uid} and own.discord_id = ${discordId}), 'infinity'), ${uid}::text))
      end as "isAnothers"
    from (select) as one left join identity.issuer_subjects proved
      on proved.issuer = ${DISCORD_ISSUER} and proved.subject = ${discordId}`;
  return row?.isAnothers ?? false;
}
