// What a rush knows and what one request of it is: shared by everything that draws, sends and judges requests.

/** A trade that callers know. */
export type RushTrade = {
  readonly tradeId: string;
  readonly buyerUid: string;
  /** In the order of its offers. */
  readonly sellerUids: readonly string[];
};

/** What happens to trades. */
export type TradeKind =
  | "request-trade"
  | "accept-offer"
  | "decline-offer"
  | "counter-offer"
  | "cancel-trade"
  | "cancel-acceptance"
  | "upload-label"
  | "fulfill-trade"
  | "confirm-trade"
  | "refund-trade";

/** Everything the callers may name; answers add sales, payouts and trades to it during the rush. */
export type RushGround = {
  readonly consignors: readonly string[];
  /** Items of consignors with few units. */
  readonly items: readonly { readonly itemId: string; readonly uid: string }[];
  /** Master items that units are allocated from. */
  readonly masters: readonly { readonly itemId: string }[];
  readonly sales: string[];
  readonly payouts: { readonly payoutId: string; readonly uid: string }[];
  /** Those of the consignors who trade, and what they ask each other for. */
  readonly traders: readonly string[];
  readonly tradedBarcodes: readonly string[];
  readonly trades: RushTrade[];
};

/** One request, with what the judge needs to know about it. */
export type RushRequest = {
  readonly kind:
    | "sell"
    | "sell-master"
    | "allocate"
    | "request-payout"
    | "mark-paid"
    | "delete-payout"
    | "correct"
    | "refund"
    | "set-balance"
    | TradeKind;
  readonly key: string;
  /** The uid whose token is sent; null for the admin's. */
  readonly caller: string | null;
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** An uploaded label's file is added when it is sent. */
  readonly body: Record<string, unknown> | null;
  /** What it is about: an item, an account, a sale, a trade or an offer. */
  readonly subject: string;
  /** The requested units or cents; 0 if neither. */
  readonly asked: number;
};

export type Random = () => number;

export function pick<Entry>(random: Random, entries: readonly Entry[]): Entry | undefined {
  return entries[Math.floor(random() * entries.length)];
}

export function whole(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

export type Draft = Omit<RushRequest, "key">;
