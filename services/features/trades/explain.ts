// How trades read to people: as lines of the buyer's and the sellers' ledgers, of items, and of the trade itself.
import type { z } from "zod/mini";
import type {
  FeatureExplanations,
  Histories,
  ItemWords,
  LedgerWords,
  TradeWords,
} from "#features/histories.ts";
import { titleOnly } from "#features/histories.ts";
import type {
  AcceptanceCancelled,
  OfferAccepted,
  TradeCancelled,
  tradeEvents,
  TradeFulfilled,
  TradeRefunded,
  TradeReminded,
} from "#features/trades/events.ts";
import { thingsText, unitsText } from "#ledger/explain.ts";
import { formatCents } from "#ledger/money.ts";

type DataOf<Definition extends { readonly schema: z.ZodMiniType }> = z.infer<Definition["schema"]>;
type Accepted = DataOf<typeof OfferAccepted>;
type Cancelled = DataOf<typeof TradeCancelled>;
type PartCancelled = DataOf<typeof AcceptanceCancelled>;
type Fulfilled = DataOf<typeof TradeFulfilled>;
type Refunded = DataOf<typeof TradeRefunded>;
type Reminded = DataOf<typeof TradeReminded>;
type Step = LedgerWords["steps"][number];

const elsewhere = { consignor: null, item: null, user: null } as const;

function each(units: number, cents: number): string {
  return `${unitsText(units)} at ${formatCents(cents)} each`;
}

function step(label: string, cents: number): Step[] {
  return cents === 0 ? [] : [{ label, cents }];
}

/** A line of the trade that says this and gives no reason. */
function line<Data>(
  kind: Histories["trade"]["kind"],
  describe: string | ((data: Data) => string),
): { readonly kind: typeof kind; readonly read: (data: Data) => TradeWords } {
  return {
    kind,
    read: (data) => ({
      description: typeof describe === "string" ? describe : describe(data),
      noteId: null,
    }),
  };
}

const held = { label: "Held for a trade", tone: "pending" } as const;
const released = { label: "Trade cancelled", tone: "correction" } as const;

function heldLine(data: Accepted): LedgerWords {
  const { units, pricePerItem, shippingFeeCents, itemName, tradeId } = data;
  const priceCents = units * pricePerItem;
  return {
    chip: held,
    description:
      shippingFeeCents === 0
        ? `${thingsText(units, itemName)} accepted, the price held for it`
        : `${thingsText(units, itemName)} accepted, the price and shipping held for it`,
    about: { kind: "trade", id: tradeId },
    steps:
      shippingFeeCents === 0
        ? []
        : [
            { label: "Price", cents: -priceCents },
            { label: "Shipping", cents: -shippingFeeCents },
            { label: "Held", cents: -priceCents - shippingFeeCents },
          ],
    noteId: null,
  };
}

function releasedLine(data: Cancelled | PartCancelled): LedgerWords {
  const { itemName, tradeId, returnedCents, returnedFeeCents, noteId } = data;
  const back = returnedFeeCents === 0 ? "the price is" : "the price and shipping are";
  return {
    chip: released,
    description:
      "units" in data
        ? `${thingsText(data.units, itemName)} of a trade cancelled, ${back} available again`
        : `Trade of ${itemName} cancelled, the money is available again`,
    about: { kind: "trade", id: tradeId },
    steps:
      returnedFeeCents === 0 || returnedCents === 0
        ? []
        : [
            { label: "Price", cents: returnedCents },
            { label: "Shipping", cents: returnedFeeCents },
            { label: "Available again", cents: returnedCents + returnedFeeCents },
          ],
    noteId,
  };
}

/** One seller's part. */
function paidLine(data: Fulfilled, uid: string): LedgerWords {
  const own = data.payments.filter(({ sellerUid }) => sellerUid === uid);
  const sum = (part: "units" | "priceCents" | "commissionCents" | "payoutCents") =>
    own.reduce((total, payment) => total + payment[part], 0);
  return {
    chip: { label: "Trade", tone: "credit" },
    description: `${thingsText(sum("units"), data.itemName)} traded`,
    about: { kind: "trade", id: data.tradeId },
    steps: [
      ...step("Price", sum("priceCents")),
      ...step("Store's commission", -sum("commissionCents")),
      { label: "Your share", cents: sum("payoutCents") },
    ],
    noteId: null,
  };
}

function refundLine(data: Refunded, uid: string): LedgerWords {
  const { buyerUid, units, itemName, tradeId, noteId } = data;
  // Without units, only money went back: often a part of the price.
  const what =
    units === 0 ? `Part of a trade of ${itemName}` : `${thingsText(units, itemName)} of a trade`;
  return {
    chip: { label: "Trade refunded", tone: uid === buyerUid ? "credit" : "debit" },
    description: uid === buyerUid ? `${what} refunded` : `${what} refunded to the buyer`,
    about: { kind: "trade", id: tradeId },
    steps: [],
    noteId,
  };
}

/** The title says how many units came back to this item, if any did. */
const backInItem = (title: string) => ({
  kind: "back" as const,
  read: (_data: unknown, { unitsDelta }: Histories["item"]["facts"]): ItemWords => ({
    ...titleOnly,
    title: unitsDelta > 0 ? `${title}, ${unitsText(unitsDelta)} back in stock` : title,
  }),
});

