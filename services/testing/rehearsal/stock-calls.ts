// The calls about stock and money, each with a request that the store would carry out.
import { holdPayouts } from "#features/holds/decider.ts";
import type { RehearsedCall } from "#testing/rehearsal/call.ts";
import { given } from "#testing/rehearsal/call.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { LONG_AGO, type TradeShop } from "#testing/shop/trade-shop.ts";

const item = (itemName: string) => ({ itemName, barcode1: itemName, quantity: 5 });

export async function inventoryCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const { shop, admin: as } = store;
  const { uid } = await shop.person("Stocked");
  const [own, other] = ["/api/inventory/master", `/api/inventory/consignor/${uid}`];
  const master = (name: string) => given(store, { call: "POST", as, path: own, body: item(name) });
  const consignor = (name: string) =>
    given(store, {
      call: "POST",
      as,
      path: "/api/inventory/consignor",
      body: { consignorID: uid, ...item(name) },
    });
  const [lamp, gone, cup] = [await master("Lamp"), await master("Gone"), await consignor("Cup")];
  const lost = await consignor("Lost");
  await given(store, { call: "DELETE", as, path: `${own}/${gone}` });
  await given(store, { call: "DELETE", as, path: `${other}/${lost}` });
  const base = "/api/inventory";
  const edit = { ...item("Edited"), quantity: 3 };
  return [
    { call: `POST ${own}`, as, path: own, body: item("Vase") },
    { call: `PUT ${own}/:id`, as, path: `${own}/${lamp}`, body: edit },
    { call: `DELETE ${own}/:id`, as, path: `${own}/${await master("Rug")}` },
    { call: `POST ${own}/:id/restore`, as, path: `${own}/${gone}/restore` },
    {
      call: `POST ${base}/consignor`,
      as,
      path: `${base}/consignor`,
      body: { consignorID: uid, ...item("Bowl") },
    },
    {
      call: `PUT ${base}/consignor/:consignorId/:itemId`,
      as,
      path: `${other}/${cup}`,
      body: edit,
    },
    {
      call: `DELETE ${base}/consignor/:consignorId/:itemId`,
      as,
      path: `${other}/${await consignor("Pot")}`,
    },
    {
      call: `POST ${base}/consignor/:consignorId/:itemId/restore`,
      as,
      path: `${other}/${lost}/restore`,
    },
    {
      call: `POST ${base}/consignor/mass-input`,
      as,
      path: `${base}/consignor/mass-input`,
      body: { consignorID: uid, itemName: "Scanned", barcodes: "S-1\nS-2\nS-1" },
    },
    imageCall(store, uid, await consignor("Mug")),
    ...(await callsOnItems(store, uid, consignor)),
    {
      call: `POST ${base}/allocate`,
      as,
      path: `${base}/allocate`,
      body: { masterItemID: await master("Chair"), consignorID: uid, quantity: 2 },
    },
    {
      call: `POST ${base}/copy-to-consignor`,
      as,
      path: `${base}/copy-to-consignor`,
      body: {
        sourceConsignorID: uid,
        sourceItemUID: await consignor("Desk"),
        targetConsignorID: (await shop.person("Copied")).uid,
        quantity: 1,
      },
    },
    {
      call: `POST ${own}/sale`,
      as,
      path: `${own}/sale`,
      body: { masterItemID: await master("Sofa"), quantitySold: 2, salePrice: 30, salesTax: 2 },
    },
  ];
}

function imageCall({ admin: as }: TradeShop, consignorUID: string, itemUID: string): RehearsedCall {
  const path = "/api/admin/update-item-image";
  const imageUrl = "https://pictures.example/mug.jpg";
  return { call: `POST ${path}`, as, path, body: { consignorUID, itemUID, imageUrl } };
}

type ItemCall = {
  /** Below /api; no id is in it. */
  readonly path: string;
  readonly body: (itemId: string, uid: string) => object;
  /** A call of this list that the store carries out before, with the same item and person. */
  readonly after?: string;
};

/** The calls that name an item, and maybe a person, in their body. Each gets an item of its own with five units. */
const itemCalls: readonly ItemCall[] = [
  {
    path: "/inventory/remove",
    body: (itemID) => ({ itemID, quantity: 2, reason: "returned_to_consignor" }),
  },
  {
    path: "/inventory/prices",
    body: (itemID) => ({
      items: [{ itemID, tagPriceCents: null }],
      change: { kind: "set", tagPriceCents: 1250 },
    }),
  },
];

function callsOnItems(
  store: TradeShop,
  uid: string,
  newItem: (name: string) => Promise<string>,
): Promise<RehearsedCall[]> {
  const { admin: as } = store;
  const sent = ({ path, body }: ItemCall, itemId: string): RehearsedCall => ({
    call: `POST /api${path}`,
    as,
    path: `/api${path}`,
    body: body(itemId, uid),
  });
  return Promise.all(
    itemCalls.map(async (call) => {
      const itemId = await newItem(`For ${call.path}`);
      for (const before of itemCalls.filter(({ path }) => path === call.after)) {
        await given(store, sent(before, itemId));
      }
      return sent(call, itemId);
    }),
  );
}

