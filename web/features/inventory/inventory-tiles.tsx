// The numbers above the inventory that need attention. Each links to the screen where it is handled.
import { type ReactNode, useMemo } from "react";
import { pendingResponse } from "#features/payouts/contract.ts";
import { saleListResponse } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatAge, formatCount, formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import { type Freshness, useRead } from "#web/lib/read.ts";
import { useNow } from "#web/lib/use-now.ts";
import { paths } from "#web/paths.ts";
import { Money } from "#web/ui/money.tsx";
import { ItemIcon, PayoutIcon, SaleIcon } from "#web/ui/thing-icons.ts";
import { Tile } from "#web/ui/tile.tsx";
import { PackageX } from "lucide-react";
import { startOf } from "#web/shared/sale/sales-filters.ts";
import { useItemCount } from "./inventory-api.ts";

const salesDays = 30;

/** A local day, so that the address, and with it the cache key, stays the same until midnight. */
function dayAgo(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return date.toLocaleDateString("sv-SE");
}

function countText({
  count,
  capped,
}: {
  readonly count: number;
  readonly capped: boolean;
}): string {
  return `${formatCount(count)}${capped ? "+" : ""}`;
}

/** Hidden on a phone, where there is no room. */
function Hint({ children }: { readonly children: string }) {
  return <span className="max-sm:hidden">{children}</span>;
}

/** The line below a number: a hint, or a warning that the number may be wrong. */
function hintOf(freshness: Freshness | undefined, hint: ReactNode): ReactNode {
  return (freshness?.heldRows ?? 0) > 0 ? (
    <span className="text-pending">Some entries are missing</span>
  ) : (
    hint
  );
}

export function InventoryTiles() {
  const now = useNow();
  const from = useMemo(() => dayAgo(salesDays), []);
  const all = useItemCount({});
  const zero = useItemCount({ preset: "zero-stock" });
  const pending = useRead(pathOf("/payouts/pending", { limit: 1 }), pendingResponse);
  const sales = useRead(pathOf("/sales", { from: startOf(from), limit: 1 }), saleListResponse);
  const totals = pending.data?.totals;
  const sold = sales.data?.count;
  return (
    <div className="grid grid-cols-4 gap-4 max-lg:grid-cols-2 max-sm:gap-2">
      <Tile
        label="Pending payouts"
        icon={PayoutIcon}
        to={paths.payoutRequests}
        value={totals === undefined ? undefined : <Money cents={toCents(totals.amount)} />}
        hint={hintOf(
          pending.freshness,
          totals === undefined
            ? " "
            : totals.oldest === null
              ? "No requests"
              : `${formatQuantity(totals.count, "request")}, oldest ${formatAge(new Date(totals.oldest), now)}`,
        )}
      />
      <Tile
        label={`Sales, last ${salesDays} days`}
        icon={SaleIcon}
        to={pathOf(paths.adminSales, { from })}
        value={
          sold === undefined ? undefined : countText({ count: sold.value, capped: sold.capped })
        }
        hint={hintOf(sales.freshness, <Hint>Including refunds</Hint>)}
      />
      <Tile
        label="Items"
        icon={ItemIcon}
        to={paths.admin}
        value={all.data === undefined ? undefined : countText(all.data)}
        hint={hintOf(all.freshness, <Hint>The store's and all consignors'</Hint>)}
      />
      <Tile
        label="Zero stock"
        icon={PackageX}
        to={`${paths.admin}?preset=zero-stock`}
        value={zero.data === undefined ? undefined : countText(zero.data)}
        hint={hintOf(zero.freshness, <Hint>Count, restock or delete</Hint>)}
      />
    </div>
  );
}
