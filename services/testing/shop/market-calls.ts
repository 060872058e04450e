// From the commands of a market in memory to the calls that the app sends for them.
import type { AcceptOffer, DeclineOffer } from "#features/trades/decider-answer.ts";
import type { CancelAcceptance, CancelTrade, CloseTrade } from "#features/trades/decider-cancel.ts";
import type {
  CounterOffer,
  RaiseTrade,
  TakeCounterBack,
} from "#features/trades/decider-counter.ts";
import type { CloseReport, RefundTrade, ReportTrade } from "#features/trades/decider-problem.ts";
import type { RequestTrade } from "#features/trades/decider-request.ts";
import type {
  ChangeTradeAddress,
  ConfirmTrade,
  FulfillTrade,
  UploadTradeLabel,
} from "#features/trades/decider-ship.ts";
import type { Actor } from "#features/trades/found-trade.ts";
import type { SetBalance } from "#features/accounts/decider.ts";
import type { AddItem } from "#features/inventory/decider.ts";
import type { RecordSale } from "#features/sales/decider-record.ts";
import type { DeactivateUser } from "#features/users/decider-deactivate.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { address } from "#testing/shop/trade-shop.ts";

export type MarketCall = {
  /** Who calls; null for the admin. */
  readonly as: string | null;
  readonly method: "POST" | "PUT" | "DELETE";
  /** After `/api/`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | FormData;
};

const post = (as: string | null, path: string, body: MarketCall["body"] = {}): MarketCall => ({
  as,
  method: "POST",
  path,
  body,
});

const callerOf = ({ uid, isAdmin }: Actor) => (isAdmin ? null : uid);
const given = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function labelForm(carrier: string): FormData {
  const form = new FormData();
  form.set("label", new File([labelPdf()], "label.pdf", { type: "application/pdf" }));
  form.set("trackingNumber", "9400-MARKET");
  form.set("carrier", carrier);
  return form;
}

type OwnItem = { readonly itemId: string; readonly ownerUid: string };
const itemPath = ({ itemId, ownerUid }: OwnItem) => `inventory/consignor/${ownerUid}/${itemId}`;

const calls = {
  RequestTrade: ({ buyerUid, itemName, barcode1, ...asked }: RequestTrade) =>
    post(buyerUid, "trades/request", {
      itemName,
      itemBarcode: barcode1,
      quantity: asked.quantity,
      pricePerItem: asked.pricePerItem,
      providesOwnShipping: asked.providesOwnShipping,
      shippingAddress: address,
    }),
  AcceptOffer: ({ offerId, actorUid, quantity, pricePerItem }: AcceptOffer) =>
    post(actorUid, `trades/offers/${offerId}/accept`, given({ quantity, pricePerItem })),
  DeclineOffer: ({ offerId, actorUid }: DeclineOffer) =>
    post(actorUid, `trades/offers/${offerId}/decline`),
  CounterOffer: ({ offerId, actorUid, pricePerItem: counterPrice, quantity }: CounterOffer) =>
    post(actorUid, `trades/offers/${offerId}/counter`, given({ counterPrice, quantity })),
  TakeCounterBack: ({ offerId, actorUid }: TakeCounterBack): MarketCall => ({
    ...post(actorUid, `trades/offers/${offerId}/counter`),
    method: "DELETE",
  }),
  RaiseTrade: ({ tradeId, actorUid, pricePerItem }: RaiseTrade) =>
    post(actorUid, `trades/${tradeId}/raise`, { pricePerItem }),
  CloseTrade: ({ tradeId, actorUid }: CloseTrade) => post(actorUid, `trades/${tradeId}/close`),
  CancelTrade: ({ tradeId, actor }: CancelTrade) =>
    post(callerOf(actor), `trades/${tradeId}/cancel`),
  CancelAcceptance: ({ tradeId, offerId, units, as }: CancelAcceptance) =>
    post(null, `trades/${tradeId}/offers/${offerId}/cancel`, given({ units, as })),
  UploadTradeLabel: ({ tradeId, actor, carrier }: UploadTradeLabel) =>
    post(callerOf(actor), `trades/${tradeId}/shipping-label`, labelForm(carrier)),
  ChangeTradeAddress: ({ tradeId, actor }: ChangeTradeAddress): MarketCall => ({
    ...post(callerOf(actor), `trades/${tradeId}/address`, { shippingAddress: address }),
    method: "PUT",
  }),
  FulfillTrade: ({ tradeId }: FulfillTrade) => post(null, `trades/${tradeId}/fulfill`),
  ConfirmTrade: ({ tradeId, actorUid }: ConfirmTrade) =>
    post(actorUid, `trades/${tradeId}/confirm`),
  ReportTrade: ({ tradeId, actorUid, kind }: ReportTrade) =>
    post(actorUid, `trades/${tradeId}/report`, { kind }),
  CloseReport: ({ tradeId, actor }: CloseReport): MarketCall => ({
    ...post(callerOf(actor), `trades/${tradeId}/report`),
    method: "DELETE",
  }),
  RefundTrade: ({ tradeId, offerId, units, cents, borneBy, restock }: RefundTrade) =>
    post(null, `trades/${tradeId}/refund`, given({ offerId, units, cents, borneBy, restock })),
  SetBalance: ({ uid, balanceCents }: SetBalance): MarketCall => ({
    ...post(null, `sales/balance/${uid}`, { balance: balanceCents / 100 }),
    method: "PUT",
  }),
  AddItem: ({ ownerUid: consignorID, details, quantity }: AddItem) =>
    post(null, "inventory/consignor", {
      consignorID,
      itemName: details.itemName,
      barcode1: details.barcode1,
      quantity,
    }),
  ArchiveItem: (item: OwnItem): MarketCall => ({ ...post(null, itemPath(item)), method: "DELETE" }),
  RestoreItem: (item: OwnItem) => post(null, `${itemPath(item)}/restore`),
  RecordSale: ({ consignorId, itemId, units, priceCents, consignorPercentage }: RecordSale) =>
    post(null, "sales/record", {
      consignorID: consignorId,
      itemUID: itemId,
      salePrice: priceCents / 100,
      quantitySold: units,
      consignorPercentage,
    }),
  DeactivateUser: ({ uid }: DeactivateUser): MarketCall => ({
    ...post(null, `auth/users/${uid}`),
    method: "DELETE",
  }),
} as const;

/** The call of a command, by its decider's type. Its ids are those of the market in memory. */
export function callOf(type: string, command: unknown): MarketCall {
  const call: unknown = Reflect.get(calls, type);
  if (typeof call !== "function") {
    throw new Error(`No call for ${type}`);
  }
  // The command is the one of this very decider.
  return (call as (command: unknown) => MarketCall)(command);
}
