// What a restored store must not honour: sessions and links of the back-up, which may have been ended or used since.
import type { Sql } from "#db/connect.ts";

/**
 * Everybody signs in again. Invitations stay, so that their addresses lead nowhere else, but their links end: an admin
 * sends new ones.
 */
export async function endRestoredSignIns(sql: Sql, now: Date): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`
      update identity.profiles set session_epoch = session_epoch + 1, sessions_ended_at = ${now}`;
    await transaction`
      update identity.refresh_families set ended_at = ${now}, ended_because = 'ended'
      where ended_at is null`;
    await transaction`delete from identity.custom_tokens`;
    await transaction`delete from identity.mail_links`;
    await transaction`delete from identity.email_changes`;
  });
}
