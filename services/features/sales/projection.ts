// From the log to the lists of sales: one row per sale, as it is after its corrections and refunds.
import {
  bigint,
  boolean,
  defineTable,
  generated,
  insertColumns,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { accountsInStream } from "#features/accounts/streams.ts";
import type { SaleTender } from "#features/sales/events.ts";
import {
  addToSums,
  dropEmptySums,
  salesSumsTable,
  sumAgain,
  summedFrom,
} from "#features/sales/projection-sums.ts";

/** One row per sale, as it is after its corrections and refunds. */
export const salesTable = defineTable({
  name: "sales",
  columns: {
    sale_id: uuid(),
    kind: text<"consignor" | "master" | "custom">(),
    /** Null for the store's own sale. */
    consignor_id: nullable(text()),
    /** Null for a custom sale, as are barcode and channel. */
    item_id: nullable(text()),
    item_name: text(),
    barcode1: nullable(text()),
    units: bigint(),
    /** Null for a sale that only moved stock. */
    price_cents: nullable(bigint()),
    shipping_cents: bigint(),
    sales_tax_cents: bigint(),
    /** What the till charged, 825 for 8.25 %; null if no till named a rate. */
    tax_rate_basis_points: nullable(bigint()),
    /** True if the store had another rate when it was sold. */
    tax_rate_outdated: boolean(),
    /** Null if no percentage decided the payout. */
    consignor_percentage: nullable(bigint()),
    payout_cents: bigint(),
    channel: nullable(text<"online" | "pos">()),
    /** The same for all sales of a cart; null if no till named one. */
    receipt_id: nullable(uuid()),
    /** How the customer paid; null if nobody said. */
    tender: nullable(text<SaleTender>()),
    tax_exempt: boolean(),
    /** The certificate's number in identity.notes; null without one. */
    certificate_note_id: nullable(uuid()),
    refunded_units: bigint(),
    refunded_price_cents: bigint(),
    refunded_tax_cents: bigint(),
    refunded_payout_cents: bigint(),
    corrections: bigint(),
    version: bigint(),
    sold_at: timestamptz(),
    position: bigint(),
    updated_position: bigint(),
    status: generated(
      text<"sold" | "partly_refunded" | "refunded">(),
      `case when refunded_units = 0 and refunded_price_cents = 0 then 'sold'
        when refunded_units = units and refunded_price_cents = coalesce(price_cents, 0)
          then 'refunded'
        else 'partly_refunded' end`,
    ),
    search_text: generated(text(), "log.searchable(item_name)"),
    /** 1 for a sale without a price, so that they can be counted by summing. */
    unpriced: generated(bigint(), "case when price_cents is null then 1 else 0 end"),
    /** What the store keeps of the price, after refunds, shipping and payout. */
    store_cents: generated(
      bigint(),
      `coalesce(price_cents, 0) - refunded_price_cents - shipping_cents - payout_cents + refunded_payout_cents`,
    ),
  },
  keys: ["primary key (sale_id)"],
  indexes: [
    "(sold_at desc, position desc)",
    "(consignor_id, sold_at desc, position desc)",
    "using gin (search_text gin_trgm_ops)",
    "(barcode1)",
    "(receipt_id) where receipt_id is not null",
    // Small indexes for the filters on the few unusual sales.
    "(sold_at desc, position desc) where status <> 'sold'",
    "(sold_at desc, position desc) where kind <> 'consignor'",
    "(sold_at desc, position desc) where price_cents is null",
    // The orders in which the whole list is sorted.
    '(search_text collate "C", sold_at, position)',
    "(units, sold_at, position)",
    "(coalesce(price_cents, 0), sold_at, position)",
    "((sales_tax_cents - refunded_tax_cents), sold_at, position)",
    "((payout_cents - refunded_payout_cents), sold_at, position)",
    "(store_cents, sold_at, position)",
    "(shipping_cents, sold_at, position)",
    "(coalesce(consignor_percentage, 0), sold_at, position)",
  ],
});

/** One row per refund, for the days on which money went back. */
export const saleRefundsTable = defineTable({
  name: "sale_refunds",
  columns: {
    position: bigint(),
    sale_id: uuid(),
    units: bigint(),
    price_cents: bigint(),
    tax_cents: bigint(),
    /** How the customer got it back, as known now; null if nobody said. */
    tender: nullable(text<SaleTender>()),
    refunded_at: timestamptz(),
  },
  keys: ["primary key (position)"],
  indexes: ["(refunded_at)", "(sale_id)"],
  stepIndexes: ["(sale_id)"],
});

/** Needed even where the position is enough: without it, older versions in the log make the planner read the whole log. */
const ofRange = "e.position > $1::bigint and e.position <= $2::bigint";

const changing = [
  "SaleCorrected",
  "SaleRefunded",
  "SaleTenderCorrected",
  "RefundTenderCorrected",
] as const;
const changeTypes = changing.map((type) => `'${type}'`).join(", ");

/** The range's changes of each sale: the last correction's terms, and sums of refunds. */
const changed = `
  select e.data ->> 'saleId' as sale_id,
    count(*) as events,
    max(e.position) as position,
    max(e.position) filter (where e.type = 'SaleCorrected') as corrected_position,
    count(*) filter (where e.type = 'SaleCorrected') as corrections,
    max(e.position) filter (where e.type = 'SaleTenderCorrected') as tender_position,
    coalesce(sum((e.data ->> 'units')::bigint) filter (where e.type = 'SaleRefunded'), 0)::bigint
      as units,
    coalesce(sum((e.data ->> 'priceCents')::bigint) filter (where e.type = 'SaleRefunded'), 0)::bigint
      as price_cents,
    coalesce(sum((e.data ->> 'salesTaxCents')::bigint) filter (where e.type = 'SaleRefunded'), 0)::bigint
      as sales_tax_cents,
    coalesce(sum((e.data ->> 'payoutCents')::bigint) filter (where e.type = 'SaleRefunded'), 0)::bigint
      as payout_cents
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in (${changeTypes}) and {key:e.data ->> 'saleId'}
  group by 1`;

/** The same with the last correction's terms, as columns. */
const changes = `
  select c.*, t.terms ->> 'itemName' as item_name,
    (t.terms ->> 'units')::bigint as new_units,
    (t.terms ->> 'priceCents')::bigint as new_price_cents,
    (t.terms ->> 'shippingCents')::bigint as new_shipping_cents,
    (t.terms ->> 'salesTaxCents')::bigint as new_sales_tax_cents,
    (t.terms ->> 'consignorPercentage')::bigint as new_consignor_percentage,
    (t.terms ->> 'payoutCents')::bigint as new_payout_cents,
    p.tender as new_tender
  from changed c
  left join lateral (
    select e.data -> 'after' as terms from {events} e where e.position = c.corrected_position and ${ofRange}
  ) t on true
  left join lateral (
    select e.data ->> 'after' as tender from {events} e where e.position = c.tender_position and ${ofRange}
  ) p on true`;

/** The range's new sales as they were recorded. A custom sale is one unit that is paid out in full. */
const recorded = `
  select e.data ->> 'saleId' as sale_id,
    case e.type when 'SaleRecorded' then 'consignor' when 'MasterSaleRecorded' then 'master'
      else 'custom' end as kind,
    e.data ->> 'consignorId' as consignor_id,
    e.data ->> 'itemId' as item_id,
    e.data ->> 'itemName' as item_name,
    e.data ->> 'barcode1' as barcode1,
    coalesce((e.data ->> 'units')::bigint, 1) as units,
    coalesce((e.data ->> 'priceCents')::bigint, (e.data ->> 'amountCents')::bigint) as price_cents,
    coalesce((e.data ->> 'shippingCents')::bigint, 0) as shipping_cents,
    coalesce((e.data ->> 'salesTaxCents')::bigint, 0) as sales_tax_cents,
    (e.data -> 'taxRate' ->> 'basisPoints')::bigint as tax_rate_basis_points,
    coalesce((e.data -> 'taxRate' ->> 'outdated')::boolean, false) as tax_rate_outdated,
    (e.data ->> 'consignorPercentage')::bigint as consignor_percentage,
    coalesce((e.data ->> 'payoutCents')::bigint, (e.data ->> 'amountCents')::bigint, 0)
      as payout_cents,
    e.data ->> 'channel' as channel,
    (e.data ->> 'receiptId')::uuid as receipt_id,
    e.data ->> 'tender' as tender,
    e.data ? 'taxExemption' as tax_exempt,
    (e.data -> 'taxExemption' ->> 'noteId')::uuid as certificate_note_id,
    e.happened_at as sold_at,
    e.position
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in ('SaleRecorded', 'MasterSaleRecorded', 'CustomSaleRecorded')
    and {key:e.data ->> 'saleId'}`;

/** The sales that the range changes. */
const changedSales = `
  select (e.data ->> 'saleId')::uuid from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in (${changeTypes}) and {key:e.data ->> 'saleId'}`;

/** Row key: the sale's id; the sums follow from the sales. */
export const salesProjection: Projection = {
  name: "sales",
  version: 10,
  tables: [salesTable, saleRefundsTable, salesSumsTable],
  step: [
    `with added as (
        insert into {table:sales} (${insertColumns(salesTable)})
        select r.sale_id::uuid, r.kind, r.consignor_id, r.item_id, r.item_name, r.barcode1, r.units, r.price_cents,
          r.shipping_cents, r.sales_tax_cents, r.tax_rate_basis_points, r.tax_rate_outdated,
          r.consignor_percentage, r.payout_cents, r.channel, r.receipt_id, r.tender, r.tax_exempt,
          r.certificate_note_id, 0, 0, 0, 0, 0, 1, r.sold_at, r.position, r.position
        from (${recorded}) r
        returning ${summedFrom.join(", ")})
    ${addToSums("added", "1")}`,
    // `before` sees the rows as they were before this statement. A sale's version is the number of its events: the one
    // that recorded it, and every change.
    `with changed as materialized (${changed}),
      changes as materialized (${changes}),
      before as (select s.* from {table:sales} s join changes c on s.sale_id = c.sale_id::uuid),
      changed_now as (
        update {table:sales} s
        set item_name = coalesce(c.item_name, s.item_name),
          units = coalesce(c.new_units, s.units),
          price_cents = coalesce(c.new_price_cents, s.price_cents),
          shipping_cents = coalesce(c.new_shipping_cents, s.shipping_cents),
          sales_tax_cents = coalesce(c.new_sales_tax_cents, s.sales_tax_cents),
          consignor_percentage = coalesce(c.new_consignor_percentage, s.consignor_percentage),
          payout_cents = coalesce(c.new_payout_cents, s.payout_cents),
          tender = coalesce(c.new_tender, s.tender),
          refunded_units = s.refunded_units + c.units,
          refunded_price_cents = s.refunded_price_cents + c.price_cents,
          refunded_tax_cents = s.refunded_tax_cents + c.sales_tax_cents,
          refunded_payout_cents = s.refunded_payout_cents + c.payout_cents,
          corrections = s.corrections + c.corrections,
          version = s.version + c.events,
          updated_position = c.position
        from changes c
        where s.sale_id = c.sale_id::uuid
        returning s.*),
      signed as materialized (
        select 1::bigint as sign, ${summedFrom.join(", ")} from changed_now
        union all select -1, ${summedFrom.join(", ")} from before)
    ${addToSums("signed", "s.sign")}`,
    dropEmptySums(changedSales),
    `insert into {table:sale_refunds} (${insertColumns(saleRefundsTable)})
    select e.position, (e.data ->> 'saleId')::uuid, (e.data ->> 'units')::bigint,
      (e.data ->> 'priceCents')::bigint, (e.data ->> 'salesTaxCents')::bigint, e.data ->> 'tender',
      e.happened_at
    from {events} e
    where e.position > $1::bigint and e.position <= $2::bigint and e.type = 'SaleRefunded'
      and {key:e.data ->> 'saleId'}`,
    // The last correction of each refund, which is named by its number among the sale's refunds.
    `update {table:sale_refunds} r
    set tender = c.tender
    from (
      select distinct on (e.data ->> 'saleId', e.data ->> 'refund')
        (e.data ->> 'saleId')::uuid as sale_id, (e.data ->> 'refund')::bigint as number,
        e.data ->> 'after' as tender
      from {events} e
      where e.position > $1::bigint and e.position <= $2::bigint and e.type = 'RefundTenderCorrected'
        and {key:e.data ->> 'saleId'}
      order by e.data ->> 'saleId', e.data ->> 'refund', e.position desc) c
    where r.position = (
      select n.position from {table:sale_refunds} n where n.sale_id = c.sale_id
      order by n.position offset c.number - 1 limit 1)`,
  ],
  onlyFor: [null, changing, changing, ["SaleRefunded"], ["RefundTenderCorrected"]],
  keysTouched: `
    select distinct log.id_of_sale_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_sale_stream(s.stream_id)`,
  forgetKeys: [
    ...sumAgain("s.sale_id::text <> all ($1::text[])"),
    "delete from {table:sales} where sale_id::text = any ($1::text[])",
    "delete from {table:sale_refunds} where sale_id::text = any ($1::text[])",
  ],
  streamsOfKey: "array[log.sale_stream(key)]",
  derived: { tables: ["sales_sums"], deriveKeys: sumAgain("true") },
  money: {
    uidsOfKey: accountsInStream("log.sale_stream(key)"),
    keyOfRow: { sales: "sale_id::text", sale_refunds: "sale_id::text" },
    keysOfUid: null,
  },
};
