// A person's passkeys and authenticator app: what there is, adding and using the app, removing any of them.
import { randomBytes, randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "#db/connect.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { makeRecoveryCodes, countRecoveryCodes } from "#identity/recovery-codes.ts";
import type { Sealed } from "#identity/sealed.ts";
import { endOtherSessions } from "#identity/session-list.ts";
import { stepOfCode, TOTP_SECRET_BYTES } from "#identity/totp.ts";

export type Factor = {
  readonly id: string;
  readonly kind: "passkey" | "totp";
  readonly name: string;
  readonly addedAt: Date;
  readonly lastUsedAt: Date | null;
};

/** Who adds a factor, and the session that they do it in; null if it is not one of ours. */
export type Adder = { readonly uid: string; readonly sessionId: string | null };

/** With what a person can take the second step of a sign-in. */
export type SecondWay = "passkey" | "totp" | "recovery-code";

/** `codes` are new recovery codes, made with the first factor. */
export type Added =
  | { readonly kind: "added"; readonly codes: readonly string[] | null }
  | { readonly kind: "refused"; readonly code: "setup_expired" | "wrong_code" | "totp_exists" };

export type Removed =
  | { readonly kind: "removed"; readonly factor: "passkey" | "totp" }
  | { readonly kind: "refused"; readonly code: "unknown_factor" | "last_factor" };

export type Factors = {
  readonly list: (uid: string) => Promise<readonly Factor[]>;
  /** Undefined for somebody without a second factor, who signs in with one step. */
  readonly ways: (uid: string) => Promise<readonly SecondWay[] | undefined>;
  /** The secret of a new authenticator app. It counts once it has given its first code, within 15 minutes. */
  readonly beginTotp: (uid: string) => Promise<Buffer>;
  /** The first factor ends the person's other sessions, and their browsers are no longer known. */
  readonly finishTotp: (adder: Adder, code: string) => Promise<Added>;
  /** False for a wrong code, and for one that was used before. */
  readonly acceptTotp: (uid: string, code: string) => Promise<boolean>;
  readonly remove: (uid: string, id: string, mayBeLast: boolean) => Promise<Removed>;
};

const SETUP_MS = 15 * 60_000;
const AT_MOST = 100;
const TOTP_NAME = "Authenticator app";

type FactorRow = {
  id: string;
  kind: "passkey" | "totp";
  name: string;
  added_at: Date;
  last_used_at: Date | null;
};

export function createFactors(sql: Sql, clock: () => Date, sealed: Sealed): Factors {
  function opened(uid: string, id: string, bytes: Uint8Array): Buffer | undefined {
    const secret = sealed.open({ purpose: "totp-secret", of: nameOfSecret(uid, id) }, bytes);
    return secret.kind === "opened" ? secret.bytes : undefined;
  }
  return {
    list: (uid) => listFactors(sql, uid),
    async ways(uid) {
      const factors = await sql<{ id: string; kind: string; secret_sealed: Buffer | null }[]>`
        select id, kind, secret_sealed from identity.factors where uid = ${uid} limit ${AT_MOST}`;
      if (factors.length === 0) {
        return undefined;
      }
      const codes = await countRecoveryCodes(sql, uid);
      const hasPasskey = factors.some(({ kind }) => kind === "passkey");
      // One that nobody can open any more asks for a code that cannot be checked.
      const hasTotp = factors.some(
        ({ id, secret_sealed: bytes }) => bytes !== null && opened(uid, id, bytes) !== undefined,
      );
      return [
        ...(hasPasskey ? (["passkey"] as const) : []),
        ...(hasTotp ? (["totp"] as const) : []),
        ...(codes > 0 ? (["recovery-code"] as const) : []),
      ];
    },
    async beginTotp(uid) {
      const [id, secret] = [randomUUID(), randomBytes(TOTP_SECRET_BYTES)];
      const bytes = sealed.seal({ purpose: "totp-secret", of: nameOfSecret(uid, id) }, secret);
      await sql`
        insert into identity.totp_setups (uid, id, secret_sealed, started_at)
        values (${uid}, ${id}, ${bytes}, ${clock()})
        on conflict (uid) do update
        set id = excluded.id, secret_sealed = excluded.secret_sealed, started_at = excluded.started_at`;
      return secret;
    },
    finishTotp: (adder, code) =>
      sql.begin((transaction) => finishTotp(transaction, clock(), { adder, code, opened })),
    async acceptTotp(uid, code) {
      const [factor] = await sql<{ id: string; secret_sealed: Buffer }[]>`
        select id, secret_sealed from identity.factors where uid = ${uid} and kind = 'totp'`;
      const secret =
        factor === undefined ? undefined : opened(uid, factor.id, factor.secret_sealed);
      const step = secret === undefined ? undefined : stepOfCode(secret, code, clock());
      if (factor === undefined || step === undefined) {
        return false;
      }
      // A step that is further ahead than any code was noted by a fast clock.
      const used = await sql`
        update identity.factors set last_step = ${step}, last_used_at = ${clock()}
        where id = ${factor.id} and (last_step < ${step} or last_step > ${step + 2})`;
      return used.count === 1;
    },
    remove: (uid, id, mayBeLast) =>
      sql.begin((transaction) => removeFactor(transaction, uid, id, mayBeLast)),
  };
}

/** As in sealed-columns.ts: a secret that is moved to another person's row does not open there. */
function nameOfSecret(uid: string, id: string): string {
  return `${uid}/${id}`;
}

async function listFactors(sql: Sql, uid: string): Promise<readonly Factor[]> {
  const rows = await sql<FactorRow[]>`
    select id, kind, name, added_at, last_used_at from identity.factors
    where uid = ${uid} order by added_at, id limit ${AT_MOST}`;
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    addedAt: row.added_at,
    lastUsedAt: row.last_used_at,
  }));
}

