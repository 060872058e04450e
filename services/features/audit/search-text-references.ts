// Looks up payouts by the reference of their transfer for the audit log's free text: an accountant has it from the bank.
import { sql } from "kysely";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import type { Found, TextReads } from "#features/audit/search-text-things.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";

// As in the table's index.
const readPayoutsWith = statement(
  (_reads, value: ValueOf<{ readonly reference: string; readonly owner: string | null }>) => sql<{
    readonly payout_id: string;
    readonly reference: string;
  }>`
    select p.payout_id::text as payout_id, p.reference
    from ${nameOfTable(payoutsTable)} p
    where p.reference is not null and lower(ltrim(p.reference, '#')) = ${value("reference")}
      and (${value("owner")}::text is null or p.consignor_uid = ${value("owner")})
    order by p.position desc limit 200`,
);

/** Payouts whose transfer has this reference, typed with or without its sign; of one consignor only, if one is given. */
export async function byReference(
  { reads }: TextReads,
  text: string,
  owner: string | null,
): Promise<Found[]> {
  const reference = text.toLowerCase().replace(/^#+/u, "");
  const rows = reference === "" ? [] : await readPayoutsWith(reads, { reference, owner });
  const [first] = rows;
  return first === undefined
    ? []
    : [
        {
          words: `Payouts with the transfer reference ${first.reference}`,
          streams: rows.map(({ payout_id: payoutId }) => payoutStreamId(payoutId)),
        },
      ];
}
