// The calls about trades, each with a request that the store would carry out.
import { offerIdOf } from "#features/trades/streams.ts";
import type { RehearsedCall } from "#testing/rehearsal/call.ts";
import { given } from "#testing/rehearsal/call.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { address, offerPath, tradeIdIn, type TradeShop } from "#testing/shop/trade-shop.ts";

export async function offerCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const asked = await store.requested();
  const offer = async (what: string, call = "POST", body: object = {}): Promise<RehearsedCall> => {
    const { tradeId, seller } = await store.requested();
    const path = `/api/trades/${offerPath(tradeId, 1, what)}`;
    return { call: `${call} /api/trades/offers/:id/${what}`, as: seller, path, body };
  };
  const countered = await offer("counter", "POST", { counterPrice: 700 });
  await given(store, countered);
  const own = async (what: string, body: object = {}): Promise<RehearsedCall> => {
    const { tradeId, buyer } = await store.requested();
    const call = `POST /api/trades/:id/${what}`;
    return { call, as: buyer, path: `/api/trades/${tradeId}/${what}`, body };
  };
  return [
    {
      call: "POST /api/trades/request",
      as: asked.buyer,
      path: "/api/trades/request",
      body: {
        itemName: "Desk lamp",
        itemBarcode: asked.barcode,
        quantity: 1,
        pricePerItem: 500,
        shippingAddress: address,
      },
    },
    await offer("accept"),
    await offer("decline"),
    await offer("counter", "POST", { counterPrice: 650 }),
    { call: "DELETE /api/trades/offers/:id/counter", as: countered.as, path: countered.path },
    await own("raise", { pricePerItem: 600 }),
    await closing(store),
    await own("cancel", { reason: "changed my mind" }),
  ];
}

/** One of two sellers has accepted one of two units. */
async function closing(store: TradeShop): Promise<RehearsedCall> {
  const barcode = store.newBarcode();
  const buyer = await store.buyerWith(10_000);
  const seller = await store.sellerWith(barcode, 1);
  await store.sellerWith(barcode, 1);
  const tradeId = tradeIdIn(await store.request(buyer, barcode, { quantity: 2 }));
  const offers = [1, 2].map((nth) => offerPath(tradeId, nth, "accept"));
  for (const offer of offers) {
    await store.post(seller, offer, {});
  }
  return { call: "POST /api/trades/:id/close", as: buyer, path: `/api/trades/${tradeId}/close` };
}

export const labelForm = (trackingNumber: string) => ({
  label: new File([labelPdf()], "label.pdf", { type: "application/pdf" }),
  trackingNumber,
  carrier: "USPS",
});

/** An accepted trade with a label. */
async function labelled(store: TradeShop) {
  const trade = await store.accepted();
  await store.upload(store.admin, trade.tradeId);
  return trade;
}

async function fulfilled(store: TradeShop) {
  const trade = await labelled(store);
  await store.post(store.admin, `${trade.tradeId}/fulfill`);
  return trade;
}

export async function shippingCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const accepted = await store.accepted({ providesOwnShipping: true });
  const moved = await labelled(store);
  const arrived = await fulfilled(store);
  return [
    {
      call: "POST /api/trades/:id/shipping-label",
      as: accepted.buyer,
      path: `/api/trades/${accepted.tradeId}/shipping-label`,
      form: labelForm("9400-1"),
    },
    {
      call: "PUT /api/trades/:id/address",
      as: moved.buyer,
      path: `/api/trades/${moved.tradeId}/address`,
      body: { shippingAddress: { ...address, city: "Alpine" } },
    },
    {
      call: "POST /api/trades/:id/fulfill",
      as: store.admin,
      path: `/api/trades/${(await labelled(store)).tradeId}/fulfill`,
    },
    {
      call: "POST /api/trades/:id/confirm",
      as: arrived.buyer,
      path: `/api/trades/${arrived.tradeId}/confirm`,
    },
  ];
}

export async function problemCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const [accepted, sent, reported] = [
    await store.accepted(),
    await fulfilled(store),
    await fulfilled(store),
  ];
  await store.post(reported.buyer, `${reported.tradeId}/report`, { kind: "lost" });
  return [
    {
      call: "POST /api/trades/:id/offers/:offerId/cancel",
      as: store.admin,
      path: `/api/trades/${accepted.tradeId}/offers/${offerIdOf(accepted.tradeId, 1)}/cancel`,
      body: { units: 1, as: "restock", reason: "scratched" },
    },
    {
      call: "POST /api/trades/:id/report",
      as: sent.buyer,
      path: `/api/trades/${sent.tradeId}/report`,
      body: { kind: "damaged", description: "bent" },
    },
    {
      call: "DELETE /api/trades/:id/report",
      as: reported.buyer,
      path: `/api/trades/${reported.tradeId}/report`,
      body: {},
    },
    {
      call: "POST /api/trades/:id/refund",
      as: store.admin,
      path: `/api/trades/${(await fulfilled(store)).tradeId}/refund`,
      body: { units: 1, cents: 300, borneBy: "seller", restock: true, reason: "bent" },
    },
  ];
}
