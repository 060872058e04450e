// When the worker must next look at a trade, as SQL over its row and its offers: the same deadlines as in deadlines.ts.
import { COMPLETION_DAYS, LABEL_DAYS } from "#features/trades/contract.ts";
import {
  ANSWER_HOURS_LEFT,
  DAILY_FROM_DAY,
  LABEL_DAYS_REMINDED,
  ORDER_DAYS,
} from "#features/trades/deadlines.ts";

/** In hours: a day of an interval depends on the session's time zone. */
function days(count: number | string): string {
  return `make_interval(hours => (24 * (${count}))::int)`;
}

/** The next reminder of the buyer's label, or the cancellation after the last one. */
const buyerOwesLabel = `
  t.status_since + case
    ${LABEL_DAYS_REMINDED.map((day) => `when t.reminded_day < ${day} then ${days(day)}`).join(" ")}
    else ${days(LABEL_DAYS)} end`;

/** The first reminder of the store, then the daily ones. */
const storeOwesLabel = `
  t.status_since + case when t.reminded_day < ${ORDER_DAYS} then ${days(ORDER_DAYS)}
    else ${days(`greatest(${DAILY_FROM_DAY}, t.reminded_day + 1)`)} end`;

/** When a fulfilled trade `t` without an open report completes by itself. */
export const completionSql = `greatest(t.fulfilled_at + ${days(COMPLETION_DAYS)}, t.settled_at)`;

/** When a trade `t` is cancelled whose buyer owes the label. */
export const cancellationSql = `t.status_since + ${days(LABEL_DAYS)}`;

/** Of a trade `t`; null if nothing will happen by itself. `offers` is the table of offers. */
export function dueTimeSql(offers: string): string {
  return `
    least(
      (select min(case when o.turn = 'seller' and not o.is_reminded
          then o.expires_at - make_interval(hours => ${ANSWER_HOURS_LEFT}) else o.expires_at end)
        from ${offers} o where o.trade_id = t.trade_id and o.turn is not null),
      case
        when t.status = 'awaiting_shipping' and t.provides_own_shipping then ${buyerOwesLabel}
        when t.status = 'awaiting_shipping' then ${storeOwesLabel}
        when t.status = 'shipping_uploaded' and t.reminded_day < ${ORDER_DAYS}
          then t.status_since + ${days(ORDER_DAYS)}
        when t.status = 'fulfilled' and t.reported_at is null
          then ${completionSql} end)`;
}
