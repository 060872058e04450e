// What must be true of the inventory's read tables, compared with the log itself: part of `npm run verify`.
import { moveUnits } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { moves } from "#ledger/verify/event-rules.ts";
import { extendsStream } from "#ledger/verify/stream-rules.ts";
import {
  ItemAdded,
  ItemArchived,
  ItemCountAdjusted,
  ItemRestored,
  UnitsAllocated,
  UnitsReceived,
  UnitsRemoved,
} from "#features/inventory/events.ts";
import { itemFollows } from "#features/inventory/follows.ts";
import {
  ADJUSTED,
  itemHolding,
  itemStreamName,
  RECEIVED,
  REMOVED,
} from "#features/inventory/streams.ts";

export const inventoryChecks: readonly BookCheck[] = [
  extendsStream("units", itemHolding, itemStreamName),
  ...itemFollows,
  moves(ItemAdded, ({ itemId }, moved) => moveUnits(RECEIVED, itemHolding.of(itemId), moved)),
  moves(UnitsReceived, ({ itemId, units }) => moveUnits(RECEIVED, itemHolding.of(itemId), units)),
  moves(UnitsRemoved, ({ itemId, units }) => moveUnits(itemHolding.of(itemId), REMOVED, units)),
  moves(ItemArchived, ({ itemId }, moved) => moveUnits(itemHolding.of(itemId), REMOVED, moved)),
  moves(ItemRestored, ({ itemId }, moved) => moveUnits(REMOVED, itemHolding.of(itemId), moved)),
  moves(UnitsAllocated, ({ masterItemId, itemId, units }) =>
    moveUnits(itemHolding.of(masterItemId), itemHolding.of(itemId), units),
  ),
  moves(ItemCountAdjusted, ({ itemId, quantityBefore, quantityAfter }) =>
    moveUnits(ADJUSTED, itemHolding.of(itemId), quantityAfter - quantityBefore),
  ),
  {
    check: "units",
    readsFrom: ["inventory"],
    sql: `
      with reached as (
        select position from read.projections where name = 'inventory' and state = 'live'),
      sums as (
        select holding, sum(units)::bigint as units, max(position) as position
        from (
          select to_holding as holding, units, position from log.movements
          union all select from_holding, -units, position from log.movements) m
        where log.is_item_holding(holding) and position <= (select position from reached)
        group by holding)
      select coalesce(s.position, i.updated_position) as position,
        'read.inventory_items, row ' || coalesce(log.id_of_item_holding(s.holding), i.id::text) || ': ' ||
          coalesce(i.quantity || ' units', 'missing') || ', but its movements sum to ' ||
          coalesce(s.units, 0) as message
      from sums s
      full join read.inventory_items i on log.item_holding(i.id::text) = s.holding
      where coalesce(i.quantity, -1) <> coalesce(s.units, 0)
      order by 1, 2 limit 10`,
  },
];
