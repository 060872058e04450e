// The stream of one sale: its corrected terms, and what was refunded. And the stream of erased tax certificates.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import type { AnyEvent } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { defineName } from "#ledger/names.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  RefundTenderCorrected,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
  SaleTenderCorrected,
  TaxCertificateErased,
} from "#features/sales/events.ts";
import type { SaleTender, SaleTerms } from "#features/sales/events.ts";

export type SaleKind = "consignor" | "master" | "custom";

export type RecordedSale = {
  readonly status: "recorded";
  readonly kind: SaleKind;
  /** Null for a sale of the store's own item. */
  readonly consignorId: string | null;
  /** Null for a custom sale. */
  readonly itemId: string | null;
  readonly terms: SaleTerms;
  /** How the customer paid; null if nobody said. */
  readonly tender: SaleTender | null;
  /** How the money of each refund went back, the first one first; null where nobody said. */
  readonly refundTenders: readonly (SaleTender | null)[];
  /** The sum of all refunds. */
  readonly refunded: {
    readonly units: number;
    readonly priceCents: Cents;
    readonly salesTaxCents: Cents;
    readonly payoutCents: Cents;
  };
};

export type SaleState = { readonly status: "none" } | RecordedSale;

const saleStreamName = defineName("sale_stream", "sale-");

export function saleStreamId(saleId: string): string {
  return saleStreamName.of(saleId);
}

export const saleNames = [saleStreamName] as const;

/** The customers, who pay for sales. */
export const CUSTOMERS = "world:customers";
/** The store's share; it may decrease. */
export const STORE_REVENUE = "store:revenue";
export const STORE_SHIPPING = "store:shipping";
export const STORE_SALES_TAX = "store:sales-tax";

/** The holding of sold units. */
export const SOLD = "world:sold";

export const saleStream: StreamDefinition<SaleState> = {
  category: "sale",
  stateVersion: 3,
  initial: { status: "none" },
  evolve,
};

/** The stream of all erasures of certificates' numbers; there is one. */
export const CERTIFICATES = "certificates";

export const certificatesStream: StreamDefinition<{ readonly erased: number }> = {
  category: CERTIFICATES,
  onlyId: CERTIFICATES,
  extendedBy: [TaxCertificateErased.type],
  stateVersion: 1,
  initial: { erased: 0 },
  evolve: (state, event) =>
    is(TaxCertificateErased, event) ? { erased: state.erased + event.data.noteIds.length } : state,
};

const NOTHING_REFUNDED = { units: 0, priceCents: 0, salesTaxCents: 0, payoutCents: 0 } as const;

function evolve(state: SaleState, event: AnyEvent): SaleState {
  const recorded = recordedBy(event);
  if (recorded !== null) {
    return recorded;
  }
  if (state.status === "none") {
    return state;
  }
  if (is(SaleCorrected, event)) {
    return { ...state, terms: event.data.after };
  }
  if (is(SaleTenderCorrected, event)) {
    return { ...state, tender: event.data.after };
  }
  if (is(RefundTenderCorrected, event)) {
    const { refund, after } = event.data;
    const refundTenders = state.refundTenders.map((tender, index) =>
      index === refund - 1 ? after : tender,
    );
    return { ...state, refundTenders };
  }
  if (is(SaleRefunded, event)) {
    const { refunded, refundTenders } = state;
    return {
      ...state,
      refundTenders: [...refundTenders, event.data.tender ?? null],
      refunded: {
        units: refunded.units + event.data.units,
        priceCents: refunded.priceCents + event.data.priceCents,
        salesTaxCents: refunded.salesTaxCents + event.data.salesTaxCents,
        payoutCents: refunded.payoutCents + event.data.payoutCents,
      },
    };
  }
  return state;
}

function recordedBy(event: AnyEvent): RecordedSale | null {
  if (is(SaleRecorded, event)) {
    const { tender = null } = event.data;
    const { consignorId, itemId, itemName, units, priceCents } = event.data;
    const { shippingCents, salesTaxCents, consignorPercentage, payoutCents } = event.data;
    return sale(
      "consignor",
      { consignorId, itemId, tender },
      {
        itemName,
        units,
        priceCents,
        shippingCents,
        salesTaxCents,
        consignorPercentage,
        payoutCents,
      },
    );
  }
  if (is(MasterSaleRecorded, event)) {
    const { itemId, itemName, units, priceCents, salesTaxCents, tender = null } = event.data;
    return sale(
      "master",
      { consignorId: null, itemId, tender },
      {
        itemName,
        units,
        priceCents,
        shippingCents: 0,
        salesTaxCents,
        consignorPercentage: null,
        payoutCents: 0,
      },
    );
  }
  if (is(CustomSaleRecorded, event)) {
    const { consignorId, itemName, amountCents } = event.data;
    return sale(
      "custom",
      { consignorId, itemId: null, tender: null },
      customTerms(itemName, amountCents),
    );
  }
  return null;
}

function sale(
  kind: SaleKind,
  whose: Pick<RecordedSale, "consignorId" | "itemId" | "tender">,
  terms: SaleTerms,
): RecordedSale {
  return {
    status: "recorded",
    kind,
    ...whose,
    terms,
    refundTenders: [],
    refunded: NOTHING_REFUNDED,
  };
}

/** The terms of a sale without an item: all of it is the consignor's. */
export function customTerms(itemName: string, amountCents: Cents): SaleTerms {
  return {
    itemName,
    units: 1,
    priceCents: amountCents,
    shippingCents: 0,
    salesTaxCents: 0,
    consignorPercentage: null,
    payoutCents: amountCents,
  };
}
