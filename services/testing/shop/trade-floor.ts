// A store of traders in memory for specs of trades: people with money and items, commands with short names.
import type { Decider } from "#ledger/decider.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { addItem } from "#features/inventory/decider.ts";
import { itemHolding, itemStreamId, itemStream } from "#features/inventory/streams.ts";
import { acceptOffer, declineOffer } from "#features/trades/decider-answer.ts";
import { cancelAcceptance, cancelTrade, closeTrade } from "#features/trades/decider-cancel.ts";
import { counterOffer, raiseTrade, takeCounterBack } from "#features/trades/decider-counter.ts";
import { closeReport, refundTrade, reportTrade } from "#features/trades/decider-problem.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import type { RequestTrade } from "#features/trades/decider-request.ts";
import {
  changeTradeAddress,
  confirmTrade,
  fulfillTrade,
  uploadTradeLabel,
} from "#features/trades/decider-ship.ts";
import type { Offer } from "#features/trades/events.ts";
import type { Trade } from "#features/trades/streams.ts";
import {
  escrowAccount,
  offerIdOf,
  tradeHolding,
  tradeStream,
  tradeStreamId,
} from "#features/trades/streams.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { detailsOf, idOf } from "#testing/shop/stock-room.ts";

export const buyer = "buyer-000000000000001";
export const seller = "seller-00000000000001";
export const otherSeller = "seller-00000000000002";
export const thirdSeller = "seller-00000000000003";
export const boss = { uid: "admin-000000000000001", isAdmin: true };
export const byBuyer = { uid: buyer, isAdmin: false };

export const noon = "2024-05-31T12:00:00.000Z";
export const tradeId = "11111111-1111-4111-8111-111111111111";
export const BARCODE = "B-1";

/** So many hours after noon. */
export function hoursOn(hours: number): string {
  return new Date(Date.parse(noon) + hours * 3_600_000).toISOString();
}

/** Every later command happens this many hours after noon. */
export class TradeFloor {
  readonly books: MemoryBooks = memoryBooks();
  now = noon;
  #lastItem = 0;

  at(hours: number): this {
    this.now = hoursOn(hours);
    return this;
  }

  give(uid: string, cents: number): this {
    this.books.when(setBalance, {
      uid,
      balanceCents: cents,
      expectedCents: null,
      noteId: null,
      happenedAt: this.now,
    });
    return this;
  }

  /** A new item of this person; answers its id. */
  stock(uid: string, quantity: number, barcode = BARCODE): string {
    this.#lastItem += 1;
    const itemId = idOf(this.#lastItem);
    const details = detailsOf(barcode);
    const added = { itemId, ownerUid: uid, details, quantity, source: "manual" as const };
    this.books.when(addItem, { ...added, happenedAt: this.now });
    return itemId;
  }

  run<Command, Answer>(
    decider: Decider<Command & { readonly happenedAt: string }, Answer>,
    command: Omit<Command, "happenedAt">,
  ) {
    return this.books.when(decider, { ...command, happenedAt: this.now } as Command & {
      readonly happenedAt: string;
    });
  }

  /** Asks these sellers, each with what the item has now. */
  request(
    items: readonly (readonly [uid: string, itemId: string])[],
    given: Partial<RequestTrade> = {},
  ) {
    const sellers = items.map(([uid, itemId]) => ({
      uid,
      itemIds: [itemId],
      stock: this.units(itemId),
    }));
    return this.run(requestTrade, {
      tradeId,
      buyerUid: buyer,
      itemName: "Desk lamp",
      barcode1: BARCODE,
      itemLink: "",
      imageUrl: "",
      quantity: 1,
      pricePerItem: 500,
      providesOwnShipping: false,
      addressId: idOf(900),
      sellers,
      ...given,
    });
  }

  accept(nth: number, actorUid: string, given: { quantity?: number; pricePerItem?: number } = {}) {
    const { quantity = null, pricePerItem = null } = given;
    return this.run(acceptOffer, { offerId: offer(nth), actorUid, quantity, pricePerItem });
  }

  decline(nth: number, actorUid: string) {
    return this.run(declineOffer, { offerId: offer(nth), actorUid, shownPricePerItem: null });
  }

  counter(nth: number, actorUid: string, pricePerItem: number, quantity: number | null = null) {
    return this.run(counterOffer, {
      offerId: offer(nth),
      actorUid,
      pricePerItem,
      quantity,
      shownPricePerItem: null,
    });
  }

  takeBack(nth: number, actorUid: string) {
    return this.run(takeCounterBack, { offerId: offer(nth), actorUid });
  }

  raise(pricePerItem: number, actorUid = buyer) {
    return this.run(raiseTrade, { tradeId, actorUid, pricePerItem });
  }

  close(actorUid = buyer) {
    return this.run(closeTrade, { tradeId, actorUid });
  }

  cancel(actor = byBuyer) {
    return this.run(cancelTrade, { tradeId, actor, noteId: null });
  }

  cancelPart(
    nth: number,
    units: number | null,
    as: "restock" | "lost" | "damaged" = "restock",
    itemId: string | null = null,
  ) {
    const offerId = offer(nth);
    return this.run(cancelAcceptance, { tradeId, offerId, units, itemId, as, noteId: null });
  }

  upload(actor = boss, labelId = idOf(800)) {
    return this.run(uploadTradeLabel, { tradeId, actor, labelId, carrier: "USPS" as const });
  }

  moveTo(addressId: string, actor = byBuyer) {
    return this.run(changeTradeAddress, { tradeId, actor, addressId });
  }

  fulfill() {
    return this.run(fulfillTrade, { tradeId });
  }

  confirm(actorUid = buyer) {
    return this.run(confirmTrade, { tradeId, actorUid });
  }

  report(actorUid = buyer) {
    return this.run(reportTrade, { tradeId, actorUid, kind: "damaged" as const, noteId: null });
  }

  closeReport(actor = byBuyer) {
    return this.run(closeReport, { tradeId, actor, noteId: null });
  }

  refund(given: {
    readonly cents: number;
    readonly units?: number;
    readonly borneBy?: "seller" | "store";
    readonly restock?: boolean;
    readonly nth?: number;
  }) {
    const { cents, units = 0, borneBy = "seller", restock = false, nth } = given;
    const offerId = nth === undefined ? null : offer(nth);
    return this.run(refundTrade, {
      tradeId,
      offerId,
      units,
      cents,
      borneBy,
      restock,
      noteId: null,
    });
  }

  get trade(): Trade {
    const { trade } = this.books.stream(tradeStream, tradeStreamId(tradeId)).state;
    if (trade === null) {
      throw new Error("Nobody requested the trade");
    }
    return trade;
  }

  offer(nth: number): Offer {
    const found = this.trade.offers.find(({ offerId }) => offerId === offer(nth));
    if (found === undefined) {
      throw new Error(`There is no offer ${nth}`);
    }
    return found;
  }

  get held(): number {
    return this.books.balanceOf(escrowAccount.of(tradeId));
  }

  get heldUnits(): number {
    return this.books.unitsIn(tradeHolding.of(tradeId));
  }

  available(uid: string): number {
    return this.books.balanceOf(`consignor:${uid}:available`);
  }

  units(itemId: string): number {
    return this.books.unitsIn(itemHolding.of(itemId));
  }

  item(itemId: string) {
    return this.books.stream(itemStream, itemStreamId(itemId)).state;
  }
}

function offer(nth: number): string {
  return offerIdOf(tradeId, nth);
}
