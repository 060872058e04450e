// The totals of the filtered sales as one strip. Each opens the days or months that it is the sum of.
import { toCents } from "#ledger/money.ts";
import { formatCount, formatMoney } from "#web/lib/formats.ts";
import type { Query } from "#web/lib/http.ts";
import { useWhyPath } from "#web/shared/explain/why.ts";
import { useSaleTotals } from "#web/shared/sale/sale-api.ts";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";

/** `query` is the query of `GET /sales`, without sort and paging. */
export function SalesTotals({ query }: { readonly query: Query }) {
  const read = useSaleTotals(query);
  const pathTo = useWhyPath();
  const totals = read.data?.totals;
  if (totals === undefined && read.error !== undefined) {
    return <ErrorLine>{`The totals could not be loaded. ${read.error.message}`}</ErrorLine>;
  }
  const refunded = toCents(totals?.refundedAmount ?? 0);
  return (
    <TileStrip label="Totals of these sales">
      <StripTile
        label="Sales"
        value={totals && formatCount(totals.sales)}
        detail={
          totals === undefined || totals.unpricedSales === 0
            ? undefined
            : `${formatCount(totals.unpricedSales)} without a price yet`
        }
        to={pathTo({ kind: "sold", id: "sales" })}
      />
      <StripTile
        label="Units"
        value={totals && formatCount(totals.units)}
        detail={
          totals === undefined || totals.refundedUnits === 0
            ? undefined
            : `${formatCount(totals.refundedUnits)} refunded`
        }
        to={pathTo({ kind: "sold", id: "units" })}
      />
      <StripTile
        label="Sale price"
        value={totals && <Money cents={toCents(totals.salePrice) - refunded} />}
        detail={refunded === 0 ? undefined : `after ${formatMoney(refunded)} refunds`}
        to={pathTo({ kind: "sold", id: "price" })}
      />
      <StripTile
        label="Sales tax"
        value={totals && <Money cents={toCents(totals.salesTax)} />}
        to={pathTo({ kind: "sold", id: "tax" })}
      />
      <StripTile
        label="Shipping"
        value={totals && <Money cents={toCents(totals.shippingCost)} />}
        to={pathTo({ kind: "sold", id: "shipping" })}
      />
      <StripTile
        label="Consignors get"
        value={totals && <Money cents={toCents(totals.payoutAmount)} />}
        to={pathTo({ kind: "sold", id: "payout" })}
      />
      <StripTile
        label="Store keeps"
        value={totals && <Money cents={toCents(totals.storeAmount)} />}
        to={pathTo({ kind: "sold", id: "store" })}
      />
    </TileStrip>
  );
}
