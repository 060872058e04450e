// The entries behind "Changed since the count": sales, refunds and corrections of a counted day that were recorded after it.
import { sql } from "kysely";
import type { RouteDeps } from "#http/deps.ts";
import { nameOfTable } from "#http/reads.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { ReadFact, StoredFact } from "#ledger/log/read-event.ts";
import { isFactOf } from "#ledger/log/read-event.ts";
import type { Cents } from "#ledger/money.ts";
import { toDollars } from "#ledger/money.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  RefundTenderCorrected,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";
import { saleRefundsTable, salesTable } from "#features/sales/projection.ts";
import type { TillChange, TillChangesResponse } from "#features/till/contract.ts";
import { TillDayClosed } from "#features/till/events.ts";
import type { DayBounds } from "#features/till/queries-bounds.ts";

const AT_MOST = 200;

const OF_SALE = [SaleRecorded, MasterSaleRecorded, CustomSaleRecorded, SaleCorrected].map(
  ({ type }) => type,
);

type Row = StoredFact & {
  readonly position: number;
  readonly actor: string;
  readonly recorded_at: Date;
  readonly sale_id: string;
  readonly item_name: string;
};

/** The last ones first. Of the day's sales, those of no till of which nobody said how they were paid are left out. */
async function readRows(
  { reads }: Pick<RouteDeps, "reads">,
  { from, to }: DayBounds,
  after: number,
): Promise<readonly Row[]> {
  const [starts, ends] = [from.toISOString(), to.toISOString()];
  const day = (column: string) =>
    sql`${sql.ref(column)} >= ${starts}::text::timestamptz and ${sql.ref(column)} < ${ends}::text::timestamptz`;
  const { rows } = await sql<Row>`
    with refunded as (
      select sale_id, position, tender from ${nameOfTable(saleRefundsTable)} r where ${day("r.refunded_at")}),
    touched as (
      select sale_id from ${nameOfTable(salesTable)} t where ${day("t.sold_at")} and t.updated_position > ${after}
      union
      select sale_id from refunded)
    select e.position, e.type, e.schema_version, e.data, e.actor, e.recorded_at, s.sale_id, s.item_name
    from touched
    join ${nameOfTable(salesTable)} s using (sale_id)
    join log.event_streams es on es.stream_id = log.sale_stream(s.sale_id::text) and es.position > ${after}
    join log.events e on e.position = es.position
    where case
      when e.type = any (${textArray(OF_SALE)}::text[])
        then ${day("s.sold_at")} and (s.channel = 'pos' or s.tender is not null)
      when e.type = ${SaleTenderCorrected.type} then ${day("s.sold_at")}
      when e.type = ${SaleRefunded.type} then exists (
        select from refunded r
        where r.position = e.position and (s.channel = 'pos' or r.tender is not null))
      else e.type = ${RefundTenderCorrected.type}
        and exists (select from refunded r where r.sale_id = s.sale_id) end
    order by e.position desc
    limit ${AT_MOST + 1}`.execute(reads);
  return rows;
}

type Change = Pick<TillChange, "what" | "amount" | "paidBefore" | "paidAfter">;

const nothing = { amount: null, paidBefore: null, paidAfter: null };

function amounting(what: Change["what"], cents: Cents): Change {
  return { ...nothing, what, amount: toDollars(cents) };
}

const paid = (terms: { readonly priceCents: Cents | null; readonly salesTaxCents: Cents }) =>
  (terms.priceCents ?? 0) + terms.salesTaxCents;

/** Undefined for an event that cannot be read, which verify reports. */
function changeOf(fact: ReadFact): Change | undefined {
  if (isFactOf(SaleRecorded, fact) || isFactOf(MasterSaleRecorded, fact)) {
    return amounting("sold", paid(fact.data));
  }
  if (isFactOf(CustomSaleRecorded, fact)) {
    return amounting("sold", fact.data.amountCents);
  }
  if (isFactOf(SaleCorrected, fact)) {
    return amounting("corrected", paid(fact.data.after) - paid(fact.data.before));
  }
  if (isFactOf(SaleRefunded, fact)) {
    return amounting("refunded", -fact.data.priceCents - fact.data.salesTaxCents);
  }
  if (isFactOf(SaleTenderCorrected, fact) || isFactOf(RefundTenderCorrected, fact)) {
    const { before: paidBefore, after: paidAfter } = fact.data;
    const what = isFactOf(SaleTenderCorrected, fact)
      ? "payment-corrected"
      : "refund-payment-corrected";
    return { ...nothing, what, paidBefore, paidAfter };
  }
  return undefined;
}

type Deps = Pick<RouteDeps, "reads" | "readEvent" | "profiles">;

/** Up to where a count has the day's payments: entries may have come between that and the count. */
async function countedThrough({ reads, readEvent }: Deps, count: number): Promise<number> {
  const { rows } = await sql<StoredFact>`
    select e.type, e.schema_version, e.data from log.events e where e.position = ${count}`.execute(
    reads,
  );
  const [stored] = rows;
  const fact = stored === undefined ? undefined : readEvent(stored);
  return fact !== undefined && isFactOf(TillDayClosed, fact) ? fact.data.throughPosition : count;
}

/**
 * What was recorded about the day after the count at this position, the last first, at most 200; nothing without a
 * count.
 */
export async function readChangesSince(
  deps: Deps,
  bounds: DayBounds,
  count: number | undefined,
): Promise<TillChangesResponse> {
  if (count === undefined) {
    return { changes: [], hasMore: false };
  }
  const rows = await readRows(deps, bounds, await countedThrough(deps, count));
  const shown = rows.slice(0, AT_MOST);
  const names = await deps.profiles.displayNames(new Set(shown.map(({ actor }) => actor)));
  return {
    changes: shown.flatMap((row) => {
      const change = changeOf(deps.readEvent(row));
      return change === undefined
        ? []
        : [
            {
              ...change,
              position: row.position,
              saleID: row.sale_id,
              itemName: row.item_name,
              by: row.actor.startsWith("system:") ? null : (names.get(row.actor) ?? null),
              recordedAt: row.recorded_at.toISOString(),
            },
          ];
    }),
    hasMore: rows.length > shown.length,
  };
}
