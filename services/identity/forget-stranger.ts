// What goes when a reset proves an account's address for the first time: whoever held the account until then may have been a stranger.
import type { TransactionSql } from "#db/connect.ts";
import { removeAllFactors } from "#identity/factors.ts";

/**
 * Their browsers are no longer known, their second factors must not lock the owner out, and what they typed about
 * themselves must not pass for the owner's.
 */
export async function forgetStranger(
  transaction: TransactionSql,
  now: Date,
  uid: string,
): Promise<void> {
  const unproven = await transaction`
    update identity.profiles set browsers_known_from = ${now}
    where uid = ${uid} and email_verified_at is null`;
  if (unproven.count === 0) {
    return;
  }
  await removeAllFactors(transaction, uid);
  // Only admins change addresses, and of people whom they know: the new one waits for its proof, not the person's.
  const moved = await transaction`
    select from identity.user_changes where uid = ${uid} and field = 'email' limit 1`;
  if (moved.count === 0) {
    await forgetTypedData(transaction, uid);
  }
}

/**
 * The username stays, because the log binds it; the owner can choose another one. So does a name that an admin gave,
 * and whatever a request or a trade names.
 */
async function forgetTypedData(transaction: TransactionSql, uid: string): Promise<void> {
  await transaction`delete from identity.chosen_handles where uid = ${uid}`;
  // Payouts still name these rows; without a last use they are not suggested.
  await transaction`update identity.payout_handles set last_used_at = null where uid = ${uid}`;
  await transaction`
    update identity.profiles set discord_id = null, discord_username = null, discord_linked_at = null,
      discord_notifications_enabled = true, lands_on = 'dashboard',
      display_name = case when exists (
        select from identity.user_changes where uid = ${uid} and field = 'display-name')
        then display_name end
    where uid = ${uid}`;
  await transaction`delete from identity.discord_confirmations where uid = ${uid}`;
  await transaction`delete from identity.discord_reach where uid = ${uid}`;
  await transaction`delete from identity.notification_choices where uid = ${uid}`;
}
