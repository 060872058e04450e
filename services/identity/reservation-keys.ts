// Personal words are used in stream names and in the security log only as hashes with a secret of the store, which stays in
// schema identity.
import { createHmac } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

export type ReservationKeys = {
  /** 43 characters; always the same for the same word of the same kind. */
  readonly keyOf: (kind: "username" | "legacy" | "typed-email", word: string) => Promise<string>;
};

export function createReservationKeys(sql: Sql | TransactionSql): ReservationKeys {
  let secret: Promise<Buffer> | undefined;
  async function readSecret(): Promise<Buffer> {
    const [row] = await sql<{ secret: Buffer }[]>`select secret from identity.reservation_secret`;
    if (row === undefined) {
      throw new Error(
        "The store has lost its reservation secret: restore identity.reservation_secret",
      );
    }
    return row.secret;
  }
  return {
    async keyOf(kind, word) {
      secret ??= readSecret();
      try {
        return createHmac("sha256", await secret)
          .update(`${kind}\n${word}`)
          .digest("base64url");
      } catch (error) {
        secret = undefined;
        throw error;
      }
    },
  };
}
