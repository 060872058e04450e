// Accounts: a profile, and the email and password for signing in. Roles and usernames come from events.
import { randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "#db/connect.ts";
import { endInvitation, findInvited } from "#identity/invited.ts";
import { lockAddress, lockProfile } from "#identity/lock-order.ts";
import type { Passwords } from "#identity/passwords.ts";

/** The fields of an account that sign-in needs. */
export type Credentials = {
  readonly uid: string;
  readonly passwordHash: string;
  readonly isDeactivated: boolean;
  /** The epoch of sessions when these credentials were read. */
  readonly sessionEpoch: number;
  /** Browsers that were known before belong to somebody who had the account before; null if nobody had. */
  readonly browsersKnownFrom: Date | null;
};

export type NewPerson = {
  readonly uid?: string;
  readonly email: string | null;
  readonly displayName?: string | null;
  /** Without one, the person has a profile but cannot sign in. */
  readonly password?: string;
};

export type Accounts = {
  /** The new uid, or undefined if the email already belongs to another account. */
  readonly signUp: (
    email: string,
    password: string,
    displayName: string | undefined,
  ) => Promise<string | undefined>;
  readonly findCredentials: (email: string) => Promise<Credentials | undefined>;
  /** The stored hash of a person's password; undefined without one. */
  readonly findHash: (uid: string) => Promise<string | undefined>;
  /** Only if the old hash is still there, so that a password reset in the meantime is kept. False if it is not. */
  readonly replaceHash: (uid: string, oldHash: string, newHash: string) => Promise<boolean>;
  /**
   * For the sample store, the import and the operator's scripts: finds the person by uid, else by the email they
   * sign in with, else by profile email, or creates them. Returns the uid. A second call only adds a missing
   * password. Throws if the email belongs to somebody else's account.
   */
  readonly ensureUser: (person: NewPerson) => Promise<string>;
};

export function createAccounts(sql: Sql, clock: () => Date, passwords: Passwords): Accounts {
  return {
    async signUp(email, password, displayName) {
      const passwordHash = await passwords.hash(password);
      return withUniqueEmail(
        sql.begin(async (transaction) => {
          // The invited account is theirs: its letter opens it, and a password reset sends another one.
          await lockAddress(transaction, normalEmail(email));
          if ((await findInvited(transaction, normalEmail(email))) !== undefined) {
            return undefined;
          }
          const uid = newUid();
          await insertProfile(transaction, clock(), {
            uid,
            email: normalEmail(email),
            displayName: displayName ?? null,
          });
          await insertCredentials(transaction, clock(), uid, email, passwordHash);
          return uid;
        }),
      );
    },
    async findCredentials(email) {
      const [row] = await sql<
        {
          uid: string;
          password_hash: string;
          is_deactivated: boolean;
          session_epoch: number;
          browsers_known_from: Date | null;
        }[]
      >`
        select c.uid, c.password_hash, p.deactivated_at is not null as is_deactivated, p.session_epoch,
          p.browsers_known_from
        from identity.credentials c join identity.profiles p on p.uid = c.uid
        where c.email = ${normalEmail(email)}`;
      return row === undefined
        ? undefined
        : {
            uid: row.uid,
            passwordHash: row.password_hash,
            isDeactivated: row.is_deactivated,
            sessionEpoch: row.session_epoch,
            browsersKnownFrom: row.browsers_known_from,
          };
    },
    async findHash(uid) {
      const [row] = await sql<{ password_hash: string }[]>`
        select password_hash from identity.credentials where uid = ${uid}`;
      return row?.password_hash;
    },
    async replaceHash(uid, oldHash, newHash) {
      const replaced = await sql`
        update identity.credentials set password_hash = ${newHash}, updated_at = ${clock()}
        where uid = ${uid} and password_hash = ${oldHash}`;
      return replaced.count === 1;
    },
    async ensureUser(person) {
      const known = await findPerson(sql, person);
      const passwordHash =
        person.password === undefined || (known?.hasPassword ?? false)
          ? undefined
          : await passwords.hash(person.password);
      const uid = known?.uid ?? person.uid ?? newUid();
      await sql.begin(async (transaction) => {
        if (known === undefined) {
          const email = person.email === null ? null : normalEmail(person.email);
          await insertProfile(transaction, clock(), { ...person, uid, email });
        }
        if (passwordHash !== undefined) {
          if (person.email === null) {
            throw new Error("A password needs an email to sign in with");
          }
          await insertCredentials(transaction, clock(), uid, person.email, passwordHash);
          await endInvitation(transaction, uid);
        }
      });
      return uid;
    },
  };
}

/** Email addresses are compared as typed except for case and surrounding spaces. */
export function normalEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

const UID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 28 letters and digits, about 166 random bits; never a hyphen, so stream ids stay unambiguous. */
export function newUid(): string {
  let uid = "";
  while (uid.length < 28) {
    for (const byte of randomBytes(32)) {
      // 248 is the largest multiple of 62 in a byte: values above it would make some letters more likely.
      if (byte < 248 && uid.length < 28) {
        uid += UID_ALPHABET.charAt(byte % 62);
      }
    }
  }
  return uid;
}

async function findPerson(
  sql: Sql,
  person: NewPerson,
): Promise<{ uid: string; hasPassword: boolean } | undefined> {
  const email = person.email === null ? null : normalEmail(person.email);
  const [row] = await sql<{ uid: string; has_password: boolean }[]>`
    select p.uid, c.uid is not null as has_password
    from identity.profiles p left join identity.credentials c on c.uid = p.uid
    where case when ${person.uid ?? null}::text is not null then p.uid = ${person.uid ?? null}
      else c.email = ${email} or lower(p.email) = ${email} end
    order by (c.email = ${email}) is true desc, p.created_at, p.uid limit 1`;
  return row === undefined ? undefined : { uid: row.uid, hasPassword: row.has_password };
}

async function insertProfile(
  transaction: TransactionSql,
  now: Date,
  person: NewPerson & { readonly uid: string },
): Promise<void> {
  await transaction`
    insert into identity.profiles (uid, email, display_name, created_at)
    values (${person.uid}, ${person.email}, ${person.displayName ?? null}, ${now})`;
}

async function insertCredentials(
  transaction: TransactionSql,
  now: Date,
  uid: string,
  email: string,
  passwordHash: string,
): Promise<void> {
  await lockProfile(transaction, uid);
  await transaction`
    insert into identity.credentials (uid, email, password_hash, updated_at)
    values (${uid}, ${normalEmail(email)}, ${passwordHash}, ${now})`;
}

/** Undefined instead of an error if the unique email of credentials forbids it. */
async function withUniqueEmail(work: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work;
  } catch (error) {
    if (
      error instanceof Error &&
      Reflect.get(error, "constraint_name") === "credentials_email_key"
    ) {
      return undefined;
    }
    throw error;
  }
}
