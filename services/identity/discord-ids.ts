// Whose a Discord id is. A person types one; only who has signed in with Discord has proved theirs.
import type { Sql } from "#db/connect.ts";
import { DISCORD_ISSUER } from "#identity/discord.ts";

/** Whether saving this id makes it the person's without any proof. */
export async function isNewAndUnproved(sql: Sql, uid: string, discordId: string): Promise<boolean> {
  const [row] = await sql<{ isNew: boolean }[]>`
    select p.discord_id is distinct from ${discordId} and not exists (
      select from identity.issuer_subjects s
      where s.issuer = ${DISCORD_ISSUER} and s.subject = ${discordId} and s.uid = p.uid) as "isNew"
    from identity.profiles p where p.uid = ${uid}`;
  return row?.isNew ?? false;
}

/** Whether somebody else has proved this id, or without any proof had it first. */
export async function isAnothers(sql: Sql, uid: string, discordId: string): Promise<boolean> {
  const [row] = await sql<{ isAnothers: boolean }[]>`
    select case
      when proved.uid is not null then proved.uid <> ${uid}
      else exists (
        select from identity.profiles own join identity.profiles other
          on other.discord_id = own.discord_id and other.uid <> own.uid and other.deactivated_at is null
        where own.uid = ${uid} and own.discord_id = ${discordId}
          and (coalesce(other.discord_linked_at, '-infinity'), other.uid)
            < (coalesce(own.discord_linked_at, '-infinity'), own.uid))
      end as "isAnothers"
    from (select) as one left join identity.issuer_subjects proved
      on proved.issuer = ${DISCORD_ISSUER} and proved.subject = ${discordId}`;
  return row?.isAnothers ?? false;
}
