// Where the goods of trades go, and their tracking numbers: personal, so events carry only the ids of rows kept here.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

export type PostalAddress = {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
};

/** `uid` is the buyer: erasing this person takes the row along. */
type OfBuyer = { readonly id: string; readonly uid: string };

export type TradePapers = {
  /** Call it in the transaction whose event names the address. */
  readonly keepAddress: (
    transaction: TransactionSql,
    kept: OfBuyer & { readonly address: PostalAddress },
  ) => Promise<void>;
  /** Null if it was erased. */
  readonly findAddress: (id: string) => Promise<PostalAddress | null>;
  /** The one that was kept last: what the next request is filled in with. Null without one. */
  readonly lastAddressOf: (uid: string) => Promise<PostalAddress | null>;
  /** Under the id of the label. Call it in the transaction whose event names the label. */
  readonly keepTracking: (
    transaction: TransactionSql,
    kept: OfBuyer & { readonly trackingNumber: string },
  ) => Promise<void>;
};

export function createTradePapers(sql: Sql, clock: () => Date): TradePapers {
  return {
    async keepAddress(transaction, { id, uid, address }) {
      const { name, street, city, state, zip, country } = address;
      await transaction`
        insert into identity.trade_addresses (id, uid, name, street, city, state, zip, country, kept_at)
        values (${id}, ${uid}, ${name}, ${street}, ${city}, ${state}, ${zip}, ${country}, ${clock()})`;
    },
    async findAddress(id) {
      const [row] = await sql<PostalAddress[]>`
        select name, street, city, state, zip, country from identity.trade_addresses where id = ${id}`;
      return row === undefined ? null : { ...row };
    },
    async lastAddressOf(uid) {
      // A reset that first proves the email sets both times: whoever typed an address before may be a stranger.
      const [row] = await sql<PostalAddress[]>`
        select a.name, a.street, a.city, a.state, a.zip, a.country
        from identity.trade_addresses a join identity.profiles p on p.uid = a.uid
        where a.uid = ${uid}
          and not coalesce(a.kept_at < p.browsers_known_from and a.kept_at < p.email_verified_at, false)
        order by a.kept_at desc, a.id limit 1`;
      return row === undefined ? null : { ...row };
    },
    async keepTracking(transaction, { id, uid, trackingNumber }) {
      await transaction`
        insert into identity.trade_labels (id, uid, tracking_number)
        values (${id}, ${uid}, ${trackingNumber})`;
    },
  };
}
