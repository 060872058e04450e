// The numbers above the inventory: what needs attention, each with the screen where it is handled, and the visits.
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
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";
import { PackageX } from "lucide-react";
import { useWaitingOrders } from "#web/shared/trade/trade-api.ts";
import { useItemCount } from "./inventory-api.ts";
import { VisitorsCard } from "./visitors-card.tsx";

function countText({
  count,
  capped,
}: {
  readonly count: number;
  readonly capped: boolean;
}): string {
  return `${formatCount(count)}${capped ? "+" : ""}`;
}

/** Warns that the number may be wrong. */
function warningOf(freshness: Freshness | undefined): string | undefined {
  return (freshness?.heldRows ?? 0) > 0 ? "Some entries are missing" : undefined;
}

/** What waits, and who visits. On a phone both are one row, which scrolls sideways. */
export function InventoryNumbers() {
  return (
    <div
      data-tight
      className="relative flex gap-3 max-lg:scroll-edges max-lg:overflow-x-auto max-lg:overscroll-x-contain"
    >
      <div className="min-w-0 grow max-lg:shrink-0">
        <WaitingTiles />
      </div>
      <VisitorsCard />
    </div>
  );
}

function WaitingTiles() {
  const now = useNow();
  const orders = useWaitingOrders();
  const zero = useItemCount({ preset: "zero-stock" });
  const pending = useRead(pathOf("/payouts/pending", { limit: 1 }), pendingResponse);
  const shipments = useRead(pathOf("/shipments/admin/all", { limit: 1 }), adminShipmentsResponse);
  const totals = pending.data?.totals;
  const boxes = shipments.data?.totals;
  return (
    <TileStrip label="Waiting">
      <StripTile
        label="Orders to ship"
        icon={OrderIcon}
        to={paths.fulfillment}
        value={orders.data === undefined ? undefined : formatCount(orders.data.waiting)}
        hint="Trades that the store fulfills"
        warning={warningOf(orders.freshness)}
      />
      <StripTile
        label="Pending payouts"
        icon={PayoutIcon}
        to={paths.payoutRequests}
        value={totals === undefined ? undefined : <Money cents={toCents(totals.amount)} />}
        hint={
          totals === undefined
            ? undefined
            : totals.oldest === null
              ? "No requests"
              : `${formatQuantity(totals.count, "request")}, oldest ${formatAge(new Date(totals.oldest), now)}`
        }
        warning={warningOf(pending.freshness)}
      />
      <StripTile
        label="Shipments to process"
        icon={ShipmentIcon}
        to={`${paths.adminShipments}?tab=to_process`}
        value={boxes === undefined ? undefined : formatCount(boxes.toProcess)}
        hint={boxes === undefined ? undefined : `${formatCount(boxes.inTransit)} in transit`}
        warning={warningOf(shipments.freshness)}
      />
      <StripTile
        label="Zero stock"
        icon={PackageX}
        to={`${paths.admin}?preset=zero-stock`}
        value={zero.data === undefined ? undefined : countText(zero.data)}
        hint="Count, restock or delete"
        warning={warningOf(zero.freshness)}
      />
    </TileStrip>
  );
}
