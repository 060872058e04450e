// The providers that a person unlinks from the account: what it ends, when it is refused, and allowing one again.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { DISCORD_ISSUER } from "#identity/discord.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { type OwnAccount, readOwnAccount } from "#identity/own-account.ts";
import { endOtherSessions } from "#identity/session-list.ts";

/**
 * Whether the person could not sign in without this provider. `usable` are the issuers that people can sign in with
 * here. A passkey does not count, because it is lost with its device and removed with the other second factors; nor
 * does a verified address, because only a password can be reset.
 */
export function isOnlyWayIn(
  { hasPassword, providers }: Pick<OwnAccount, "hasPassword" | "providers">,
  issuer: string,
  usable: readonly string[],
): boolean {
  return (
    !hasPassword &&
    !providers.some((other) => other.issuer !== issuer && usable.includes(other.issuer))
  );
}

/** Whose link to which provider ends, in which session; null if it is not one of ours. */
export type Unlinking = {
  readonly uid: string;
  readonly sessionId: string | null;
  readonly issuer: string;
  readonly usable: readonly string[];
};

/**
 * Ends the links to a provider, and every other session, because whoever has the provider's account may have one. Its
 * accounts with this person's address are not linked again until that is allowed.
 */
export async function unlinkProvider(
  sql: Sql,
  now: Date,
  { uid, sessionId, issuer, usable }: Unlinking,
): Promise<"unlinked" | "not_linked" | "only_way_in"> {
  return sql.begin(async (transaction) => {
    // Two at once would each count the other as a way in; and a sign-in that is about to link waits, then sees the mark.
    await lockProfile(transaction, uid);
    const account = await readOwnAccount(transaction, uid);
    if (!account.providers.some((one) => one.issuer === issuer)) {
      return "not_linked";
    }
    if (isOnlyWayIn(account, issuer, usable)) {
      return "only_way_in";
    }
    if (issuer === DISCORD_ISSUER) {
      await keepDiscordProof(transaction, uid);
    }
    await transaction`
      delete from identity.issuer_subjects where uid = ${uid} and issuer = ${issuer}`;
    await transaction`
      insert into identity.unlinked_providers (uid, issuer, unlinked_at)
      values (${uid}, ${issuer}, ${now}) on conflict do nothing`;
    await endOtherSessions(transaction, uid, sessionId, now);
    return "unlinked";
  });
}

/** The store's messages still go to the Discord account that the person has proved to be theirs by signing in with it. */
async function keepDiscordProof(transaction: TransactionSql, uid: string): Promise<void> {
  await transaction`
    insert into identity.discord_confirmations as c (uid, discord_id, asked_at, confirmed_at)
    select p.uid, p.discord_id, s.linked_at, s.linked_at
    from identity.profiles p join identity.issuer_subjects s
      on s.uid = p.uid and s.issuer = ${DISCORD_ISSUER} and s.subject = p.discord_id
    where p.uid = ${uid}
    on conflict (uid, discord_id) do update
    set confirmed_at = coalesce(c.confirmed_at, excluded.confirmed_at), code_hashes = '{}'`;
}

/** An account of the provider with the person's verified address may link itself again. False if it always could. */
export async function allowProvider(sql: Sql, uid: string, issuer: string): Promise<boolean> {
  const allowed = await sql`
    delete from identity.unlinked_providers where uid = ${uid} and issuer = ${issuer}`;
  return allowed.count === 1;
}

/** For a sign-in that is about to link. It has locked the profile's row. */
export async function isUnlinked(
  transaction: TransactionSql,
  uid: string,
  issuer: string,
): Promise<boolean> {
  const [row] = await transaction`
    select from identity.unlinked_providers where uid = ${uid} and issuer = ${issuer}`;
  return row !== undefined;
}
