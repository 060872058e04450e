// Makes the first admin by the set-up link: only while the log knows of none.
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Ledger } from "#ledger/log/ledger.ts";
import { makeFirstAdmin } from "#features/users/decider.ts";

/**
 * Makes `timeZone` the store's, if the store has none yet. True when the person is the first admin now; false when
 * there is one, or the person was deleted. `inSameTransaction` runs in the transaction that appends the events: if it
 * throws, the caller gets that error and nobody becomes an admin.
 */
export async function becomeFirstAdmin(
  deps: { readonly ledger: Ledger; readonly clock: () => Date },
  uid: string,
  inSameTransaction: (transaction: TransactionSql) => Promise<void>,
  timeZone: string | null = null,
): Promise<boolean> {
  const outcome = await deps.ledger.execute(
    makeFirstAdmin,
    { uid, cause: "set-up-link", timeZone, happenedAt: deps.clock().toISOString() },
    { actor: uid, scope: `user:${uid}`, key: randomUUID(), requestHash: "", inSameTransaction },
  );
  if (outcome.kind === "contended") {
    throw new Error("The set-up was overtaken too often; try the link again");
  }
  return outcome.kind === "accepted";
}
