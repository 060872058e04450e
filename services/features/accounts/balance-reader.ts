// What identity shows beside a profile: the available balance, read without identity knowing this feature.
import type { Sql } from "#db/connect.ts";
import type { BalanceReader } from "#identity/parts.ts";
import { account } from "#ledger/posting.ts";

/** Reads what a user may request now, in cents; 0 for somebody without any posting. */
export function balanceReader(sql: Sql): BalanceReader {
  return {
    projections: ["balances"],
    async read(uid) {
      const [row] = await sql<{ balance_cents: number }[]>`
        select balance_cents from read.balances where account = ${account.available(uid)}`;
      return row?.balance_cents ?? 0;
    },
  };
}
