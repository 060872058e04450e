// The tabs of the fulfillment orders.
import type { OrderTab } from "#features/trades/contract-orders.ts";

export type OrderView = {
  readonly id: OrderTab;
  readonly label: string;
  readonly empty: string;
  /** When an order comes into this list. */
  readonly hint: string;
};

export const views: readonly [OrderView, ...OrderView[]] = [
  {
    id: "open",
    label: "To ship",
    empty: "Nothing to ship",
    hint: "An order appears here as soon as an offer is accepted.",
  },
  {
    id: "label",
    label: "Waiting for label",
    empty: "No order is waiting for a label",
    hint: "Orders whose label is not uploaded yet appear here.",
  },
  {
    id: "ready",
    label: "Ready",
    empty: "No order is ready to ship",
    hint: "An order appears here as soon as it has its label.",
  },
  {
    id: "reported",
    label: "Reported",
    empty: "No open reports",
    hint: "Problems that buyers report appear here.",
  },
  {
    id: "fulfilled",
    label: "Fulfilled",
    empty: "No fulfilled orders",
    hint: "A fulfilled order stays here until its trade is completed, a week later.",
  },
];
