// A trade that has taken a consignor's unit, for tests of the till that sells the same unit.
import { randomUUID } from "node:crypto";
import { setBalance } from "#features/accounts/decider.ts";
import { acceptOffer } from "#features/trades/decider-answer.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import { fulfillTrade, uploadTradeLabel } from "#features/trades/decider-ship.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import type { TillStore } from "#testing/till/till-store.ts";

async function execute<Command>(
  { store }: TillStore,
  decider: Decider<Command, unknown>,
  command: Command,
): Promise<void> {
  const by = { actor: "system:test", scope: "store", key: randomUUID(), requestHash: "00" };
  await store.ledger.execute(decider, command, by);
}

/** Blake requests one unit of Avery's item at $20.00, and Avery accepts. Answers the trade's id. */
export async function tradeOfItem(
  shop: TillStore,
  itemId: string,
  barcode1: string,
): Promise<string> {
  const { averyUid, blakeUid } = shop;
  const happenedAt = new Date().toISOString();
  const balance = { uid: blakeUid, balanceCents: 5_000, expectedCents: null, noteId: null };
  await execute(shop, setBalance, { ...balance, happenedAt });
  const tradeId = randomUUID();
  await execute(shop, requestTrade, {
    tradeId,
    buyerUid: blakeUid,
    itemName: `Item ${barcode1}`,
    barcode1,
    itemLink: "",
    imageUrl: "",
    quantity: 1,
    pricePerItem: 2_000,
    providesOwnShipping: false,
    addressId: randomUUID(),
    sellers: [{ uid: averyUid, itemIds: [itemId], stock: 1 }],
    happenedAt,
  });
  const offerId = offerIdOf(tradeId, 1);
  const accept = { offerId, actorUid: averyUid, pricePerItem: null, quantity: null };
  await execute(shop, acceptOffer, { ...accept, happenedAt });
  return tradeId;
}

/** The store sends the trade to its buyer. */
export async function sendTrade(shop: TillStore, tradeId: string): Promise<void> {
  const happenedAt = new Date().toISOString();
  const actor = { uid: "robin-0000000000000000", isAdmin: true };
  const label = { labelId: randomUUID(), carrier: "USPS" as const };
  await execute(shop, uploadTradeLabel, { tradeId, actor, ...label, happenedAt });
  await execute(shop, fulfillTrade, { tradeId, happenedAt });
}
