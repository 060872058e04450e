// How a change behind the ledger's back is described: the facts of the store, the change, and where it must show.
import type { Sql } from "#db/connect.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";

/** A copy of the store, for one change alone. */
export type Copy = {
  /** As a superuser, whom no grants and no triggers stop. */
  readonly sql: Sql;
  /** As the application itself. */
  readonly appUrl: string;
  /** The heads of this copy. */
  readonly heads: HeadsPlace;
};

/** Facts of the untouched store that changes use. */
export type Facts = {
  /** The log's last position. */
  readonly end: number;
  /** A sale that was neither corrected nor refunded. */
  readonly sale: {
    readonly position: number;
    readonly saleId: string;
    readonly scope: string;
    readonly key: string;
    /** The item's stream. */
    readonly itemStream: string;
  };
  /** The log's last event. */
  readonly customSale: {
    readonly position: number;
    readonly saleId: string;
    readonly consignorId: string;
  };
  /** A refund that says how the money went back. */
  readonly refund: { readonly position: number; readonly saleId: string };
  readonly till: { readonly position: number; readonly day: string; readonly noteId: string };
  /** An item with a tag price and sales. */
  readonly item: { readonly itemId: string };
  /** Shown by an item. */
  readonly picture: { readonly imageId: string };
  /** The note with the number of a tax certificate that was erased. */
  readonly erased: { readonly position: number; readonly noteId: string };
  readonly payout: { readonly position: number; readonly handleId: string };
  /** Each `position` is that of the last event about the person. */
  readonly admin: { readonly uid: string; readonly position: number };
  readonly consignor: { readonly uid: string; readonly position: number };
  readonly deactivated: { readonly uid: string; readonly position: number };
  readonly invited: { readonly uid: string };
  /** The key that signs statements now. */
  readonly statementKey: { readonly kid: string };
  /** The key that signs ID tokens now. */
  readonly signingKey: { readonly kid: string };
  /** A trigger made by the migrations. */
  readonly trigger: { readonly name: string; readonly table: string };
  /** The live tables behind `read.sales` and `read.balances`. */
  readonly salesTable: string;
  readonly balancesTable: string;
};

/** A finding shows a change if it names one of these positions, or if its message contains one of these keys. */
export type Shown = {
  readonly positions: readonly number[];
  readonly keys: readonly string[];
  /** Set if only this check counts, because others could have been deceived. */
  readonly check?: "head";
};

export type Change = {
  readonly name: string;
  readonly tamper: (copy: Copy, facts: Facts) => Promise<void>;
  readonly shown: (facts: Facts) => Shown;
};

/** A change made by SQL statements. */
export function bySql(
  name: string,
  statements: (facts: Facts) => string,
  shown: Change["shown"],
): Change {
  return {
    name,
    shown,
    tamper: async ({ sql }, facts) => {
      await sql.unsafe(statements(facts));
    },
  };
}

export const at = (...positions: readonly number[]): Shown => ({ positions, keys: [] });
export const named = (...keys: readonly string[]): Shown => ({ positions: [], keys });
/** A finding may name the row, or the event behind it. */
export const atOrNamed = (position: number, key: string): Shown => ({
  positions: [position],
  keys: [key],
});
