// From the log to the reports: the money of each consignor and of the store by month, and units that left without a sale.
import {
  bigint,
  defineTable,
  insertColumns,
  nullable,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ItemAdded, ItemCountAdjusted, ItemPriced } from "#features/inventory/events.ts";
import { ADJUSTED, REMOVED } from "#features/inventory/streams.ts";
import { afterClosingsSql, closingsSql } from "#features/months/projection-closings.ts";
import type { ShrinkageReason } from "#features/reports/contract-month.ts";
import {
  eventAt,
  keysOfLines,
  linesOfRange,
  reportLinesTable,
} from "#features/reports/projection-lines.ts";
import { notShort, shortLinesOfRange } from "#features/reports/projection-lines-short.ts";
import { MasterSaleRecorded, SaleCorrected } from "#features/sales/events.ts";
import { addToSums, reportSumsTable, sumAgain } from "#features/reports/projection-sums.ts";

/** One row for each time that units left without a sale, or came back. */
export const reportUnitsTable = defineTable({
  name: "report_units",
  columns: {
    position: bigint(),
    /** The item's, or that of the trade that held the units. */
    key: text(),
    /** The item; null for units that a trade held. */
    item_id: nullable(text()),
    /** Whose units; '' is the store. */
    uid: text(),
    type: text(),
    reason: text<ShrinkageReason>(),
    /** Negative if they came back. */
    units: bigint(),
    /**
     * What they were to be sold for, by the item's tag price then, or what the buyer of the trade paid; null if they had
     * no price. Negative if they came back.
     */
    value_cents: nullable(bigint()),
    booked_at: timestamptz(),
  },
  keys: ["primary key (position, key)"],
  indexes: ["(booked_at, position)", "(uid, booked_at, position)"],
});

/** One row for each tag price that an item got; null took it off. */
const reportPricesTable = defineTable({
  name: "report_prices",
  columns: {
    item_id: text(),
    position: bigint(),
    tag_price_cents: nullable(bigint()),
  },
  keys: ["primary key (item_id, position)"],
  indexes: [],
});

/** One row for each sale that was recorded without a price. */
export const reportUnpricedTable = defineTable({
  name: "report_unpriced",
  columns: {
    sale_id: text(),
    position: bigint(),
    booked_at: timestamptz(),
    /** The correction that gave it a price; null while it has none. */
    priced_position: nullable(bigint()),
  },
  keys: ["primary key (sale_id)"],
  indexes: ["(booked_at, position)"],
});

/** The range's movements of units that leave without a sale or come back, by the holding that they are missing in. */
const left = `
  select m.position, m.holding, read.total(m.units) as units
  from (
    select position, from_holding as holding, units from {movements}
    where position > $1::bigint and position <= $2::bigint and to_holding in ('${ADJUSTED}', '${REMOVED}')
    union all
    select position, to_holding, -units from {movements}
    where position > $1::bigint and position <= $2::bigint and from_holding in ('${ADJUSTED}', '${REMOVED}')
  ) m
  group by m.position, m.holding`;

const keyOfHolding = `
  case when log.is_item_holding(m.holding) then 'units:' || log.id_of_item_holding(m.holding)
    else 'traded:' || log.id_of_trade_units_holding(m.holding) end`;

/** Needed even where the position is enough: without it, older versions in the log make the planner read the whole log. */
const inRange = "e.position > $1::bigint and e.position <= $2::bigint";
const keyOfUnpriced = "'unpriced:' || (e.data ->> 'saleId')";

/**
 * Row keys: `money:` and the consignor's uid, or nothing for the store; `units:` with an item's id, `traded:` with that of
 * a trade, `unpriced:` with that of a sale. The sums follow from the lines. A consignor's line may come from a trade of which nothing is in the
 * consignor's own stream, so a key is folded again from the whole log.
 */
