// Payout handles ($cashtag, @venmo) are personal: events carry only the id of a row kept here.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

export type PayoutMethod = "cashapp" | "venmo";

export type PayoutHandle = {
  readonly id: string;
  readonly uid: string;
  readonly method: PayoutMethod;
  readonly handle: string;
};

export type PayoutHandles = {
  /**
   * The id of this person's handle; the same handle has the same id for ever, so a retry changes nothing.
   * Undefined, and nothing kept, for somebody who is not known or has left. `markUsed` makes it the last used one.
   */
  readonly idOf: (uid: string, method: PayoutMethod, handle: string) => Promise<string | undefined>;
  /** To be called in the transaction whose event names them. */
  readonly markUsed: (transaction: TransactionSql, ids: readonly string[]) => Promise<void>;
  /** The handles behind these ids; an erased one is absent. */
  readonly findMany: (ids: Iterable<string>) => Promise<ReadonlyMap<string, PayoutHandle>>;
  /** The last used handle per method: what `payment-info` prefills. */
  readonly lastUsed: (uid: string) => Promise<readonly PayoutHandle[]>;
};

export function createPayoutHandles(
  sql: Sql,
  newId: () => string,
  clock: () => Date,
): PayoutHandles {
  return {
    async idOf(uid, method, handle) {
      // Locked against an erasure under way: it either takes this row along or is seen here.
      const [row] = await sql<{ id: string }[]>`
        with person as (
          select uid from identity.profiles
          where uid = ${uid} and deactivated_at is null for share)
        insert into identity.payout_handles (id, uid, method, handle, last_used_at)
        select ${newId()}::uuid, uid, ${method}, ${handle}, null from person
        on conflict (uid, method, handle) do update set handle = excluded.handle
        returning id`;
      return row?.id;
    },
    async markUsed(transaction, ids) {
      if (ids.length > 0) {
        await transaction`
          update identity.payout_handles set last_used_at = ${clock()}
          where id = any(${[...ids]}::uuid[])`;
      }
    },
    async findMany(ids) {
      const distinct = [...new Set(ids)];
      if (distinct.length === 0) {
        return new Map();
      }
      const rows = await sql<PayoutHandle[]>`
        select id, uid, method, handle from identity.payout_handles
        where id = any(${distinct}::uuid[])`;
      return new Map(rows.map((row) => [row.id, { ...row }]));
    },
    async lastUsed(uid) {
      const rows = await sql<PayoutHandle[]>`
        select distinct on (method) id, uid, method, handle from identity.payout_handles
        where uid = ${uid} and last_used_at is not null
        order by method, last_used_at desc, id`;
      return rows.map((row) => ({ ...row }));
    },
  };
}
