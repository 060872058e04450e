// What the store's fulfillment orders take and give: trades that wait to be sent, are reported or were sent.
import * as z from "zod/mini";
import { answeredAddress, person, trade } from "#features/trades/contract-reads.ts";
import { searchText } from "#ledger/fields.ts";

/** GET /trades/fulfillments/pending */
export const fulfillmentOrder = z.extend(trade, {
  buyer: person,
  /** The last 8 characters of the buyer's uid, upper case. */
  buyerShortId: z.string(),
  /** The buyer's available balance now, cents. Fulfill shows a negative one. */
  buyerAvailableCents: z.int(),
  shippingAddress: z.nullable(answeredAddress),
  labelOwedBy: z.enum(["buyer", "store"]),
  /** Where the accepted units are, by location: for picking. */
  picks: z.array(
    z.object({
      offerId: z.string(),
      itemId: z.string(),
      seller: person,
      /** Empty where the item has none. */
      location: z.string(),
      units: z.int(),
    }),
  ),
});
export type FulfillmentOrder = z.infer<typeof fulfillmentOrder>;

export const fulfillmentsResponse = z.object({
  /** Longest waiting first, then those with an open report, then the fulfilled ones, newest first. */
  orders: z.array(fulfillmentOrder),
  /** Those that wait: the badge. */
  waiting: z.int(),
});
export type FulfillmentsResponse = z.infer<typeof fulfillmentsResponse>;

export const orderTab = z.enum(["open", "label", "ready", "reported", "fulfilled"]);
export type OrderTab = z.infer<typeof orderTab>;

/** GET /trades/fulfillments/export */
export const ordersExportQuery = z.strictObject({
  tab: z._default(orderTab, "open"),
  q: z.optional(searchText(100, "At most 100 characters")),
});

/** Whether an order is in this part of the list. */
export function isInTab({ status, report }: FulfillmentOrder, tab: OrderTab): boolean {
  const isOpen = status === "awaiting_shipping" || status === "shipping_uploaded";
  const tabs: Readonly<Record<OrderTab, boolean>> = {
    open: isOpen,
    label: status === "awaiting_shipping",
    ready: status === "shipping_uploaded",
    reported: report !== null,
    fulfilled: !isOpen,
  };
  return tabs[tab];
}

/** Whether an order has this text in its id, its buyer, its item or its tracking number. */
export function isOrderWith(order: FulfillmentOrder, searched: string): boolean {
  const wanted = searched.trim().toLowerCase();
  const { tradeId, itemName, itemBarcode, buyer, buyerShortId, trackingNumber } = order;
  return [
    tradeId,
    itemName,
    itemBarcode,
    buyer.displayName,
    buyerShortId,
    trackingNumber ?? "",
  ].some((part) => part.toLowerCase().includes(wanted));
}

/** GET /trades/fulfillments/count: the badge, without the orders. */
export const fulfillmentCountResponse = z.object({ waiting: z.int() });
export type FulfillmentCountResponse = z.infer<typeof fulfillmentCountResponse>;
