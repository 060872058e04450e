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
import { ItemCountAdjusted } from "#features/inventory/events.ts";
import { ADJUSTED, REMOVED } from "#features/inventory/streams.ts";
import { afterClosingsSql, closingsSql } from "#features/months/projection-closings.ts";
import type { ShrinkageReason } from "#features/reports/contract-month.ts";
import {
  eventAt,
  keysOfLines,
  linesOfRange,
  reportLinesTable,
} from "#features/reports/projection-lines.ts";
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
    booked_at: timestamptz(),
  },
  keys: ["primary key (position, key)"],
  indexes: ["(booked_at, position)", "(uid, booked_at, position)"],
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

/**
 * Row keys: `money:` and the consignor's uid, or nothing for the store; `units:` with an item's id, `traded:` with that of
 * a trade. The sums follow from the lines. A consignor's line may come from a trade of which nothing is in the
 * consignor's own stream, so a key is folded again from the whole log.
 */
export const reportsProjection: Projection = {
  name: "reports",
  version: 4,
  tables: [reportLinesTable, reportUnitsTable, reportSumsTable],
  step: [
    `${linesOfRange} ${addToSums("added")}`,
    `with closings as materialized (${closingsSql})
    insert into {table:report_units} (${insertColumns(reportUnitsTable)})
    select m.position, ${keyOfHolding},
      case when log.is_item_holding(m.holding) then log.id_of_item_holding(m.holding) end,
      coalesce(e.data ->> 'ownerUid', e.data ->> 'sellerUid', ''), e.type,
      case e.type when '${ItemCountAdjusted.type}' then 'counted'
        else coalesce(e.data ->> 'reason', e.data ->> 'as', 'none') end,
      m.units, ${afterClosingsSql("e.happened_at", "e.position")}
    from (${left}) m
    cross join lateral (${eventAt("m.position")}) e
    where {key:${keyOfHolding}}`,
  ],
  // In this form PostgreSQL stops at the first key where it only has to know whether there is one.
  keysTouched: `
    select distinct touched.key from (
      select lines.key from (${keysOfLines}) lines
      union all
      select ${keyOfHolding} from (${left}) m) touched`,
  forgetKeys: [
    ...sumAgain("'money:' || l.uid <> all ($1::text[])"),
    "delete from {table:report_lines} where 'money:' || uid = any ($1::text[])",
    "delete from {table:report_units} where key = any ($1::text[])",
  ],
  streamsOfKey: "'{}'::text[]",
  derived: { tables: ["report_sums"], deriveKeys: sumAgain("true") },
};
