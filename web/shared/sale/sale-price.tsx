// A sale's price in a list, and below it the refunded amount. Without it the row's amounts would not add up.
import type { OwnSaleView } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { Money } from "#web/ui/money.tsx";
import { Unknown } from "#web/ui/unknown.tsx";

type SalePriceProps = {
  readonly sale: OwnSaleView;
  /** Why a sale has no price. */
  readonly unknown: string;
};

export function SalePrice({ sale, unknown }: SalePriceProps) {
  if (sale.salePrice === null) {
    return <Unknown reason={unknown} />;
  }
  const price = <Money cents={toCents(sale.salePrice)} />;
  return sale.refundedAmount === 0 ? (
    price
  ) : (
    // Two lines no higher than a row, so that all rows have the same height.
    <span className="inline-flex flex-col items-end align-middle leading-4 sm:-my-1">
      {price}
      <span className="text-12 font-normal whitespace-nowrap text-muted">
        <Money cents={-toCents(sale.refundedAmount)} /> refunded
      </span>
    </span>
  );
}
