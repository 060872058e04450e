// The tabs of the fulfillment orders, and the search over all of them.
import type { FulfillmentOrder } from "#features/trades/contract-reads.ts";

export type OrderView = {
  readonly id: string;
  readonly label: string;
  readonly empty: string;
  readonly holds: (order: FulfillmentOrder) => boolean;
};

const isOpen = ({ status }: FulfillmentOrder): boolean =>
  status === "awaiting_shipping" || status === "shipping_uploaded";

export const views: readonly [OrderView, ...OrderView[]] = [
  {
    id: "open",
    label: "To ship",
    empty: "Nothing is to be shipped",
    holds: isOpen,
  },
  {
    id: "label",
    label: "Waiting for label",
    empty: "No order waits for a label",
    holds: ({ status }) => status === "awaiting_shipping",
  },
  {
    id: "ready",
    label: "Ready",
    empty: "No order has its label yet",
    holds: ({ status }) => status === "shipping_uploaded",
  },
  {
    id: "reported",
    label: "Reported",
    empty: "No buyer reported a problem",
    holds: ({ report }) => report !== null,
  },
  {
    id: "fulfilled",
    label: "Fulfilled",
    empty: "Nothing was fulfilled in the last 30 days",
    holds: (order) => !isOpen(order),
  },
];

/** Whether an order has this text in its id, its buyer, its item or its tracking number. */
export function matching(order: FulfillmentOrder, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  const { tradeId, itemName, itemBarcode, buyer, buyerShortId, trackingNumber } = order;
  return [
    tradeId,
    itemName,
    itemBarcode,
    buyer.displayName,
    buyerShortId,
    trackingNumber ?? "",
  ].some((text) => text.toLowerCase().includes(wanted));
}
