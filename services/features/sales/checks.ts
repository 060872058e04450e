// What must be true of the sums of sales, compared with the sales themselves: part of `npm run verify`.
import { moveUnits } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { moves, posts } from "#ledger/verify/event-rules.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
} from "#features/sales/events.ts";
import { saleFollows } from "#features/sales/follows.ts";
import { correctionPostings, refundPostings, salePostings } from "#features/sales/legs.ts";
import { summedColumns } from "#features/sales/projection-sums.ts";
import { customTerms, SOLD } from "#features/sales/streams.ts";
import { itemHolding } from "#features/inventory/streams.ts";
import type { RecordedSale } from "#features/sales/streams.ts";

const sumsOf = (uid: string, since: string, from: string, sales: string) => `
  select ${uid} as uid, ${since} as since, kind, coalesce(channel, '') as channel, status,
    ${sales} as sales, ${summedColumns.map((name) => `sum(coalesce(${name}, 0)) as ${name}`).join(", ")}
  from ${from} group by 1, 2, 3, 4, 5`;

type Named = Pick<RecordedSale, "consignorId" | "itemId">;

/** Whose sale it is, by what a correction or a refund names. */
function partiesOf({ consignorId, itemId }: Named): Pick<RecordedSale, "kind" | "consignorId"> {
  const ofItem = consignorId === null ? "master" : "consignor";
  return { kind: itemId === null ? "custom" : ofItem, consignorId };
}

export const saleChecks: readonly BookCheck[] = [
  ...saleFollows,
  posts(SaleRecorded, (data) =>
    salePostings({ kind: "consignor", consignorId: data.consignorId }, data),
  ),
  posts(MasterSaleRecorded, (data) =>
    salePostings(
      { kind: "master", consignorId: null },
      { ...data, shippingCents: 0, consignorPercentage: null, payoutCents: 0 },
    ),
  ),
  posts(CustomSaleRecorded, ({ consignorId, itemName, amountCents }) =>
    salePostings({ kind: "custom", consignorId }, customTerms(itemName, amountCents)),
  ),
  posts(SaleCorrected, (data) => correctionPostings(partiesOf(data), data.before, data.after)),
  posts(SaleRefunded, (data) => refundPostings(partiesOf(data), data)),
  moves(SaleRecorded, ({ itemId, units }) => moveUnits(itemHolding.of(itemId), SOLD, units)),
  moves(MasterSaleRecorded, ({ itemId, units }) => moveUnits(itemHolding.of(itemId), SOLD, units)),
  moves(SaleCorrected, ({ itemId, before, after }) =>
    itemId === null ? [] : moveUnits(itemHolding.of(itemId), SOLD, after.units - before.units),
  ),
  moves(SaleRefunded, ({ itemId, units, restocked }) =>
    itemId === null || !restocked ? [] : moveUnits(SOLD, itemHolding.of(itemId), units),
  ),
  {
    check: "identity",
    sql: `
      select e.position, 'the number of a tax certificate, note ' || n.id || ', was erased but is there' as message
      from {events} e
      cross join lateral jsonb_array_elements_text(e.data -> 'noteIds') erased (id)
      join identity.notes n on n.id = erased.id::uuid
      where e.type = 'TaxCertificateErased'
      order by 1, 2 limit 100`,
  },
  {
    check: "balances",
    readsFrom: ["sales"],
    sql: `
      with summed as (
        ${sumsOf("''", "date_trunc('day', sold_at, 'UTC')", "read.sales", "count(*)")}
        union all
        ${sumsOf("consignor_id", "date_trunc('month', sold_at, 'UTC')", "read.sales where consignor_id is not null", "count(*)")}),
      kept as (${sumsOf("uid", "since", "read.sales_sums", "sum(sales)")})
      select (select position from read.projections where name = 'sales' and state = 'live') as position,
        'read.sales_sums, ' || coalesce(nullif(coalesce(k.uid, s.uid), ''), 'all sales') || ' since ' ||
          to_char(coalesce(k.since, s.since) at time zone 'UTC', 'YYYY-MM-DD') || ': ' ||
          coalesce(k.sales, 0) || ' sales with a price of ' || coalesce(k.price_cents, 0) ||
          ' cents, but the list has ' || coalesce(s.sales, 0) || ' with ' || coalesce(s.price_cents, 0) as message
      from summed s
      full join kept k using (uid, since, kind, channel, status)
      where ${["sales", ...summedColumns].map((name) => `coalesce(s.${name}, -1) <> coalesce(k.${name}, -1)`).join(" or ")}
      order by 2 limit 10`,
  },
];
