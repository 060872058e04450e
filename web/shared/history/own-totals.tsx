// What a consignor's filtered sales sum to, above their list.
import { saleHistoryTotalsResponse, type SoldNumber } from "#features/sales/contract-totals.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatMoney } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import { useRead } from "#web/lib/read.ts";
import { useWhyPath } from "#web/shared/explain/why.ts";
import { Money } from "#web/ui/money.tsx";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";
import type { SaleFilters } from "./history-api.ts";

type OwnTotalsProps = {
  readonly uid: string;
  readonly filters: SaleFilters;
  /** False if an admin looks at another person's sales. */
  readonly isOwn: boolean;
};

/** Without them, the list below is still whole: it says itself if it cannot be loaded. */
export function OwnTotals({ uid, filters, isOwn }: OwnTotalsProps) {
  const { data, error } = useRead(
    pathOf(`/sales/history/${encodeURIComponent(uid)}/totals`, filters),
    saleHistoryTotalsResponse,
  );
  const pathTo = useWhyPath();
  const why = (number: SoldNumber) => pathTo({ kind: "ownSold", number, uid });
  const totals = data?.totals;
  if (totals === undefined && error !== undefined) {
    return null;
  }
  const refunded = toCents(totals?.refundedAmount ?? 0);
  return (
    <TileStrip label="Totals of these sales">
      <StripTile label="Sales" value={totals && formatCount(totals.sales)} to={why("sales")} />
      <StripTile
        label="Sale price"
        value={totals && <Money cents={toCents(totals.salePrice) - refunded} />}
        detail={refunded === 0 ? undefined : `after ${formatMoney(refunded)} refunds`}
        to={why("price")}
      />
      <StripTile
        label="Shipping"
        value={totals && <Money cents={toCents(totals.shippingCost)} />}
        to={why("shipping")}
      />
      <StripTile
        label={isOwn ? "Your share" : "Consignor share"}
        value={totals && <Money cents={toCents(totals.payoutAmount)} />}
        to={why("payout")}
      />
    </TileStrip>
  );
}
