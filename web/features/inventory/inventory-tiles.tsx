// The numbers above the inventory that need attention. Each links to the screen where it is handled.
import type { ReactNode } from "react";
import { pendingResponse } from "#features/payouts/contract.ts";
import { adminShipmentsResponse } from "#features/shipments/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatAge, formatCount, formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import { type Freshness, useRead } from "#web/lib/read.ts";
import { useNow } from "#web/lib/use-now.ts";
import { paths } from "#web/paths.ts";
import { Money } from "#web/ui/money.tsx";
import { OrderIcon, PayoutIcon, ShipmentIcon } from "#web/ui/thing-icons.ts";
import { Tile } from "#web/ui/tile.tsx";
import { PackageX } from "lucide-react";
import { useWaitingOrders } from "#web/shared/trade/trade-api.ts";
import { useItemCount } from "./inventory-api.ts";

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
  const orders = useWaitingOrders();
  const zero = useItemCount({ preset: "zero-stock" });
  const pending = useRead(pathOf("/payouts/pending", { limit: 1 }), pendingResponse);
  const shipments = useRead(pathOf("/shipments/admin/all", { limit: 1 }), adminShipmentsResponse);
  const totals = pending.data?.totals;
  const boxes = shipments.data?.totals;
  return (
    <div className="grid grid-cols-4 gap-4 max-lg:grid-cols-2 max-sm:gap-2">
      <Tile
        label="Orders to ship"
        icon={OrderIcon}
        to={paths.fulfillment}
        value={orders.data === undefined ? undefined : formatCount(orders.data.waiting)}
        hint={hintOf(orders.freshness, <Hint>Trades that the store fulfills</Hint>)}
      />
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
        label="Shipments to process"
        icon={ShipmentIcon}
        to={`${paths.adminShipments}?tab=to_process`}
        value={boxes === undefined ? undefined : formatCount(boxes.toProcess)}
        hint={hintOf(
          shipments.freshness,
          boxes === undefined ? " " : <Hint>{`${formatCount(boxes.inTransit)} in transit`}</Hint>,
        )}
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