export const reportsProjection: Projection = {
  name: "reports",
  version: 5,
  tables: [
    reportLinesTable,
    reportUnitsTable,
    reportPricesTable,
    reportUnpricedTable,
    reportSumsTable,
  ],
  step: [
    `${linesOfRange} ${addToSums("added")}`,
    `insert into {table:report_prices} (${insertColumns(reportPricesTable)})
    select e.data ->> 'itemId', e.position, coalesce(e.data ->> 'afterCents', e.data ->> 'tagPriceCents')::bigint
    from {events} e
    where ${inRange} and (e.type = '${ItemPriced.type}' or e.type = '${ItemAdded.type}' and e.data ? 'tagPriceCents')
      and {key:'units:' || (e.data ->> 'itemId')}`,
    `with closings as materialized (${closingsSql})
    insert into {table:report_units} (${insertColumns(reportUnitsTable)})
    select m.position, ${keyOfHolding},
      case when log.is_item_holding(m.holding) then log.id_of_item_holding(m.holding) end,
      coalesce(e.data ->> 'ownerUid', e.data ->> 'sellerUid', ''), e.type,
      case e.type when '${ItemCountAdjusted.type}' then 'counted'
        else coalesce(e.data ->> 'reason', e.data ->> 'as', 'none') end,
      m.units,
      case when log.is_item_holding(m.holding) then m.units * (
          select p.tag_price_cents from {table:report_prices} p
          where p.item_id = log.id_of_item_holding(m.holding) and p.position <= m.position
          order by p.position desc limit 1)
        else (e.data ->> 'returnedCents')::bigint end,
      ${afterClosingsSql("e.happened_at", "e.position")}
    from (${left}) m
    cross join lateral (${eventAt("m.position")}) e
    where {key:${keyOfHolding}}`,
    `with closings as materialized (${closingsSql})
    insert into {table:report_unpriced} (${insertColumns(reportUnpricedTable)})
    select e.data ->> 'saleId', e.position, ${afterClosingsSql("e.happened_at", "e.position")}, null
    from {events} e
    where ${inRange} and e.type = '${MasterSaleRecorded.type}' and e.data ->> 'priceCents' is null
      and {key:${keyOfUnpriced}}`,
    `update {table:report_unpriced} t set priced_position = e.position
    from (
      select e.data ->> 'saleId' as sale_id, min(e.position) as position
      from {events} e
      where ${inRange} and e.type = '${SaleCorrected.type}' and e.data #>> '{after,priceCents}' is not null
        and {key:${keyOfUnpriced}}
      group by 1) e
    where t.sale_id = e.sale_id and t.priced_position is null`,
  ],
  shortcuts: [{ without: notShort, statement: `${shortLinesOfRange} ${addToSums("added")}` }],
  onlyFor: [
    null,
    [ItemPriced.type, ItemAdded.type],
    null,
    [MasterSaleRecorded.type],
    [SaleCorrected.type],
  ],
  // Written like this, PostgreSQL stops at the first key if it only has to know whether there is one.
  keysTouched: `
    select distinct touched.key from (
      select lines.key from (${keysOfLines}) lines
      union all
      select ${keyOfHolding} from (${left}) m
      union all
      select case when log.is_item_stream(s.stream_id) then 'units:' || log.id_of_item_stream(s.stream_id)
        else 'unpriced:' || log.id_of_sale_stream(s.stream_id) end
      from {streams} s
      where s.position > $1::bigint and s.position <= $2::bigint
        and (log.is_item_stream(s.stream_id) or log.is_sale_stream(s.stream_id))) touched`,
  forgetKeys: [
    ...sumAgain("'money:' || l.uid <> all ($1::text[])"),
    "delete from {table:report_lines} where 'money:' || uid = any ($1::text[])",
    "delete from {table:report_units} where key = any ($1::text[])",
    "delete from {table:report_prices} where 'units:' || item_id = any ($1::text[])",
    "delete from {table:report_unpriced} where 'unpriced:' || sale_id = any ($1::text[])",
  ],
  streamsOfKey: "'{}'::text[]",
  derived: { tables: ["report_sums"], deriveKeys: sumAgain("true") },
};
