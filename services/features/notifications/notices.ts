// From an event to notifications: who gets one, in which words, and which screen shows it. Pure; the words are made when they are needed.
import { CustomSaleRecorded, SaleRecorded } from "#features/sales/events.ts";
import {
  PayoutDeleted,
  PayoutPaid,
  PayoutRequested,
  PayoutReturned,
} from "#features/payouts/events.ts";
import { ShipmentProcessed } from "#features/shipments/events.ts";
import type { Party } from "#features/trades/events.ts";
import {
  OfferAccepted,
  OfferCountered,
  OfferDeclined,
  OffersExpired,
  TradeFulfilled,
  TradeRaised,
  TradeRequested,
} from "#features/trades/events.ts";
import type { NotificationKind } from "#features/notifications/contract.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { inOneLine, withoutHidden } from "#ledger/fields.ts";
import { thingsText, unitsText } from "#ledger/explain.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type { ReadFact } from "#ledger/log/read-event.ts";
import { formatCents } from "#ledger/money.ts";

/** What a person reads. */
export type NoticeWords = {
  readonly title: string;
  readonly text: string;
  /** An address of the app, without its origin. */
  readonly path: string;
};

export type Notice = NoticeWords & {
  readonly kind: NotificationKind;
  /** A uid, or everybody who runs the store. */
  readonly to: { readonly uid: string } | "admins";
};

/** Personal texts from outside the log, which only the app shows: letters and Discord get neither names nor reasons. */
export type Personal = {
  /** The consignor's name, for admins. */
  readonly person: string | null;
  /** The name of whoever did it in the consignor's place, for admins; null if the consignor did. */
  readonly inPlace: string | null;
  /** The reason that an admin gave. */
  readonly reason: string | null;
  /** The consignor's own handle that a payout was sent to. */
  readonly handle: string | null;
};

const UNSAID: Personal = { person: null, inPlace: null, reason: null, handle: null };

type Reader = {
  readonly type: string;
  readonly read: (data: unknown, personal: Personal) => readonly Notice[];
};

function when<Data>(
  definition: EventDefinition<string, Data>,
  read: (data: Data, personal: Personal) => readonly Notice[],
): Reader {
  // Whoever calls it has upcast the data with this definition.
  return { type: definition.type, read: (data, personal) => read(data as Data, personal) };
}

const methods = { cashapp: "CashApp", venmo: "Venmo" } as const;

function terms(units: number, cents: number): string {
  return `${unitsText(units)} at ${formatCents(cents)} each`;
}

function sold(uid: string, saleId: string, what: string, cents: number): Notice {
  return {
    kind: "sale",
    to: { uid },
    title: `${what} sold`,
    text: `You get ${formatCents(cents)}.`,
    path: `/sales-history?tab=sales&sale=${saleId}`,
  };
}

type OfTrade = {
  readonly tradeId: string;
  readonly buyerUid: string;
};

/** A notification for one party of a trade: sellers open it in their offers, buyers in their trades. */
function toParty(
  party: Party,
  sellerUid: string,
  { tradeId, buyerUid }: OfTrade,
  notice: Omit<Notice, "to" | "path">,
): Notice {
  return party === "seller"
    ? { ...notice, to: { uid: sellerUid }, path: `/my-offers?trade=${tradeId}` }
    : { ...notice, to: { uid: buyerUid }, path: `/my-trades?trade=${tradeId}` };
}

const other = (party: Party): Party => (party === "buyer" ? "seller" : "buyer");

/** What this party said yes or no to. Buyers make requests, to which sellers can counter. */
function proposalOf(answeredBy: Party): string {
  return answeredBy === "seller" ? "request" : "counter offer";
}

function whoAsks(person: string | null, inPlace: string | null): string {
  if (person === null) {
    return "It is";
  }
  return inPlace === null
    ? `${person} asks for it,`
    : `${inPlace} asks for it in the name of ${person},`;
}

const ofMoney: readonly Reader[] = [
  when(SaleRecorded, ({ consignorId, saleId, units, itemName, payoutCents }) => [
    sold(consignorId, saleId, thingsText(units, itemName), payoutCents),
  ]),
  when(CustomSaleRecorded, ({ consignorId, saleId, itemName, amountCents }) => [
    sold(consignorId, saleId, itemName, amountCents),
  ]),
  when(PayoutRequested, ({ consignorId, amountCents, method }, { person, inPlace }) => [
    {
      kind: "payout-requested",
      to: "admins",
      title: `A payout of ${formatCents(amountCents)} was requested`,
      text: `${whoAsks(person, inPlace)} to be paid with ${methods[method]}.`,
      path: "/payout-requests",
    },
    // Consignors are not told of what they asked for themselves.
    {
      kind: "payout-for-me",
      to: { uid: consignorId },
      title: `The store requested a payout of ${formatCents(amountCents)} for you`,
      text: `It is to be paid with ${methods[method]}. If you did not agree to it, tell the store now.`,
      path: "/sales-history?tab=payouts",
    },
  ]),
  when(PayoutPaid, ({ consignorId, amountCents, method }, { handle }) => [
    {
      kind: "payout-paid",
      to: { uid: consignorId },
      title: `Your payout of ${formatCents(amountCents)} was paid`,
      text: `It was paid with ${methods[method]}${handle === null ? "" : `, to ${handle}`}.`,
      path: "/sales-history?tab=payouts",
    },
  ]),
  when(PayoutDeleted, ({ consignorId, amountCents }) => [
    // Consignors are not told of what they withdrew themselves.
    {
      kind: "payout-deleted",
      to: { uid: consignorId },
      title: `Your payout request of ${formatCents(amountCents)} was deleted`,
      text: "The money is available again.",
      path: "/sales-history?tab=payouts",
    },
  ]),
  when(PayoutReturned, ({ consignorId, amountCents, method }, { reason }) => [
    {
      kind: "payout-returned",
      to: { uid: consignorId },
      title: `Your payout of ${formatCents(amountCents)} came back`,
      text: `${reason === null ? `The transfer with ${methods[method]} failed.` : `The store says: “${reason}”.`} The money is available again.`,
      path: "/sales-history?tab=payouts",
    },
  ]),
];

