// Which sales and refunds are payments of a day of the till: the one rule for all that sums or lists them.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { nameOfTable } from "#http/reads.ts";
import { saleRefundsTable, salesTable } from "#features/sales/projection.ts";

/**
 * SQL of the till's sales and refunds between two instants, and of all others that say how they were paid, with tax:
 * `tender`, `sold`, `refunded`.
 */
export function paidIn(
  begins: RawBuilder<unknown>,
  ends: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select tender, price_cents + sales_tax_cents as sold, 0::bigint as refunded
    from ${nameOfTable(salesTable)}
    where sold_at >= ${begins} and sold_at < ${ends}
      and price_cents is not null and (channel = 'pos' or tender is not null)
    union all
    select r.tender, 0, r.price_cents + r.tax_cents
    from ${nameOfTable(saleRefundsTable)} r
    join ${nameOfTable(salesTable)} s on s.sale_id = r.sale_id
    where r.refunded_at >= ${begins} and r.refunded_at < ${ends}
      and (s.channel = 'pos' or r.tender is not null)`;
}
