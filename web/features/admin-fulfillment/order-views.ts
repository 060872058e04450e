// The tabs of the fulfillment orders.
import type { OrderTab } from "#features/trades/contract-reads.ts";

export type OrderView = {
  readonly id: OrderTab;
  readonly label: string;
  readonly empty: string;
};

export const views: readonly [OrderView, ...OrderView[]] = [
  { id: "open", label: "To ship", empty: "Nothing to ship" },
  { id: "label", label: "Waiting for label", empty: "No order is waiting for a label" },
  { id: "ready", label: "Ready", empty: "No order is ready to ship" },
  { id: "reported", label: "Reported", empty: "No open reports" },
  { id: "fulfilled", label: "Fulfilled", empty: "Nothing was fulfilled in the last 30 days" },
];
