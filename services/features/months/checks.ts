// What must be true of closed months and remitted tax, compared with the log and the lines booked in a month: part of `npm run verify`.
import { move } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { posts } from "#ledger/verify/event-rules.ts";
import { SalesTaxRemittanceReversed, SalesTaxRemitted } from "#features/months/events.ts";
import { monthFollows } from "#features/months/follows.ts";
import { TAX_AUTHORITY } from "#features/months/streams.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import { STORE_SALES_TAX } from "#features/sales/streams.ts";

/** What a closing stored, by its place in the totals, and the sum of lines `l` that it must be. */
const compared = [
  ["sales of own goods", "{own,soldCents}", "l.price_cents", "l.uid = '' and {new}"],
  ["sales of consigned goods", "{consigned,soldCents}", "l.price_cents", "l.uid <> '' and {new}"],
  ["refunds of own goods", "{own,refundedCents}", "-l.price_cents", "l.uid = '' and {refund}"],
  ["refunds", "{consigned,refundedCents}", "-l.price_cents", "l.uid <> '' and {refund}"],
  ["the store's share", "{consigned,storeCents}", "l.share_cents", "l.uid <> ''"],
  ["collected tax", "{tax,collectedCents}", "l.tax_cents", "{new}"],
  ["refunded tax", "{tax,refundedCents}", "-l.tax_cents", "{refund}"],
  ["taxed sales", "{tax,taxedCents}", "l.taxed_cents", "true"],
  ["exempt sales", "{tax,exemptCents}", "l.exempt_cents", "true"],
  ["payouts", "{paidCents}", "greatest(l.paid_cents, 0)", "true"],
] as const;

const conditionOf = (condition: string) =>
  condition
    .replace("{new}", "l.type in ('SaleRecorded', 'MasterSaleRecorded', 'CustomSaleRecorded')")
    .replace("{refund}", "l.type = 'SaleRefunded'");

const sums = compared
  .map(
    ([, , amount, condition], index) =>
      `coalesce(read.total(${amount}) filter (where ${conditionOf(condition)}), 0) as sum_${index}`,
  )
  .join(", ");

const rows = compared
  .map(
    ([what, path], index) =>
      `('${what.replace("'", "''")}', (e.data #>> '{totals,${path.slice(1)}')::bigint, f.sum_${index})`,
  )
  .join(", ");

export const monthChecks: readonly BookCheck[] = [
  ...monthFollows,
  posts(SalesTaxRemitted, ({ amountCents }) => move(STORE_SALES_TAX, TAX_AUTHORITY, amountCents)),
  posts(SalesTaxRemittanceReversed, ({ amountCents }) =>
    move(TAX_AUTHORITY, STORE_SALES_TAX, amountCents),
  ),
  {
    check: "months",
    readsFrom: ["reports"],
    sql: `
      select e.position, (e.data ->> 'month') || ' was closed with ' || s.said || ' cents of ' || s.what
        || ', where its lines make ' || s.found as message
      from {events} e
      cross join lateral (
        select ${sums} from read.${reportLinesTable.name} l
        where l.booked_at >= (e.data ->> 'from')::timestamptz and l.booked_at < (e.data ->> 'to')::timestamptz) f
      cross join lateral (values ${rows}) s (what, said, found)
      where e.type = 'MonthClosed' and s.said <> s.found
      order by 1, 2 limit 100`,
  },
];
