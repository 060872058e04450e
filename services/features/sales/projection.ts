// From the log to the lists of sales: one row a sale, as it stands after its corrections and refunds.
import type { Projection } from "#ledger/projection/define.ts";

/** What corrections and refunds of the range did to each sale: the last correction's terms, sums of refunds. */
const changed = `
  select e.data ->> 'saleId' as sale_id,
    count(*) as events,
    max(e.position) as position,
    max(e.position) filter (where e.type = 'SaleCorrected') as corrected_position,
    count(*) filter (where e.type = 'SaleCorrected') as corrections,
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
    and e.type in ('SaleCorrected', 'SaleRefunded') and {key:e.data ->> 'saleId'}
  group by 1`;

/** The same with the last correction's terms, as columns. */
const changes = `
  select c.*, t.terms ->> 'itemName' as item_name,
    (t.terms ->> 'units')::bigint as new_units,
    (t.terms ->> 'priceCents')::bigint as new_price_cents,
    (t.terms ->> 'shippingCents')::bigint as new_shipping_cents,
    (t.terms ->> 'salesTaxCents')::bigint as new_sales_tax_cents,
    (t.terms ->> 'consignorPercentage')::bigint as new_consignor_percentage,
    (t.terms ->> 'payoutCents')::bigint as new_payout_cents
  from changed c
  left join lateral (
    select e.data -> 'after' as terms from {events} e where e.position = c.corrected_position
  ) t on true`;

/** The range's new sales in their first shape. A custom sale is one unit, all of it paid out. */
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
    (e.data ->> 'consignorPercentage')::bigint as consignor_percentage,
    coalesce((e.data ->> 'payoutCents')::bigint, (e.data ->> 'amountCents')::bigint, 0)
      as payout_cents,
    e.data ->> 'channel' as channel,
    e.happened_at as sold_at,
    e.position
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in ('SaleRecorded', 'MasterSaleRecorded', 'CustomSaleRecorded')
    and {key:e.data ->> 'saleId'}`;

/** Row key: the sale's id. */
export const salesProjection: Projection = {
  name: "sales",
  version: 2,
  tables: [
    {
      name: "sales",
      // Null: consignor_id of the store's own sale; item_id, barcode1 and channel of a custom sale;
      // price_cents of a sale that moved stock only; consignor_percentage where none decided the payout.
      columns: `
        sale_id uuid not null,
        kind text not null,
        consignor_id text,
        item_id text,
        item_name text not null,
        barcode1 text,
        units bigint not null,
        price_cents bigint,
        shipping_cents bigint not null,
        sales_tax_cents bigint not null,
        consignor_percentage bigint,
        payout_cents bigint not null,
        channel text,
        refunded_units bigint not null,
        refunded_price_cents bigint not null,
        refunded_tax_cents bigint not null,
        refunded_payout_cents bigint not null,
        corrections bigint not null,
        version bigint not null,
        sold_at timestamptz not null,
        position bigint not null,
        updated_position bigint not null,
        status text not null generated always as (
          case when refunded_units = 0 and refunded_price_cents = 0 then 'sold'
            when refunded_units = units and refunded_price_cents = coalesce(price_cents, 0)
              then 'refunded'
            else 'partly_refunded' end) stored,
        search_text text not null generated always as (lower(item_name)) stored`,
      keys: ["primary key (sale_id)"],
      indexes: [
        "(sold_at desc, position desc)",
        "(consignor_id, sold_at desc, position desc)",
        "using gin (search_text gin_trgm_ops)",
        "(barcode1)",
        // The few sales that are out of the ordinary, for the filters that ask for them.
        "(sold_at desc, position desc) where status <> 'sold'",
        "(sold_at desc, position desc) where kind <> 'consignor'",
      ],
    },
  ],
  step: [
    // Both changes see the rows as they were before: the update finds sales of earlier ranges only. A
    // sale's version is the number of its events: the one that recorded it, and every change.
    `with changed as materialized (${changed}),
      changes as materialized (${changes}),
      recorded as (${recorded}),
      added as (
        insert into {table:sales} (sale_id, kind, consignor_id, item_id, item_name, barcode1, units,
          price_cents, shipping_cents, sales_tax_cents, consignor_percentage, payout_cents, channel,
          refunded_units, refunded_price_cents, refunded_tax_cents, refunded_payout_cents,
          corrections, version, sold_at, position, updated_position)
        select r.sale_id::uuid, r.kind, r.consignor_id, r.item_id, coalesce(c.item_name, r.item_name),
          r.barcode1, coalesce(c.new_units, r.units), coalesce(c.new_price_cents, r.price_cents),
          coalesce(c.new_shipping_cents, r.shipping_cents),
          coalesce(c.new_sales_tax_cents, r.sales_tax_cents),
          coalesce(c.new_consignor_percentage, r.consignor_percentage),
          coalesce(c.new_payout_cents, r.payout_cents), r.channel,
          coalesce(c.units, 0), coalesce(c.price_cents, 0), coalesce(c.sales_tax_cents, 0),
          coalesce(c.payout_cents, 0), coalesce(c.corrections, 0), 1 + coalesce(c.events, 0),
          r.sold_at, r.position, coalesce(c.position, r.position)
        from recorded r
        left join changes c on c.sale_id = r.sale_id)
    update {table:sales} s
    set item_name = coalesce(c.item_name, s.item_name),
      units = coalesce(c.new_units, s.units),
      price_cents = coalesce(c.new_price_cents, s.price_cents),
      shipping_cents = coalesce(c.new_shipping_cents, s.shipping_cents),
      sales_tax_cents = coalesce(c.new_sales_tax_cents, s.sales_tax_cents),
      consignor_percentage = coalesce(c.new_consignor_percentage, s.consignor_percentage),
      payout_cents = coalesce(c.new_payout_cents, s.payout_cents),
      refunded_units = s.refunded_units + c.units,
      refunded_price_cents = s.refunded_price_cents + c.price_cents,
      refunded_tax_cents = s.refunded_tax_cents + c.sales_tax_cents,
      refunded_payout_cents = s.refunded_payout_cents + c.payout_cents,
      corrections = s.corrections + c.corrections,
      version = s.version + c.events,
      updated_position = c.position
    from changes c
    where s.sale_id = c.sale_id::uuid`,
  ],
  keysTouched: `
    select distinct substr(s.stream_id, 6) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and s.stream_id like 'sale-%'`,
  forgetKeys: ["delete from {table:sales} where sale_id::text = any ($1::text[])"],
  streamsOfKey: "array['sale-' || key]",
};
