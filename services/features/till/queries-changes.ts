// The entries behind "Changed since the count": what events recorded after it changed of a counted day's payments.
import { sql } from "kysely";
import type { RouteDeps } from "#http/deps.ts";
import { nameOfTable } from "#http/reads.ts";
import type { StoredFact } from "#ledger/log/read-event.ts";
import { isFactOf } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";
import {
  RefundTenderCorrected,
  SaleCorrected,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";
import { saleStream, saleStreamId } from "#features/sales/streams.ts";
import { saleRefundsTable, salesTable } from "#features/sales/projection.ts";
import type { TillChange, TillChangesResponse } from "#features/till/contract.ts";
import type { DaySale } from "#features/till/day-changes.ts";
import { changeBetween, saleAfter } from "#features/till/day-changes.ts";
import { TillDayClosed } from "#features/till/events.ts";
import type { DayBounds } from "#features/till/queries-bounds.ts";

/** So many sales are read, those that changed last. */
const SALES_AT_MOST = 500;

type Deps = Pick<RouteDeps, "reads" | "readEvent" | "profiles">;

type Row = StoredFact & {
  readonly position: number;
  readonly actor: string;
  readonly happened_at: Date;
  readonly recorded_at: Date;
  readonly is_on_day: boolean;
  readonly sale_id: string;
  readonly item_name: string;
  readonly is_till: boolean;
  readonly is_sold_on_day: boolean;
};

/**
 * All events of the sales that were sold or refunded on the day and changed after this position, each sale's in order; the
 * sale that changed last comes first.
 */
async function readRows(
  { reads }: Pick<Deps, "reads">,
  { from, to }: DayBounds,
  after: number,
): Promise<readonly Row[]> {
  const [starts, ends] = [from.toISOString(), to.toISOString()];
  const isOnDay = (column: string) =>
    sql`(${sql.ref(column)} >= ${starts}::text::timestamptz and ${sql.ref(column)} < ${ends}::text::timestamptz)`;
  const { rows } = await sql<Row>`
    with of_day as (
      select t.sale_id from ${nameOfTable(salesTable)} t
      where ${isOnDay("t.sold_at")} and t.updated_position > ${after}
      union
      select r.sale_id from ${nameOfTable(saleRefundsTable)} r where ${isOnDay("r.refunded_at")}),
    touched as (
      select d.sale_id, l.last
      from of_day d
      cross join lateral (
        select max(es.position) as last from log.event_streams es
        where es.stream_id = log.sale_stream(d.sale_id::text)) l
      where l.last > ${after}
      order by l.last desc
      limit ${SALES_AT_MOST + 1})
    select e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at,
      ${isOnDay("e.happened_at")} as is_on_day, s.sale_id, s.item_name,
      s.channel is not distinct from 'pos' as is_till, ${isOnDay("s.sold_at")} as is_sold_on_day
    from touched
    join ${nameOfTable(salesTable)} s using (sale_id)
    join log.event_streams es on es.stream_id = log.sale_stream(s.sale_id::text)
    join log.events e on e.position = es.position
    order by touched.last desc, s.sale_id, es.version`.execute(reads);
  return rows;
}

const kinds: Readonly<Record<string, TillChange["what"]>> = {
  [SaleCorrected.type]: "corrected",
  [SaleRefunded.type]: "refunded",
  [SaleTenderCorrected.type]: "payment-corrected",
  [RefundTenderCorrected.type]: "refund-payment-corrected",
};

type Changed = { readonly row: Row; readonly parts: TillChange["parts"] };

/** What the events of one sale after this position changed. */
function changesOf(
  { readEvent }: Pick<Deps, "readEvent">,
  rows: readonly Row[],
  after: number,
): readonly Changed[] {
  const [first] = rows;
  let sale: DaySale = {
    streamId: saleStreamId(first?.sale_id ?? ""),
    isTill: first?.is_till === true,
    isSoldOnDay: first?.is_sold_on_day === true,
    state: saleStream.initial,
    refunds: [],
  };
  return rows.flatMap((row) => {
    const before = sale;
    const fact = readEvent(row);
    if (fact.kind === "read") {
      const happenedAt = row.happened_at.toISOString();
      const event = { ...fact, postings: [], movements: [], happenedAt };
      sale = saleAfter(before, event, row.is_on_day);
    }
    const parts = row.position > after ? changeBetween(before, sale) : [];
    const shown = parts.map(({ tender, cents }) => ({ tender, amount: toDollars(cents) }));
    return shown.length === 0 ? [] : [{ row, parts: shown }];
  });
}

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

/** What was recorded about the day after the count at this position, the last first; nothing without a count. */
export async function readChangesSince(
  deps: Deps,
  bounds: DayBounds,
  count: number | undefined,
): Promise<TillChangesResponse> {
  if (count === undefined) {
    return { changes: [], hasMore: false };
  }
  const after = await countedThrough(deps, count);
  const rows = await readRows(deps, bounds, after);
  const sales = [...Map.groupBy(rows, (row) => row.sale_id).values()];
  const changed = sales
    .slice(0, SALES_AT_MOST)
    .flatMap((own) => changesOf(deps, own, after))
    .toSorted((a, b) => b.row.position - a.row.position);
  const people = changed.flatMap(({ row }) => (row.actor.startsWith("system:") ? [] : [row.actor]));
  const names = await deps.profiles.displayNames(new Set(people));
  return {
    changes: changed.map(({ row, parts }) => ({
      position: row.position,
      what: kinds[row.type] ?? "sold",
      saleID: row.sale_id,
      itemName: row.item_name,
      parts,
      by: names.get(row.actor) ?? null,
      recordedAt: row.recorded_at.toISOString(),
    })),
    hasMore: sales.length > SALES_AT_MOST,
  };
}
