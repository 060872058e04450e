// Trades in every state for specs of read tables: days of a market, played from a seed, whose events a real log then gets.
import { randomUUID } from "node:crypto";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { acceptOffer, declineOffer } from "#features/trades/decider-answer.ts";
import { cancelAcceptance, cancelTrade, closeTrade } from "#features/trades/decider-cancel.ts";
import { counterOffer, raiseTrade, takeCounterBack } from "#features/trades/decider-counter.ts";
import { closeReport, refundTrade, reportTrade } from "#features/trades/decider-problem.ts";
import {
  changeTradeAddress,
  confirmTrade,
  fulfillTrade,
  uploadTradeLabel,
} from "#features/trades/decider-ship.ts";
import type { TradeMarket } from "#testing/shop/trade-market.ts";
import { admin, people, pick } from "#testing/shop/trade-market.ts";

/** Numbers from 0 below `most`, the same for the same seed. */
export function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Roll = ReturnType<typeof dice>;

/** Something that somebody does to one of the last trades; most of it is refused. */
function touchTrade(market: TradeMarket, roll: Roll): void {
  const tradeId = pick(market.tradeIds.slice(-6), roll(6));
  const trade = tradeId === undefined ? undefined : market.trade(tradeId);
  const offer = trade === undefined ? undefined : pick(trade.offers, roll(3));
  if (tradeId === undefined || trade === undefined || offer === undefined) {
    return;
  }
  const { buyerUid } = trade;
  const { offerId } = offer;
  const actorUid = roll(3) === 0 ? buyerUid : offer.sellerUid;
  const actor = roll(2) === 0 ? admin : { uid: buyerUid, isAdmin: false };
  const pricePerItem = 1 + roll(600);
  const quantity = roll(2) === 0 ? null : 1 + roll(2);
  const noteId = roll(2) === 0 ? null : market.newId();
  const as = pick(["restock", "lost", "damaged"] as const, roll(3)) ?? "restock";
  const acts: readonly (() => unknown)[] = [
    () => market.run(acceptOffer, { offerId, actorUid, quantity, pricePerItem: null }),
    () => market.run(acceptOffer, { offerId, actorUid, quantity: null, pricePerItem: null }),
    () =>
      market.run(acceptOffer, { offerId, actorUid: offer.sellerUid, quantity, pricePerItem: null }),
    () => market.run(declineOffer, { offerId, actorUid, shownPricePerItem: null }),
    () =>
      market.run(counterOffer, {
        offerId,
        actorUid,
        pricePerItem,
        quantity,
        shownPricePerItem: null,
      }),
    () =>
      market.run(counterOffer, {
        offerId,
        actorUid,
        pricePerItem,
        quantity: null,
        shownPricePerItem: null,
      }),
    () => market.run(takeCounterBack, { offerId, actorUid }),
    () =>
      market.run(raiseTrade, { tradeId, actorUid: buyerUid, pricePerItem: trade.pricePerItem + 1 }),
    () => market.run(closeTrade, { tradeId, actorUid: buyerUid }),
    () => market.run(cancelTrade, { tradeId, actor, noteId }),
    () => {
      const part = { units: quantity, itemId: null, as };
      return market.run(cancelAcceptance, { tradeId, offerId, ...part, noteId });
    },
    () => upload(market, tradeId),
    () => upload(market, tradeId),
    () => market.run(changeTradeAddress, { tradeId, actor, addressId: market.newId() }),
    () => market.run(fulfillTrade, { tradeId }),
    () => market.run(fulfillTrade, { tradeId }),
    () => market.run(confirmTrade, { tradeId, actorUid: buyerUid }),
    () => market.run(reportTrade, { tradeId, actorUid: buyerUid, kind: "damaged", noteId }),
    () => market.run(closeReport, { tradeId, actor, noteId }),
    () =>
      market.run(refundTrade, {
        tradeId,
        offerId,
        units: roll(2),
        cents: 1 + roll(50),
        noteId,
        borneBy: roll(2) === 0 ? ("seller" as const) : ("store" as const),
        restock: roll(2) === 0,
      }),
  ];
  pick(acts, roll(acts.length))?.();
}

export function upload(market: TradeMarket, tradeId: string): void {
  market.run(uploadTradeLabel, { tradeId, actor: admin, labelId: market.newId(), carrier: "UPS" });
}

/** So many things that happen in a market, one after the other. */
export function playMarket(market: TradeMarket, roll: Roll, acts: number): void {
  for (let act = 0; act < acts; act += 1) {
    const uid = pick(people, roll(3)) ?? people[0];
    const kind = roll(20);
    if (kind === 0) {
      market.request(uid, 1 + roll(3), 1 + roll(500), roll(2) === 0);
    } else if (kind === 1) {
      market.wait(roll(4) === 0 ? 24 * roll(9) : roll(30));
      market.sweep();
    } else if (kind === 2) {
      market.earn(uid, 3_000);
    } else {
      touchTrade(market, roll);
    }
  }
}

/** Takes an event that was decided elsewhere as it is. */
const takeOver: Decider<NewEvent, null> = {
  type: "TakeOver",
  streams: (event) => event.streams,
  decide: (event) => accept([event], null),
};

/** Appends decided events, each as a command of its own. */
export async function appendDecided(ledger: Ledger, events: readonly NewEvent[]): Promise<void> {
  for (const event of events) {
    const context = { actor: "system:test", scope: "store", key: randomUUID(), requestHash: "00" };
    await ledger.execute(takeOver, event, context);
  }
}