type Finishing = {
  readonly adder: Adder;
  readonly code: string;
  readonly opened: (uid: string, id: string, bytes: Uint8Array) => Buffer | undefined;
};

async function finishTotp(
  transaction: TransactionSql,
  now: Date,
  { adder, code, opened }: Finishing,
): Promise<Added> {
  const { uid } = adder;
  const turn = await lockForAdding(transaction, adder);
  const [setup] = await transaction<{ id: string; secret_sealed: Buffer; started_at: Date }[]>`
    select id, secret_sealed, started_at from identity.totp_setups where uid = ${uid}`;
  const secret =
    setup === undefined || Math.abs(now.getTime() - setup.started_at.getTime()) > SETUP_MS
      ? undefined
      : opened(uid, setup.id, setup.secret_sealed);
  if (turn === "ended" || setup === undefined || secret === undefined) {
    return { kind: "refused", code: "setup_expired" };
  }
  const step = stepOfCode(secret, code, now);
  if (step === undefined) {
    return { kind: "refused", code: "wrong_code" };
  }
  const added = await transaction`
    insert into identity.factors (id, uid, kind, name, added_at, secret_sealed, last_step)
    values (${setup.id}, ${uid}, 'totp', ${TOTP_NAME}, ${now}, ${setup.secret_sealed}, ${step})
    on conflict do nothing`;
  if (added.count === 0) {
    return { kind: "refused", code: "totp_exists" };
  }
  await transaction`delete from identity.totp_setups where uid = ${uid}`;
  await (turn === "first" ? endWithoutFactor(transaction, now, adder) : undefined);
  return { kind: "added", codes: await codesOfFirst(transaction, now, uid) };
}

/** Recovery codes for somebody who has none yet: with the first factor. */
export async function codesOfFirst(
  transaction: TransactionSql,
  now: Date,
  uid: string,
): Promise<readonly string[] | null> {
  const known = await transaction`
    select from identity.recovery_codes where uid = ${uid} limit 1`;
  return known.count > 0 ? null : makeRecoveryCodes(transaction, now, uid);
}

/** `ended`: the session was ended while this call waited, and must not leave a factor behind. */
export async function lockForAdding(
  transaction: TransactionSql,
  { uid, sessionId }: Adder,
): Promise<"ended" | "first" | "further"> {
  await lockProfile(transaction, uid);
  const [row] = await transaction<{ ended: boolean; some: boolean }[]>`
    select exists (
        select from identity.refresh_families
        where id = ${sessionId}::uuid and ended_at is not null) as ended,
      exists (select from identity.factors where uid = ${uid}) as some`;
  return row?.ended === true ? "ended" : row?.some === true ? "further" : "first";
}

/** With the first factor: whatever was signed in with one step until now must take the second. */
export async function endWithoutFactor(
  transaction: TransactionSql,
  now: Date,
  { uid, sessionId }: Adder,
): Promise<void> {
  await transaction`
    update identity.profiles set browsers_known_from = ${now} where uid = ${uid}`;
  await endOtherSessions(transaction, uid, sessionId, now);
}

async function removeFactor(
  transaction: TransactionSql,
  uid: string,
  id: string,
  mayBeLast: boolean,
): Promise<Removed> {
  // Adding and removing take turns for one person.
  await lockProfile(transaction, uid);
  const factors = await transaction<{ id: string; kind: "passkey" | "totp" }[]>`
    select id, kind from identity.factors where uid = ${uid} limit ${AT_MOST}`;
  const factor = factors.find((one) => one.id === id);
  if (factor === undefined) {
    return { kind: "refused", code: "unknown_factor" };
  }
  const isLast = factors.length === 1;
  if (isLast && !mayBeLast) {
    return { kind: "refused", code: "last_factor" };
  }
  await transaction`delete from identity.factors where id = ${id}`;
  if (isLast) {
    await transaction`delete from identity.recovery_codes where uid = ${uid}`;
  }
  return { kind: "removed", factor: factor.kind };
}

/** Takes every second factor from somebody, also those that are being set up. Returns how many there were. */
export async function removeAllFactors(transaction: TransactionSql, uid: string): Promise<number> {
  await lockProfile(transaction, uid);
  const removed = await transaction`delete from identity.factors where uid = ${uid}`;
  await transaction`delete from identity.recovery_codes where uid = ${uid}`;
  await transaction`delete from identity.totp_setups where uid = ${uid}`;
  await transaction`delete from identity.passkey_challenges where uid = ${uid}`;
  return removed.count;
}