function reminder({ about, day }: Reminded): string {
  if (about === "answer") {
    return "A seller was reminded to answer";
  }
  return about === "label"
    ? `The buyer was reminded of the label after ${day} days`
    : `The store was reminded after ${day} days`;
}

const lostWords = { restock: "back in stock", lost: "lost", damaged: "damaged" } as const;

const reportWords = {
  lost: "Reported lost",
  damaged: "Reported damaged",
  wrong: "Reported as the wrong item",
  returned: "Reported as returned",
} as const;

export const tradeExplanations: FeatureExplanations<typeof tradeEvents> = {
  TradeRequested: {
    ...elsewhere,
    trade: line(
      "requested",
      ({ quantity, pricePerItem }) => `Requested: ${each(quantity, pricePerItem)}`,
    ),
  },
  OfferAccepted: {
    consignor: { kind: "trade", read: heldLine },
    item: {
      kind: "traded",
      read: ({ pricePerItem }, { unitsDelta }) => ({
        ...titleOnly,
        title: `Held for a trade: ${unitsText(-unitsDelta)}`,
        priceCents: pricePerItem * -unitsDelta,
      }),
    },
    user: null,
    trade: line(
      "accepted",
      ({ by, units, pricePerItem }) =>
        `${by === "buyer" ? "Counter accepted" : "Accepted"}: ${each(units, pricePerItem)}`,
    ),
  },
  OfferDeclined: { ...elsewhere, trade: line("offer", "Declined") },
  OfferClosed: { ...elsewhere, trade: line("offer", "The seller has none left") },
  OfferCountered: {
    ...elsewhere,
    trade: line(
      "offer",
      ({ quantity, pricePerItem }) => `Countered: ${each(quantity, pricePerItem)}`,
    ),
  },
  CounterRetracted: { ...elsewhere, trade: line("offer", "Counter taken back") },
  OffersExpired: {
    ...elsewhere,
    trade: line("offer", ({ offers }) =>
      offers.length === 1 ? "An offer expired" : `${offers.length} offers expired`,
    ),
  },
  TradeRaised: {
    ...elsewhere,
    trade: line(
      "offer",
      ({ before, after }) => `Price raised from ${formatCents(before)} to ${formatCents(after)}`,
    ),
  },
  TradeRestClosed: { ...elsewhere, trade: line("offer", "The open offers were withdrawn") },
  TradeCancelled: {
    consignor: { kind: "trade", read: releasedLine },
    item: backInItem("Trade cancelled"),
    user: null,
    trade: {
      kind: "ended",
      read: ({ by, noteId }) => ({
        description:
          by === "time" ? "Cancelled, because the label never came" : "Cancelled, all goes back",
        noteId,
      }),
    },
  },
  AcceptanceCancelled: {
    consignor: { kind: "trade", read: releasedLine },
    item: {
      kind: "back",
      read: ({ as, units }, { unitsDelta }) => ({
        ...titleOnly,
        title:
          as === "restock"
            ? `Part of a trade cancelled, ${unitsText(unitsDelta)} back in stock`
            : `${unitsText(units)} ${lostWords[as]} in a trade`,
      }),
    },
    user: null,
    trade: {
      kind: "returned",
      read: ({ units, as, noteId }) => ({
        description: `Cancelled: ${unitsText(units)}, ${lostWords[as]}`,
        noteId,
      }),
    },
  },
  TradeLabelUploaded: {
    ...elsewhere,
    trade: line("shipping", ({ replacedLabelId, carrier }) =>
      replacedLabelId === null ? `Label uploaded (${carrier})` : `Label replaced (${carrier})`,
    ),
  },
  TradeAddressChanged: {
    ...elsewhere,
    trade: line("shipping", ({ voidedLabelId }) =>
      voidedLabelId === null
        ? "Shipping address changed"
        : "Shipping address changed, the label is void",
    ),
  },
  TradeFulfilled: {
    consignor: { kind: "trade", read: (data, { uid }) => paidLine(data, uid) },
    item: null,
    user: null,
    trade: line("shipping", ({ payments }) => {
      const units = payments.reduce((sum, payment) => sum + payment.units, 0);
      return `Fulfilled: ${unitsText(units)}, the sellers are paid`;
    }),
  },
  TradeCompleted: {
    ...elsewhere,
    trade: line("ended", ({ by }) =>
      by === "buyer" ? "Completed: the goods arrived" : "Completed, because nothing was reported",
    ),
  },
  TradeReported: {
    ...elsewhere,
    trade: {
      kind: "problem",
      read: ({ kind, noteId }) => ({ description: reportWords[kind], noteId }),
    },
  },
  TradeReportClosed: {
    ...elsewhere,
    trade: {
      kind: "problem",
      read: ({ by, noteId }) => ({
        description: by === "buyer" ? "The report was taken back" : "The report was turned down",
        noteId,
      }),
    },
  },
  TradeRefunded: {
    consignor: { kind: "trade", read: (data, { uid }) => refundLine(data, uid) },
    item: backInItem("Trade refunded"),
    user: null,
    trade: {
      kind: "returned",
      read: ({ cents, units, borneBy, noteId }) => ({
        description: `Refunded ${formatCents(cents)}${units === 0 ? "" : ` for ${unitsText(units)}`}, borne by the ${borneBy}`,
        noteId,
      }),
    },
  },
  TradeReminded: { ...elsewhere, trade: line("reminder", reminder) },
};
