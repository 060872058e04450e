// Payout handles ($cashtag, @venmo) are personal: events carry only the id of a row kept here, and a hash that binds it.
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { uuidOf } from "#ledger/uuid.ts";

export type PayoutMethod = "cashapp" | "venmo";

export type PayoutHandle = {
  readonly id: string;
  readonly uid: string;
  readonly method: PayoutMethod;
  readonly handle: string;
};

export type UsedHandle = PayoutHandle & { readonly lastUsedAt: Date };

/** A stored handle with the hash that is in its events. */
export type KeptHandle = PayoutHandle & {
  /** Null for older rows that no newer request has used. */
  readonly hash: string | null;
};

/** What a payout request records about its handle, and how the handle's row is stored. */
export type BoundHandle = {
  readonly id: string;
  /**
   * Hex sha256 of the row's salt, the method and the handle: the event contains it, so changes to the row are
   * noticed.
   */
  readonly hash: string;
  /**
   * Writes the row, and makes it the last used one if it is suggested. Call it in the transaction whose event has the id and hash. Throws
   * HandleBoundMeanwhile if another request gave the same handle another salt since it was read.
   */
  readonly keep: (transaction: TransactionSql) => Promise<void>;
};

export type PayoutHandles = {
  /**
   * What an event records about this person's handle. Writes nothing yet. Undefined for an unknown or deleted person.
   * Only what the person `by` typed for themselves is suggested to them next time.
   */
  readonly bind: (
    uid: string,
    method: PayoutMethod,
    handle: string,
    by: string,
  ) => Promise<BoundHandle | undefined>;
  /** The handles with these ids; erased ones are missing. */
  readonly findMany: (ids: Iterable<string>) => Promise<ReadonlyMap<string, KeptHandle>>;
  /** The last used handle per method, which `payment-info` suggests. */
  readonly lastUsed: (uid: string) => Promise<readonly UsedHandle[]>;
};

/** Two first requests with the same handle arrived at once: this one is decided again with the other's salt. */
export class HandleBoundMeanwhile extends Error {}

const MAX_TRIES = 4;

/** Runs work that binds handles, and again with the stored salts if another request came first. */
export async function bindingHandles<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MAX_TRIES || !(error instanceof HandleBoundMeanwhile)) {
        throw error;
      }
    }
  }
}

const SALT_BYTES = 16;

export function createPayoutHandles(sql: Sql, clock: () => Date): PayoutHandles {
  return {
    async bind(uid, method, handle, by) {
      const [found] = await sql<
        { handle_secret: Buffer; id: string | null; salt: Buffer | null }[]
      >`
        select p.handle_secret, h.id, h.salt
        from identity.profiles p
        left join identity.payout_handles h
          on h.uid = p.uid and h.method = ${method} and h.handle = ${handle}
        where p.uid = ${uid} and p.deactivated_at is null and p.handle_secret is not null`;
      if (found === undefined) {
        return undefined;
      }
      // Older rows keep their random ids, because older events refer to them.
      const id = found.id ?? idOf(found.handle_secret, uid, method, handle);
      const salt = found.salt ?? randomBytes(SALT_BYTES);
      const row = { id, uid, method, handle };
      // An empty one is of the old app's payout that names none, and suggests nothing.
      const isSuggested = by === uid && handle !== "";
      return {
        id,
        hash: hashOf(salt, method, handle),
        keep: (transaction) => keepRow(transaction, isSuggested ? clock() : null, row, salt),
      };
    },
    async findMany(ids) {
      const distinct = [...new Set(ids)];
      if (distinct.length === 0) {
        return new Map();
      }
      const rows = await sql<(PayoutHandle & { readonly salt: Buffer | null })[]>`
        select id, uid, method, handle, salt from identity.payout_handles
        where id = any(${distinct}::uuid[])`;
      return new Map(
        rows.map(({ salt, ...row }) => [
          row.id,
          { ...row, hash: salt === null ? null : hashOf(salt, row.method, row.handle) },
        ]),
      );
    },
    async lastUsed(uid) {
      const rows = await sql<UsedHandle[]>`
        select distinct on (method) id, uid, method, handle, last_used_at as "lastUsedAt" from identity.payout_handles
        where uid = ${uid} and last_used_at is not null
        order by method, last_used_at desc, id`;
      return rows.map((row) => ({ ...row }));
    },
  };
}

/** The same for the same handle of a person, so that simultaneous requests agree on it before a row exists. */
function idOf(secret: Buffer, uid: string, method: PayoutMethod, handle: string): string {
  const bytes = createHmac("sha256", secret)
    .update(`payout-handle\n${uid}\n${method}\n${handle}`)
    .digest();
  return uuidOf(bytes);
}

/** Verify computes the same hash in SQL. No method is a prefix of another, so the two texts need no separator. */
function hashOf(salt: Buffer, method: PayoutMethod, handle: string): string {
  return createHash("sha256").update(salt).update(method).update(handle).digest("hex");
}

async function keepRow(
  transaction: TransactionSql,
  usedAt: Date | null,
  { id, uid, method, handle }: PayoutHandle,
  salt: Buffer,
): Promise<void> {
  const [kept] = await transaction<{ id: string; salt: Buffer }[]>`
    insert into identity.payout_handles as h (id, uid, method, handle, salt, last_used_at)
    values (${id}, ${uid}, ${method}, ${handle}, ${salt}, ${usedAt})
    on conflict (uid, method, handle)
    do update set salt = coalesce(h.salt, excluded.salt), last_used_at = coalesce(excluded.last_used_at, h.last_used_at)
    returning h.id, h.salt`;
  if (kept?.id !== id || !salt.equals(kept.salt)) {
    throw new HandleBoundMeanwhile("Another request stored this handle first");
  }
}
