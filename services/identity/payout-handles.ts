// Payout handles ($cashtag, @venmo) are personal: events carry only the id of a row kept here.
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
   * Undefined, and nothing kept, for somebody who is not known or has left.
   */
  readonly idOf: (
    uid: string,
    method: PayoutMethod,
    handle: string,
  ) => Promise<string | undefined>;
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
        select ${newId()}::uuid, uid, ${method}, ${handle}, ${clock()}::timestamptz from person
        on conflict (uid, method, handle) do update set last_used_at = excluded.last_used_at
        returning id`;
      return row?.id;
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
        where uid = ${uid} order by method, last_used_at desc, id`;
      return rows.map((row) => ({ ...row }));
    },
  };
}
