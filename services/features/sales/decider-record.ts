// Decides recording a sale: of a consignor's item, of the store's own item, or without any item.
import type { Decider, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import { emit, type EventOf } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { payoutOf } from "#ledger/money.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { itemStreamId, takeUnits } from "#features/inventory/streams.ts";
import { CustomSaleRecorded, MasterSaleRecorded, SaleRecorded } from "#features/sales/events.ts";
import { salePostings } from "#features/sales/legs.ts";
import type { SaleTaxRate, SaleTender } from "#features/sales/events.ts";
import { customTerms, saleStream, saleStreamId, SOLD } from "#features/sales/streams.ts";
import {
  lowestDefaultSince,
  ratesOf,
  settingsStream,
  STORE_SETTINGS,
  taxRateAt,
} from "#features/settings/streams.ts";
import {
  recipientStreams,
  refuseRecipient,
  userStream,
  userStreamId,
} from "#features/users/streams.ts";

export type SaleChannel = "online" | "pos";

/** What the till says about the whole cart, as the event has it: what nobody said is missing. */
export type TillFacts = {
  /** The same for all sales of a cart. */
  readonly receiptId?: string;
  readonly tender?: SaleTender;
  /** The certificate that freed the customer from the tax; its note has the number. */
  readonly taxExemption?: { readonly noteId: string | null };
};

export type RecordSale = {
  readonly saleId: string;
  readonly consignorId: string;
  readonly itemId: string;
  /** The scanned barcode; null if none was scanned. */
  readonly barcode1: string | null;
  readonly units: number;
  /** Total for all units, without tax. */
  readonly priceCents: Cents;
  readonly shippingCents: Cents;
  readonly salesTaxCents: Cents;
  /** What the till charged, 825 for 8.25 %; null if no till named a rate. */
  readonly taxRateBasisPoints: number | null;
  /** Null: the share agreed with the consignor, else the store's default. */
  readonly consignorPercentage: number | null;
  readonly channel: SaleChannel;
  readonly till?: TillFacts;
  /** When it was sold. */
  readonly happenedAt: string;
};

export type RecordMasterSale = {
  readonly saleId: string;
  readonly itemId: string;
  readonly units: number;
  /** Null if only stock moves. */
  readonly priceCents: Cents | null;
  readonly salesTaxCents: Cents;
  /** As with a consignor's item. */
  readonly taxRateBasisPoints: number | null;
  readonly channel: SaleChannel;
  readonly till?: TillFacts;
  readonly happenedAt: string;
};

export type RecordCustomSale = {
  readonly saleId: string;
  readonly consignorId: string;
  readonly itemName: string;
  readonly amountCents: Cents;
  readonly happenedAt: string;
};

export type SaleRecordedAnswer = {
  readonly saleId: string;
  readonly payoutCents: Cents;
  /** Units of the item left; null for a custom sale. */
  readonly remainingUnits: number | null;
};

function saleExists(states: States, saleId: string): boolean {
  return states.get(saleStream, saleStreamId(saleId)).version > 0;
}

/** The rate that was charged, marked if the store had another one at that time. */
function chargedRate(
  { taxRateBasisPoints, happenedAt }: Pick<RecordSale, "taxRateBasisPoints" | "happenedAt">,
  states: States,
): SaleTaxRate {
  if (taxRateBasisPoints === null) {
    return null;
  }
  const { state } = states.get(settingsStream, STORE_SETTINGS);
  const outdated = taxRateAt(state, happenedAt) !== taxRateBasisPoints;
  return { basisPoints: taxRateBasisPoints, outdated };
}

/** How long a raised default share is on the sales that it applies to. */
const RAISED_LATELY_MS = 7 * DAY_MS;

/**
 * The consignor's share, and on the event what tells that it is not what the consignor always had: an admin may have
 * sold own goods.
 */
function shareOf(
  { consignorId, consignorPercentage: given, happenedAt }: RecordSale,
  states: States,
): Pick<
  EventOf<typeof SaleRecorded>["data"],
  "consignorPercentage" | "usualPercentage" | "lowerDefaultPercentage"
> {
  const { agreedPercentage } = states.get(userStream, userStreamId(consignorId)).state;
  const usualPercentage = agreedPercentage ?? ratesOf(states).defaultConsignorPercentage;
  if (given !== null && given !== usualPercentage) {
    return { consignorPercentage: given, usualPercentage };
  }
  const since = new Date(Date.parse(happenedAt) - RAISED_LATELY_MS).toISOString();
  const lowest = lowestDefaultSince(states.get(settingsStream, STORE_SETTINGS).state, since);
  return agreedPercentage === null && lowest < usualPercentage
    ? { consignorPercentage: usualPercentage, lowerDefaultPercentage: lowest }
    : { consignorPercentage: usualPercentage };
}

const SALE_EXISTS = reject(409, "sale_exists", "This sale was recorded already");

/** Rejects 404 `consignor_not_found`, `item_not_found`; 409 `item_archived`, `not_enough_stock`, `barcode_mismatch`, `sale_exists`. */
export const recordSale: Decider<RecordSale, SaleRecordedAnswer> = {
  type: "RecordSale",
  streams: ({ saleId, itemId, consignorId }) => [
    saleStreamId(saleId),
    itemStreamId(itemId),
    consignorStreamId(consignorId),
    ...recipientStreams(consignorId),
    STORE_SETTINGS,
  ],
  newStreams: ({ saleId }) => [saleStreamId(saleId)],
  decide: (command, states) => {
    const { saleId, consignorId, itemId, units, priceCents, shippingCents } = command;
    const refusal = refuseRecipient(states, consignorId);
    if (refusal !== null) {
      return refusal;
    }
    if (saleExists(states, saleId)) {
      return SALE_EXISTS;
    }
    const wanted = { itemId, ownerUid: consignorId, units, to: SOLD };
    const taken = takeUnits(states, wanted);
    if (taken.kind === "rejected") {
      return taken;
    }
    const { item, movements } = taken;
    const { itemName, barcode1 } = item.details;
    if (command.barcode1 !== null && command.barcode1 !== barcode1) {
      return reject(409, "barcode_mismatch", `This item's barcode is ${barcode1}`, { barcode1 });
    }
    const { salesTaxCents, channel, happenedAt } = command;
    const share = shareOf(command, states);
    const { consignorPercentage } = share;
    const payoutCents = payoutOf(priceCents, shippingCents, consignorPercentage);
    const terms = { itemName, units, priceCents, shippingCents, salesTaxCents };
    const split = { consignorPercentage, payoutCents };
    const taxRate = chargedRate(command, states);
    const sold = { saleId, consignorId, itemId, barcode1, ...terms, taxRate, channel };
    const event = emit(
      SaleRecorded,
      { ...sold, ...share, payoutCents, rounding: "half_up", ...command.till },
      {
        streams: [saleStreamId(saleId), itemStreamId(itemId), consignorStreamId(consignorId)],
        postings: salePostings({ kind: "consignor", consignorId }, { ...terms, ...split }),
        movements,
        happenedAt,
      },
    );
    return accept([event], { saleId, payoutCents, remainingUnits: item.quantity - units });
  },
};

/** Rejects like `recordSale`, except for consignor and barcode. Nobody is paid. */
export const recordMasterSale: Decider<RecordMasterSale, SaleRecordedAnswer> = {
  type: "RecordMasterSale",
  streams: ({ saleId, itemId, taxRateBasisPoints }) => [
    saleStreamId(saleId),
    itemStreamId(itemId),
    ...(taxRateBasisPoints === null ? [] : [STORE_SETTINGS]),
  ],
  newStreams: ({ saleId }) => [saleStreamId(saleId)],
  decide: (command, states) => {
    const { saleId, itemId, units, priceCents, salesTaxCents, channel, happenedAt } = command;
    if (saleExists(states, saleId)) {
      return SALE_EXISTS;
    }
    const taken = takeUnits(states, { itemId, ownerUid: null, units, to: SOLD });
    if (taken.kind === "rejected") {
      return taken;
    }
    const { item, movements } = taken;
    const { itemName, barcode1 } = item.details;
    const terms = { itemName, units, priceCents, salesTaxCents };
    const sold = { saleId, itemId, barcode1, ...terms, channel, ...command.till };
    const event = emit(
      MasterSaleRecorded,
      { ...sold, taxRate: chargedRate(command, states) },
      {
        streams: [saleStreamId(saleId), itemStreamId(itemId)],
        postings: salePostings(
          { kind: "master", consignorId: null },
          { ...terms, shippingCents: 0, consignorPercentage: null, payoutCents: 0 },
        ),
        movements,
        happenedAt,
      },
    );
    return accept([event], { saleId, payoutCents: 0, remainingUnits: item.quantity - units });
  },
};

/** Rejects 404 `consignor_not_found` and 409 `sale_exists`. The consignor gets the full amount. */
export const recordCustomSale: Decider<RecordCustomSale, SaleRecordedAnswer> = {
  type: "RecordCustomSale",
  streams: ({ saleId, consignorId }) => [
    saleStreamId(saleId),
    consignorStreamId(consignorId),
    ...recipientStreams(consignorId),
  ],
  newStreams: ({ saleId }) => [saleStreamId(saleId)],
  decide: ({ saleId, consignorId, itemName, amountCents, happenedAt }, states) => {
    const refusal = refuseRecipient(states, consignorId);
    if (refusal !== null) {
      return refusal;
    }
    if (saleExists(states, saleId)) {
      return SALE_EXISTS;
    }
    const event = emit(
      CustomSaleRecorded,
      { saleId, consignorId, itemName, amountCents },
      {
        streams: [saleStreamId(saleId), consignorStreamId(consignorId)],
        postings: salePostings({ kind: "custom", consignorId }, customTerms(itemName, amountCents)),
        happenedAt,
      },
    );
    return accept([event], { saleId, payoutCents: amountCents, remainingUnits: null });
  },
};
