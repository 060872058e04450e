// The units to fetch for the open orders, by location. It is shown only in print, instead of the screen.
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { formatCount, formatDayTime } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";

/** One line per item to fetch, sorted by location. */
function linesOf(orders: readonly FulfillmentOrder[]) {
  return orders
    .filter(({ status }) => status === "awaiting_shipping" || status === "shipping_uploaded")
    .flatMap((order) => order.picks.map((pick) => ({ order, pick })))
    .toSorted((one, other) =>
      one.pick.location.localeCompare(other.pick.location, "en-US", { numeric: true }),
    );
}

export function PickingList({ orders }: { readonly orders: readonly FulfillmentOrder[] }) {
  const now = useNow();
  return (
    <section aria-label="Picking list" className="hidden print:block">
      <p className="mb-2">{formatDayTime(now)}</p>
      <table className="w-full border-collapse text-12 [&_td]:border-b [&_td]:border-border [&_td]:py-1.5 [&_th]:border-b [&_th]:py-1.5 [&_th]:text-start [&_tr]:break-inside-avoid">
        <thead>
          <tr>
            <th scope="col">Location</th>
            <th scope="col">Item</th>
            <th scope="col">Barcode</th>
            <th scope="col">Units</th>
            <th scope="col">Consignor</th>
            <th scope="col">Order</th>
            <th scope="col">Buyer</th>
          </tr>
        </thead>
        <tbody>
          {linesOf(orders).map(({ order, pick }) => (
            <tr key={`${pick.offerId}:${pick.itemId}`}>
              <td className="font-semibold">{pick.location === "" ? "—" : pick.location}</td>
              <td>{order.itemName}</td>
              <td className="font-mono">{order.itemBarcode}</td>
              <td className="tabular-nums">{formatCount(pick.units)}</td>
              <td>{pick.seller.displayName}</td>
              <td className="font-mono">{shortTradeId(order.tradeId)}</td>
              <td>{order.buyer.displayName}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
