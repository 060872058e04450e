// The last transfer to where a pending payout goes, if it came back: whoever pays it should know before they send again.
import { sql } from "kysely";
import { nameOfTable, type Reads } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { toDollars } from "#ledger/money.ts";

const payouts = nameOfTable(payoutsTable);

type Returned = {
  readonly payout_id: string;
  readonly amount_cents: number;
  readonly returned_at: Date;
};

/**
 * CashApp and Venmo make no difference between large and small letters. From the old app a handle may be empty, which
 * is nowhere. The array is there so that the returned ones are looked up once, not for each payout.
 */
const lastReturns = statement(
  (_reads, value: ValueOf<{ readonly payoutIds: string }>) => sql<Returned>`
    with asked as materialized (
      select p.payout_id, p.consignor_uid, p.method, lower(h.handle) as handle
      from ${payouts} p join identity.payout_handles h on h.id = p.handle_id
      where p.payout_id = any (${value("payoutIds")}::uuid[]) and h.handle <> ''),
    returned as materialized (
      select distinct on (p.consignor_uid, p.method, lower(h.handle)) p.consignor_uid, p.method,
        lower(h.handle) as handle, p.amount_cents, p.returned_at, p.returned_position
      from ${payouts} p join identity.payout_handles h on h.id = p.handle_id
      where p.status = 'returned' and p.consignor_uid = any (array(select consignor_uid from asked))
      order by p.consignor_uid, p.method, lower(h.handle), p.returned_position desc)
    select a.payout_id, r.amount_cents, r.returned_at
    from asked a join returned r using (consignor_uid, method, handle)
    where not exists (
      select from ${payouts} p join identity.payout_handles h on h.id = p.handle_id
      where p.consignor_uid = a.consignor_uid and p.method = a.method and p.status = 'paid'
        and p.settled_position > r.returned_position and lower(h.handle) = a.handle)`,
);

/** By the payouts' ids; without those where none came back, or where one was paid since. */
export async function readLastReturns(
  reads: Reads,
  payoutIds: readonly string[],
): Promise<ReadonlyMap<string, PendingPayout["lastReturn"]>> {
  const found = await lastReturns(reads, { payoutIds: `{${payoutIds.join(",")}}` });
  return new Map(
    found.map(({ payout_id: id, amount_cents: cents, returned_at: at }) => [
      id,
      { amount: toDollars(cents), returnedAt: at.toISOString() },
    ]),
  );
}
