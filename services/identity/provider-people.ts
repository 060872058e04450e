// Turns another provider's person into one of the store's people: found, linked by a verified email, or created.
import type { Sql, TransactionSql } from "#db/connect.ts";
import { newUid, normalEmail } from "#identity/accounts.ts";
import { readsAsStore, withoutHidden } from "#ledger/fields.ts";
import { claimInvited } from "#identity/invitations.ts";
import { endInvitation } from "#identity/invited.ts";
import { lockAddress } from "#identity/lock-order.ts";
import { isUnlinked } from "#identity/unlinked-providers.ts";
import { hashOf } from "#identity/secrets.ts";

/** A person as another provider describes them. The provider was authenticated before. */
export type ProviderPerson = {
  /** The provider's issuer; together with the subject it identifies the person. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has verified the email. */
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  /** Where notifications may go, if the provider is Discord. */
  readonly discord?: { readonly id: string; readonly username: string };
};

export type Entry =
  | {
      readonly kind: "entered";
      readonly uid: string;
      /** The person's epoch of sessions when they were found. */
      readonly epoch: number;
      readonly isNew: boolean;
      /** Whether an account that others may sign in to has been linked just now: its owner has to know. */
      readonly isLinked: boolean;
    }
  | { readonly kind: "deactivated" }
  /** The owner of the address unlinked this provider, and has not allowed it again. */
  | { readonly kind: "unlinked"; readonly uid: string }
  /** An invitation of before a restore reserves the address: an admin invites again, or revokes it. */
  | { readonly kind: "invitation-ended"; readonly uid: string };

/** Signs in a person that a provider has authenticated. New people are always plain users. */
export type Enter = (person: ProviderPerson) => Promise<Entry>;

const MAX_TRIES = 4;

export function createEntrance(sql: Sql, clock: () => Date): Enter {
  return async (person) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sql.begin((transaction) => enterIn(transaction, clock(), person));
      } catch (error) {
        // The same person signed in twice at once: the other sign-in's row is found now.
        if (tries === MAX_TRIES || !isTwin(error)) {
          throw error;
        }
      }
    }
  };
}

async function enterIn(
  transaction: TransactionSql,
  now: Date,
  person: ProviderPerson,
): Promise<Entry> {
  const known = await findLinked(transaction, person);
  if (known !== undefined) {
    return entryOf(known);
  }
  const email = emailOf(person);
  const proven = person.emailVerified ? email : null;
  if (proven !== null) {
    await lockAddress(transaction, proven);
  }
  const owner = proven === null ? undefined : await findByProvenEmail(transaction, proven);
  if (owner?.is_deactivated === true) {
    return { kind: "deactivated" };
  }
  if (owner !== undefined && (await isUnlinked(transaction, owner.uid, person.issuer))) {
    return { kind: "unlinked", uid: owner.uid };
  }
  const invited =
    owner === undefined && proven !== null
      ? await claimInvited(transaction, now, proven)
      : undefined;
  if (invited?.mayBeRevoked === true) {
    return { kind: "invitation-ended", uid: invited.uid };
  }
  const found = owner ?? invited;
  const uid = found?.uid ?? newUid();
  if (owner !== undefined) {
    // An account without a sign-in that was invited again: from now on it has one.
    await endInvitation(transaction, uid);
  }
  if (found === undefined) {
    await transaction`
      insert into identity.profiles (uid, email, email_verified_at, display_name, created_at)
      values (${uid}, ${email}, ${proven === null ? null : now}, ${nameOf(person)}, ${now})`;
  }
  await transaction`
    insert into identity.issuer_subjects (issuer, subject, uid, linked_at, email_hash)
    values (${person.issuer}, ${person.subject}, ${uid}, ${now}, ${proven === null ? null : hashOf(proven)})`;
  if (person.discord !== undefined) {
    // Only a default: the person can change where notifications go, and it never affects who may sign in.
    await transaction`
      update identity.profiles
      set discord_id = ${person.discord.id}, discord_username = ${person.discord.username},
        discord_linked_at = ${now}
      where uid = ${uid} and discord_id is null`;
  }
  const isLinked = owner !== undefined;
  return { kind: "entered", uid, epoch: found?.epoch ?? 0, isNew: !isLinked, isLinked };
}

type Known = { uid: string; epoch: number; is_deactivated: boolean };

async function findLinked(
  transaction: TransactionSql,
  { issuer, subject }: ProviderPerson,
): Promise<Known | undefined> {
  const [row] = await transaction<Known[]>`
    select p.uid, p.session_epoch as epoch, p.deactivated_at is not null as is_deactivated
    from identity.issuer_subjects s join identity.profiles p on p.uid = s.uid
    where s.issuer = ${issuer} and s.subject = ${subject}`;
  return row;
}

/** Only an address that was verified here too, because anybody can sign up with somebody else's. */
async function findByProvenEmail(
  transaction: TransactionSql,
  email: string,
): Promise<Known | undefined> {
  const [row] = await transaction<Known[]>`
    select uid, session_epoch as epoch, deactivated_at is not null as is_deactivated
    from identity.profiles
    where lower(email) = ${email} and email_verified_at is not null for update`;
  return row;
}

function entryOf(known: Known): Entry {
  return known.is_deactivated
    ? { kind: "deactivated" }
    : { kind: "entered", uid: known.uid, epoch: known.epoch, isNew: false, isLinked: false };
}

/** Null if it cannot be an address. */
function emailOf({ email }: ProviderPerson): string | null {
  const normal = normalEmail(email ?? "");
  return normal.length <= 254 && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(normal) ? normal : null;
}

/** A name that lists and letters can show: only visible characters, not too long, not the store's. */
function nameOf({ displayName }: ProviderPerson): string | null {
  const name = withoutHidden(displayName ?? "")
    .trim()
    .slice(0, 100)
    .toWellFormed();
  return name === "" || readsAsStore(name) ? null : name;
}

function isTwin(error: unknown): boolean {
  const constraint: unknown =
    error instanceof Error ? Reflect.get(error, "constraint_name") : undefined;
  return constraint === "issuer_subjects_pkey" || constraint === "profiles_verified_email";
}
