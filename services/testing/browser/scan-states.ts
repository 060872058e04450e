// What a long day at the desk leaves, for the moments at which tests scan: trades in each state, shipments, a payout that
// was paid, and a sale of the till. Each trade is named by what it waits for.
import { randomUUID } from "node:crypto";
import { setBalance } from "#features/accounts/decider.ts";
import { markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import { submitShipment } from "#features/shipments/decider.ts";
import { acceptOffer } from "#features/trades/decider-answer.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import { fulfillTrade, uploadTradeLabel } from "#features/trades/decider-ship.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import type { InventoryFloor } from "#testing/shop/inventory-floor.ts";

/** Their first eight digits are what people read of a shipment. */
const SENT_BY_AVERY = "5e0d0001-0000-4000-8000-000000000001";
const SENT_BY_NOBODY = "5e0d0002-0000-4000-8000-000000000002";

type Execute = BrowserStore["execute"];

type Party = { readonly uid: string; readonly itemId: string; readonly barcode1: string };

export async function makeLongDay(floor: InventoryFloor): Promise<void> {
  const { shop, averyUid } = floor;
  const { execute } = shop;
  const happenedAt = new Date().toISOString();
  const blakeUid = await shop.person("blake@store.test", "Blake Reed", "user");
  const stocked = async (uid: string, barcode1: string): Promise<Party> => {
    const itemId = await floor.stocked(`Lamp ${barcode1}`, {
      barcode1,
      quantity: 50,
      ownerUid: uid,
    });
    return { uid, itemId, barcode1 };
  };
  const [avery, blake] = [await stocked(averyUid, "LAMP-A"), await stocked(blakeUid, "LAMP-B")];
  for (const { uid } of [avery, blake]) {
    const balance = { uid, balanceCents: 50_000, expectedCents: null, noteId: null };
    await execute(setBalance, { ...balance, happenedAt });
  }
  await makeTrades(execute, { avery, blake, happenedAt });
  await makeShipments(execute, averyUid, happenedAt);
  const payout = { payoutId: randomUUID(), consignorId: averyUid, happenedAt };
  const handle = { handleId: randomUUID(), handleHash: "0".repeat(64) };
  await execute(requestPayout, { ...payout, ...handle, amountCents: 1_500, method: "venmo" });
  await execute(markPayoutPaid, { ...payout, reference: null, handleId: null });
  await execute(recordSale, {
    saleId: randomUUID(),
    consignorId: averyUid,
    itemId: avery.itemId,
    barcode1: null,
    units: 1,
    priceCents: 1_000,
    shippingCents: 0,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "pos",
    till: { receiptId: randomUUID(), tender: "cash" },
    happenedAt,
  });
}

type Parties = { readonly avery: Party; readonly blake: Party; readonly happenedAt: string };

/** How far each trade has come; Avery buys all but the first. */
const trades = [
  { itemName: "Offered lamp", isByAvery: false, steps: 0 },
  { itemName: "Wanted lamp", isByAvery: true, steps: 0 },
  { itemName: "Accepted lamp", isByAvery: true, steps: 1 },
  { itemName: "Labeled lamp", isByAvery: true, steps: 2 },
  { itemName: "Arriving lamp", isByAvery: true, steps: 3 },
] as const;

async function makeTrades(execute: Execute, { avery, blake, happenedAt }: Parties): Promise<void> {
  for (const { itemName, isByAvery, steps } of trades) {
    const [buyer, seller] = isByAvery ? [avery, blake] : [blake, avery];
    const tradeId = randomUUID();
    await execute(requestTrade, {
      tradeId,
      buyerUid: buyer.uid,
      itemName,
      barcode1: seller.barcode1,
      itemLink: "",
      imageUrl: "",
      quantity: 1,
      pricePerItem: 500,
      // The buyer of the accepted one owes the label.
      providesOwnShipping: steps === 1,
      addressId: randomUUID(),
      sellers: [{ uid: seller.uid, itemIds: [seller.itemId], stock: 50 }],
      happenedAt,
    });
    const answer = { offerId: offerIdOf(tradeId, 1), actorUid: seller.uid, happenedAt };
    const actor = { uid: "system:test", isAdmin: true };
    const label = { tradeId, actor, labelId: randomUUID(), carrier: "USPS" as const, happenedAt };
    const done = [
      () => execute(acceptOffer, { ...answer, pricePerItem: null, quantity: null }),
      () => execute(uploadTradeLabel, label),
      () => execute(fulfillTrade, { tradeId, happenedAt }),
    ];
    for (const step of done.slice(0, steps)) {
      await step();
    }
  }
}

async function makeShipments(execute: Execute, uid: string, happenedAt: string): Promise<void> {
  const said = { textId: randomUUID(), carrier: "USPS" as const, declaredUnits: 3 };
  const sent = { ...said, needsLabel: false };
  const common = { boxOf: null, happenedAt };
  await execute(submitShipment, {
    ...common,
    shipmentId: SENT_BY_AVERY,
    consignorId: uid,
    said: { ...said, carrier: null, needsLabel: true },
  });
  await execute(submitShipment, {
    ...common,
    shipmentId: SENT_BY_NOBODY,
    consignorId: null,
    said: { ...sent, textId: randomUUID() },
  });
}
