// Which events correct, refund, cancel or take back others, and how the other one is found in their common stream. Pure.
import { ItemArchived, ItemRestored } from "#features/inventory/events.ts";
import {
  PayoutDeleted,
  PayoutPaid,
  PayoutRequested,
  PayoutReturned,
} from "#features/payouts/events.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  RefundTenderCorrected,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";
import {
  ShipmentDeleted,
  ShipmentDelivered,
  ShipmentDeliveryReverted,
  ShipmentProcessed,
  ShipmentReopened,
  ShipmentSubmitted,
} from "#features/shipments/events.ts";
import {
  AcceptanceCancelled,
  CounterRetracted,
  OfferAccepted,
  OfferCountered,
  TradeCancelled,
  TradeFulfilled,
  TradeRefunded,
  TradeReportClosed,
  TradeReported,
  TradeRequested,
} from "#features/trades/events.ts";
import type { ThingKind } from "#features/audit/contract.ts";
import type { Fields } from "#features/audit/named-in.ts";
import type { EventDefinition } from "#ledger/event.ts";

type Relation = {
  /** The stream that both extend. */
  readonly stream: ThingKind;
  readonly type: string;
  /** It corrects the last earlier event of one of these types. */
  readonly of: readonly string[];
  /** Both must have the same value in this field; null if the stream is enough. */
  readonly same: string | null;
  /** The field with the other one's number among its types in the stream; null if it is the last one before it. */
  readonly nth: string | null;
};

function relation(
  stream: ThingKind,
  by: EventDefinition,
  of: readonly EventDefinition[],
  { same = null, nth = null }: Partial<Pick<Relation, "same" | "nth">> = {},
): Relation {
  return { stream, type: by.type, of: of.map(({ type }) => type), same, nth };
}

const sales = [SaleRecorded, MasterSaleRecorded, CustomSaleRecorded];

const relations: readonly Relation[] = [
  relation("sale", SaleCorrected, sales),
  relation("sale", SaleRefunded, sales),
  relation("sale", SaleTenderCorrected, sales),
  relation("sale", RefundTenderCorrected, [SaleRefunded], { nth: "refund" }),
  relation("payout", PayoutDeleted, [PayoutRequested]),
  relation("payout", PayoutReturned, [PayoutPaid]),
  relation("item", ItemRestored, [ItemArchived]),
  relation("shipment", ShipmentDeliveryReverted, [ShipmentDelivered]),
  relation("shipment", ShipmentReopened, [ShipmentProcessed]),
  relation("shipment", ShipmentDeleted, [ShipmentSubmitted]),
  relation("trade", CounterRetracted, [OfferCountered], { same: "offerId" }),
  relation("trade", AcceptanceCancelled, [OfferAccepted], { same: "offerId" }),
  relation("trade", TradeCancelled, [TradeRequested]),
  relation("trade", TradeRefunded, [TradeFulfilled]),
  relation("trade", TradeReportClosed, [TradeReported]),
];

/** The stream and the types of events that an event of this type may correct or be corrected by; null if there are none. */
export function relatedTypes(
  type: string,
): { readonly stream: ThingKind; readonly types: readonly string[] } | null {
  const own = relations.filter((one) => one.type === type || one.of.includes(type));
  const [first] = own;
  return first === undefined
    ? null
    : { stream: first.stream, types: [...new Set(own.flatMap((one) => [one.type, ...one.of]))] };
}

/** An event of the common stream. */
export type InStream = {
  readonly version: number;
  readonly type: string;
  readonly fields: Fields;
};

/** What `event` corrects: null if its type corrects nothing. `events` are those of its stream. */
function correctedOf<One extends InStream>(event: One, events: readonly One[]): One | null {
  const found = relations.find(({ type }) => type === event.type);
  if (found === undefined) {
    return null;
  }
  const { of, same, nth } = found;
  if (nth !== null) {
    const number = Number(event.fields[nth]);
    return events.filter(({ type }) => of.includes(type))[number - 1] ?? null;
  }
  return (
    events.findLast(
      (other) =>
        other.version < event.version &&
        of.includes(other.type) &&
        (same === null || other.fields[same] === event.fields[same]),
    ) ?? null
  );
}

/** What an event corrects, and what corrected it, among the events of their stream in the order of versions. */
export function relatedOf<One extends InStream>(
  version: number,
  events: readonly One[],
): { readonly corrects: readonly One[]; readonly correctedBy: readonly One[] } {
  const event = events.find((one) => one.version === version);
  if (event === undefined) {
    return { corrects: [], correctedBy: [] };
  }
  const corrected = correctedOf(event, events);
  return {
    corrects: corrected === null ? [] : [corrected],
    correctedBy: events.filter((other) => correctedOf(other, events) === event),
  };
}
