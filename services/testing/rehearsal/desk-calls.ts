// The calls about shipments, settings and users, each with a request that the store would carry out.
import type { RehearsedCall } from "#testing/rehearsal/call.ts";
import { given } from "#testing/rehearsal/call.ts";
import { labelForm } from "#testing/rehearsal/trade-calls.ts";
import { pngOf } from "#testing/service/tiny-images.ts";
import { address, type TradeShop } from "#testing/shop/trade-shop.ts";

export async function shipmentCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const { shop, admin } = store;
  const sender = await shop.person("Sender");
  const said = { carrier: "UPS", trackingNumber: "1Z999AA10123456784", contents: "shoes" };
  const [own, all] = [`/api/shipments/${sender.uid}`, "/api/shipments/admin"];
  const sent = (body: object = said) => given(store, { call: "POST", as: sender, path: own, body });
  const unknown = await given(store, { call: "POST", as: admin, path: all, body: said });
  const id = "/api/shipments/:userId/:shipmentId";
  return [
    { call: "POST /api/shipments/:userId", as: sender, path: own, body: said },
    {
      call: `PATCH ${id}`,
      as: sender,
      path: `${own}/${await sent()}`,
      body: { ...said, contents: "hats" },
    },
    { call: `DELETE ${id}`, as: sender, path: `${own}/${await sent()}` },
    { call: `POST ${all}`, as: admin, path: all, body: said },
    {
      call: `PATCH ${all}/:id`,
      as: admin,
      path: `${all}/${await sent()}`,
      body: { ...said, contents: "bags" },
    },
    {
      call: `PATCH ${all}/:id/status`,
      as: admin,
      path: `${all}/${await sent()}/status`,
      body: { processed: "yes", receivedUnits: 4, refusedUnits: 1, reason: "torn" },
    },
    { call: `DELETE ${all}/:id`, as: admin, path: `${all}/${await sent()}` },
    {
      call: `POST ${all}/:id/label`,
      as: admin,
      path: `${all}/${await sent({ needsLabel: true, contents: "lamps" })}/label`,
      form: labelForm("9400-2"),
    },
    {
      call: `POST ${all}/:id/consignor`,
      as: admin,
      path: `${all}/${unknown}/consignor`,
      body: { consignorID: sender.uid },
    },
  ];
}

const image = () => new File([pngOf(8, 8)], "logo.png", { type: "image/png" });

export async function settingsCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const { shop, admin: as } = store;
  const base = "/api/settings";
  await given(store, { call: "PUT", as, path: `${base}/logo`, form: { file: image() } });
  const { uid } = await shop.person("Sharing");
  const rates = {
    taxRateBasisPoints: 900,
    defaultConsignorPercentage: 55,
    tradeCommissionPercentage: 12,
    tradeShippingFee: 4.5,
  };
  const details = {
    storeName: "Harbor Resale",
    returnPolicy: "",
    chatLink: "",
    venmoName: "harbor",
    shippingAddress: { ...address, country: "" },
  };
  return [
    { call: `PUT ${base}/rates`, as, path: `${base}/rates`, body: rates },
    { call: `PUT ${base}/details`, as, path: `${base}/details`, body: details },
    { call: `PUT ${base}/logo`, as, path: `${base}/logo`, form: { file: image() } },
    { call: `DELETE ${base}/logo`, as, path: `${base}/logo` },
    {
      call: `PUT ${base}/time-zone`,
      as,
      path: `${base}/time-zone`,
      body: { timeZone: "America/Chicago" },
    },
    {
      call: `PUT ${base}/consignors/:uid/share`,
      as,
      path: `${base}/consignors/${uid}/share`,
      body: { percentage: 65 },
    },
  ];
}

export function tillCalls({ admin: as }: TradeShop): RehearsedCall[] {
  const body = { day: "2026-11-20", openingAmount: 100, countedAmount: 95.5, note: "tape" };
  return [{ call: "POST /api/till/days", as, path: "/api/till/days", body }];
}

export async function monthCalls(store: TradeShop): Promise<RehearsedCall[]> {
  const { admin: as } = store;
  const item = { itemName: "Taxed", barcode1: "Taxed", quantity: 1 };
  const master = "/api/inventory/master";
  const masterItemID = await given(store, { call: "POST", as, path: master, body: item });
  const sale = { masterItemID, quantitySold: 1, salePrice: 40, salesTax: 3.3, channel: "pos" };
  await given(store, { call: "POST", as, path: `${master}/sale`, body: sale });
  const path = "/api/sales-tax/remittances";
  const body = { month: "2026-10", amount: 1.5 };
  const wrong = await given(store, { call: "POST", as, path, body });
  return [
    {
      call: "POST /api/months/close",
      as,
      path: "/api/months/close",
      body: { month: "2026-09" },
    },
    { call: `POST ${path}`, as, path, body },
    {
      call: `POST ${path}/:id/reverse`,
      as,
      path: `${path}/${wrong}/reverse`,
      body: { reason: "typo" },
    },
  ];
}

export async function userCalls({ shop, admin: as }: TradeShop): Promise<RehearsedCall[]> {
  const [named, changed, left] = [
    await shop.person("Named"),
    await shop.person("Changed"),
    await shop.person("Leaving"),
  ];
  const users = "/api/auth/users";
  return [
    {
      call: "POST /api/auth/set-username",
      as: named,
      path: "/api/auth/set-username",
      body: { username: "named-one" },
    },
    {
      call: `PUT ${users}/:uid`,
      as,
      path: `${users}/${changed.uid}`,
      body: { role: "admin", email: "new@people.test", username: "changed-one", reason: "asked" },
    },
    { call: `DELETE ${users}/:uid`, as, path: `${users}/${left.uid}` },
  ];
}