export async function moneyCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const { admin: as } = store;
  const seller = await store.sellerWith(store.newBarcode(), 9);
  const { uid } = seller;
  const record = {
    consignorID: uid,
    itemUID: seller.itemId,
    salePrice: 40,
    shippingCost: 5,
    quantitySold: 2,
    consignorPercentage: 50,
  };
  const sale = () => given(store, { call: "POST", as, path: "/api/sales/record", body: record });
  const [corrected, refunded, givenBack] = [await sale(), await sale(), await sale()];
  await given(store, {
    call: "POST",
    as,
    path: `/api/sales/${givenBack}/refund`,
    body: { quantity: 1, restock: true, tender: "card", reason: "came back" },
  });
  await given(store, {
    call: "PUT",
    as,
    path: `/api/sales/balance/${uid}`,
    body: { balance: 80 },
  });
  return [
    await liftCall(store),
    { call: "POST /api/sales/record", as, path: "/api/sales/record", body: record },
    {
      call: "POST /api/sales/custom",
      as,
      path: "/api/sales/custom",
      body: { consignorID: uid, itemName: "Cables", amount: 7.5 },
    },
    {
      call: "PUT /api/sales/:id",
      as,
      path: `/api/sales/${corrected}`,
      body: { soldQuantity: 1, salePrice: 20, reason: "one only" },
    },
    {
      call: "POST /api/sales/:id/refund",
      as,
      path: `/api/sales/${refunded}/refund`,
      body: { quantity: 1, restock: true, reason: "came back" },
    },
    {
      call: "PUT /api/sales/:id/tender",
      as,
      path: `/api/sales/${corrected}/tender`,
      body: { tender: "card", reason: "wrong key" },
    },
    await certificateCall(store, record),
    {
      call: "PUT /api/sales/:id/refunds/:refund/tender",
      as,
      path: `/api/sales/${givenBack}/refunds/1/tender`,
      body: { tender: "cash", reason: "wrong key" },
    },
    {
      call: "PUT /api/sales/balance/:id",
      as,
      path: `/api/sales/balance/${uid}`,
      body: { balance: 12.34, reason: "counted" },
    },
    ...(await payoutCalls(store, seller)),
  ];
}

/** Of somebody who has some money. */
async function payoutCalls(store: TradeShop, seller: TestPerson): Promise<RehearsedCall[]> {
  const { admin: as } = store;
  const { uid } = seller;
  const payout = { amount: 10, method: "cashapp", paymentUsername: "$seller" };
  const requested = () =>
    given(store, { call: "POST", as, path: `/api/payouts/${uid}/request`, body: payout });
  const paid = `/api/payouts/${uid}/${await requested()}`;
  await given(store, { call: "PATCH", as, path: `${paid}/paid` });
  const claimed = `/api/payouts/${uid}/${await requested()}`;
  await given(store, { call: "POST", as, path: `${claimed}/claim` });
  return [
    {
      call: "POST /api/payouts/:userId/request",
      as: seller,
      path: `/api/payouts/${uid}/request`,
      // A new handle, which a request keeps outside the log.
      body: { ...payout, method: "venmo", paymentUsername: "@other" },
    },
    {
      call: "PATCH /api/payouts/:userId/:payoutId/paid",
      as,
      path: `/api/payouts/${uid}/${await requested()}/paid`,
    },
    {
      call: "DELETE /api/payouts/:userId/:payoutId",
      as,
      path: `/api/payouts/${uid}/${await requested()}`,
    },
    {
      call: "POST /api/payouts/:userId/:payoutId/claim",
      as,
      path: `/api/payouts/${uid}/${await requested()}/claim`,
    },
    { call: "DELETE /api/payouts/:userId/:payoutId/claim", as, path: `${claimed}/claim` },
    {
      call: "PUT /api/payouts/:userId/:payoutId/handle",
      as: seller,
      path: `/api/payouts/${uid}/${await requested()}/handle`,
      body: { method: "venmo", paymentUsername: "@another" },
    },
    {
      call: "POST /api/payouts/:userId/:payoutId/return",
      as,
      path: `${paid}/return`,
      body: { reason: "wrong handle" },
    },
  ];
}

/** The hold is another person's, so that it holds no payout of these calls. */
async function liftCall({ shop, admin }: TradeShop): Promise<RehearsedCall> {
  const { uid } = await shop.person("Held");
  const reference = "hold:payouts:1:row:7";
  const row = { cause: "row", projection: "payouts", rowKey: "row", atPosition: 7 } as const;
  const hold = { uid, reference, ...row, happenedAt: LONG_AGO };
  const context = { actor: "system:test", scope: "store", key: reference, requestHash: "00" };
  await shop.deps.ledger.execute(holdPayouts, hold, context);
  return {
    call: "POST /api/payouts/holds/lift",
    as: admin,
    path: "/api/payouts/holds/lift",
    body: { consignorID: uid, reference, reason: "looked at it" },
  };
}

async function certificateCall(store: TradeShop, record: object): Promise<RehearsedCall> {
  const { admin: as } = store;
  const body = { ...record, quantitySold: 1, taxExempt: { certificate: "TX-1" } };
  const exempt = await given(store, { call: "POST", as, path: "/api/sales/record", body });
  return {
    call: "POST /api/sales/:id/erase-certificate",
    as,
    path: `/api/sales/${exempt}/erase-certificate`,
    body: { everywhere: true },
  };
}