const ofShipments: readonly Reader[] = [
  when(ShipmentProcessed, ({ consignorId, receivedUnits, refusedUnits }) => {
    const counts = [
      receivedUnits === null ? null : `${unitsText(receivedUnits)} received`,
      refusedUnits === 0 ? null : `${unitsText(refusedUnits)} refused`,
    ].filter((count) => count !== null);
    return consignorId === null
      ? []
      : [
          {
            kind: "shipment-processed",
            to: { uid: consignorId },
            title: "Your shipment was processed",
            text: counts.length === 0 ? "The store took it in." : `${counts.join(", ")}.`,
            path: "/user-shipments",
          },
        ];
  }),
];

const ofTrades: readonly Reader[] = [
  when(TradeRequested, (data) =>
    data.offers
      .filter(({ status }) => status === "pending")
      .map(({ sellerUid, quantityOffered }) =>
        toParty("seller", sellerUid, data, {
          kind: "offer",
          title: `An offer for ${data.itemName}`,
          text: `Somebody asks for ${terms(quantityOffered, data.pricePerItem)}. It waits 48 hours for your answer.`,
        }),
      ),
  ),
  when(TradeRaised, (data) =>
    data.offers
      .filter(({ status }) => status === "pending")
      .map(({ sellerUid }) =>
        toParty("seller", sellerUid, data, {
          kind: "counter",
          title: `A higher offer for ${data.itemName}`,
          text: `The buyer offers ${formatCents(data.after)} each instead of ${formatCents(data.before)}.`,
        }),
      ),
  ),
  when(OfferCountered, (data) => [
    toParty(other(data.by), data.sellerUid, data, {
      kind: "counter",
      title: `A counter offer for ${data.itemName}`,
      text: `The ${data.by} proposes ${terms(data.quantity, data.pricePerItem)}.`,
    }),
  ]),
  when(OfferAccepted, (data) => [
    toParty(other(data.by), data.sellerUid, data, {
      kind: "answer",
      title: `Your ${proposalOf(data.by)} for ${data.itemName} was accepted`,
      text: `The ${data.by} accepted ${terms(data.units, data.pricePerItem)}.`,
    }),
  ]),
  when(OfferDeclined, (data) => [
    toParty(other(data.by), data.sellerUid, data, {
      kind: "answer",
      title: `Your ${proposalOf(data.by)} for ${data.itemName} was declined`,
      text: `The ${data.by} said no.`,
    }),
  ]),
  when(OffersExpired, (data) => {
    const expired = data.offers.filter(({ status }) => status === "expired");
    const words = {
      kind: "expiry",
      title: `An offer for ${data.itemName} expired`,
      text: "Nobody answered in time.",
    } as const;
    return expired.length === 0
      ? []
      : [
          toParty("buyer", data.buyerUid, data, words),
          ...expired.map(({ sellerUid }) => toParty("seller", sellerUid, data, words)),
        ];
  }),
  when(TradeFulfilled, (data) => [
    toParty("buyer", data.buyerUid, data, {
      kind: "trade-fulfilled",
      title: `Your trade of ${data.itemName} was fulfilled`,
      text: "The store sent it to you.",
    }),
    ...data.payments.map(({ sellerUid, units, payoutCents }) => ({
      kind: "trade-fulfilled" as const,
      to: { uid: sellerUid },
      title: `${thingsText(units, data.itemName)} traded`,
      text: `You get ${formatCents(payoutCents)}.`,
      path: "/sales-history",
    })),
  ]),
];

const readers: ReadonlyMap<string, Reader> = new Map(
  [...ofMoney, ...ofShipments, ...ofTrades].map((reader) => [reader.type, reader]),
);

/** The types of events that have notifications. */
export const toldTypes: readonly string[] = [...readers.keys()];

/** What an event tells people; nothing if it cannot be read. */
export function noticesOf(fact: ReadFact, personal = UNSAID): readonly Notice[] {
  return fact.kind === "read" ? (readers.get(fact.type)?.read(fact.data, personal) ?? []) : [];
}

/** The note with the reason that the words of an event show; null without one. */
export function noteShown(fact: ReadFact): string | null {
  const { noteId } =
    fact.kind === "read" && fact.type === PayoutReturned.type ? fieldsOf(fact) : {};
  return typeof noteId === "string" ? noteId : null;
}

/** The handle that the words of an event show; null without one. */
export function handleShown(fact: ReadFact): string | null {
  const { handleId } = fact.kind === "read" && fact.type === PayoutPaid.type ? fieldsOf(fact) : {};
  return typeof handleId === "string" ? handleId : null;
}

/** The words of one person's notification; undefined if the event does not tell this person of this. */
export function wordsFor(
  fact: ReadFact,
  kind: string,
  uid: string,
  personal = UNSAID,
): NoticeWords | undefined {
  const found = noticesOf(fact, personal).find(
    (notice) => notice.kind === kind && (notice.to === "admins" || notice.to.uid === uid),
  );
  return found && { title: lineOf(found.title), text: lineOf(found.text), path: found.path };
}

/** Names that were stored before names had to be one line are read as one. */
function lineOf(text: string): string {
  return withoutHidden(inOneLine(text));
}
