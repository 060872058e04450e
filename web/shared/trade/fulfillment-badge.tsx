// The number of orders to ship, in red next to their navigation entry.
import { formatCount } from "#web/lib/formats.ts";
import { useWaitingOrders } from "./trade-api.ts";

export function FulfillmentBadge() {
  const waiting = useWaitingOrders().data?.waiting ?? 0;
  return waiting === 0 ? null : (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-pill bg-danger px-1.5 text-12 font-medium text-on-accent tabular-nums">
      {waiting > 99 ? "99+" : formatCount(waiting)}
      <span className="sr-only">{waiting === 1 ? " order to ship" : " orders to ship"}</span>
    </span>
  );
}
