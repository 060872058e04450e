// The payout handles that people chose on their profile. They are only suggestions: a payout's own handle is bound by its event.
import type { Sql } from "#db/connect.ts";
import type { PayoutMethod } from "#identity/payout-handles.ts";
import type { Sealed } from "#identity/sealed.ts";

export type ChosenHandle = {
  readonly method: PayoutMethod;
  /** Null if the person removed it. */
  readonly handle: string | null;
  readonly chosenAt: Date;
};

export type ChosenHandles = {
  /** Null removes the suggestion. Does nothing for a deleted person. */
  readonly choose: (uid: string, method: PayoutMethod, handle: string | null) => Promise<void>;
  /** One per method at most. Throws if somebody changed a row in the database. */
  readonly find: (uid: string) => Promise<readonly ChosenHandle[]>;
};

export function createChosenHandles(sql: Sql, clock: () => Date, sealed: Sealed): ChosenHandles {
  const what = (uid: string, method: PayoutMethod) =>
    ({ purpose: "payout-handle", of: `${uid}/${method}` }) as const;
  return {
    async choose(uid, method, handle) {
      const bytes = sealed.seal(what(uid, method), Buffer.from(handle ?? ""));
      await sql`
        insert into identity.chosen_handles (uid, method, handle_sealed, chosen_at)
        select p.uid, ${method}, ${bytes}, ${clock()}::timestamptz
        from identity.profiles p where p.uid = ${uid} and p.deactivated_at is null
        on conflict (uid, method)
        do update set handle_sealed = excluded.handle_sealed, chosen_at = excluded.chosen_at`;
    },
    async find(uid) {
      const rows = await sql<{ method: PayoutMethod; handle_sealed: Buffer; chosen_at: Date }[]>`
        select method, handle_sealed, chosen_at from identity.chosen_handles
        where uid = ${uid} order by method`;
      return rows.flatMap((row) => {
        const opened = sealed.open(what(uid, row.method), row.handle_sealed);
        const chosen = { method: row.method, chosenAt: row.chosen_at };
        return opened.kind === "opened"
          ? [{ ...chosen, handle: opened.bytes.toString() || null }]
          : [];
      });
    },
  };
}
