// The tabs of the fulfillment orders.
import type { OrderTab } from "#features/trades/contract-reads.ts";

export type OrderView = {
  readonly id: OrderTab;
  readonly label: string;
  readonly empty: string;
};

export const views: readonly [OrderView, ...OrderView[]] = [
  { id: "open", label: "To ship", empty: "Nothing is to be shipped" },
  { id: "label", label: "Waiting for label", empty: "No order waits for a label" },
  { id: "ready", label: "Ready", empty: "No order has its label yet" },
  { id: "reported", label: "Reported", empty: "No buyer reported a problem" },
  { id: "fulfilled", label: "Fulfilled", empty: "Nothing was fulfilled in the last 30 days" },
];
