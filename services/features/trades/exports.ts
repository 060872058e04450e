// Trades, offers and orders as lines of CSV files: exactly what the filtered list shows.
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import type { Cell } from "#http/csv.ts";
import { money, pagesOf } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import type { TradeStatus } from "#features/trades/contract.ts";
import type { OrderTab } from "#features/trades/contract-orders.ts";
import type { OfferTab, SellerOffer } from "#features/trades/contract-reads.ts";
import { isOrderWith } from "#features/trades/contract-orders.ts";
import { readAllOrders } from "#features/trades/orders.ts";
import type { TradeFilters, TradePeople } from "#features/trades/queries.ts";
import { readMyOffers, readMyTrades } from "#features/trades/queries.ts";
import { toDollars } from "#ledger/money.ts";

type Lines = AsyncGenerator<readonly (readonly Cell[])[]>;

const BATCH = 1_000;

const dollars = (cents: number | null): Cell => money(cents === null ? null : toDollars(cents));

export const TRADE_CSV_HEAD = [
  "Requested at",
  "Trade",
  "Item",
  "Barcode",
  "Quantity",
  "Price each",
  "Accepted",
  "Shipping fee",
  "Total",
  "Held",
  "Refunded",
  "Status",
  "Carrier",
  "Tracking number",
  "Trade id",
] as const;

/** A buyer's trades, newest first. */
export async function* exportTrades(
  reads: Reads,
  people: TradePeople,
  uid: string,
  filters: TradeFilters & { readonly status?: TradeStatus | undefined },
): Lines {
  const pages = pagesOf((cursor) =>
    readMyTrades(reads, people, uid, { ...filters, cursor, limit: BATCH }),
  );
  for await (const { trades } of pages) {
    yield trades.map((trade) => [
      trade.createdAt,
      shortTradeId(trade.tradeId),
      trade.itemName,
      trade.itemBarcode,
      trade.quantity,
      dollars(trade.pricePerItem),
      trade.acceptedQuantity,
      dollars(trade.shippingFee),
      dollars(trade.totalCost),
      dollars(trade.heldCents),
      dollars(trade.refundedCents),
      trade.status,
      trade.carrier,
      trade.trackingNumber,
      trade.tradeId,
    ]);
  }
}

export const OFFER_CSV_HEAD = [
  "Requested at",
  "Trade",
  "Item",
  "Barcode",
  "Units",
  "Price each",
  "Total",
  "Commission",
  "You receive",
  "Accepted",
  "Status",
  "Trade status",
  "Ends at",
  "Trade id",
] as const;

/** False for an offer that ended without units: its sums would add up to money that nobody gets. */
function isMoneyComing({ turn, acceptedQuantity }: SellerOffer): boolean {
  return turn !== null || acceptedQuantity > 0;
}

/** A seller's offers in one tab of the list. */
export async function* exportOffers(
  reads: Reads,
  uid: string,
  filters: TradeFilters & { readonly tab: OfferTab },
): Lines {
  const pages = pagesOf((cursor) => readMyOffers(reads, uid, { ...filters, cursor, limit: BATCH }));
  for await (const { offers } of pages) {
    yield offers.map((offer) => [
      offer.createdAt,
      shortTradeId(offer.tradeId),
      offer.itemName,
      offer.itemBarcode,
      offer.quantity,
      dollars(offer.counterPrice ?? offer.pricePerItem),
      ...(isMoneyComing(offer)
        ? [offer.totalValue, offer.commissionCents, offer.payoutCents].map(dollars)
        : [null, null, null]),
      offer.acceptedQuantity,
      offer.status,
      offer.tradeStatus,
      offer.expiresAt,
      offer.tradeId,
    ]);
  }
}

export const ORDER_CSV_HEAD = [
  "Since",
  "Order",
  "Status",
  "Buyer",
  "Buyer ID",
  "Item",
  "Barcode",
  "Units",
  "Pick from",
  "Label by",
  "Carrier",
  "Tracking number",
  "Reported",
  "Order id",
] as const;

/** The store's orders in one tab of the list: all of them, also those that the screen has no room for. */
export async function* exportOrders(
  reads: Reads,
  people: TradePeople,
  { tab, q = "" }: { readonly tab: OrderTab; readonly q?: string | undefined },
): Lines {
  for await (const orders of readAllOrders(reads, people, tab)) {
    yield orders
      .filter((order) => isOrderWith(order, q))
      .map((order) => [
        order.statusSince,
        shortTradeId(order.tradeId),
        order.status,
        order.buyer.displayName,
        order.buyerShortId,
        order.itemName,
        order.itemBarcode,
        order.acceptedQuantity,
        order.picks
          .map(({ location, units }) => `${location || "no location"} (${units})`)
          .join(", "),
        order.labelOwedBy,
        order.carrier,
        order.trackingNumber,
        order.report?.kind ?? null,
        order.tradeId,
      ]);
  }
}
