// How one event of a sale reads in its story: what was sold, what a correction changed, what a refund gave back. Pure.
import type { z } from "zod/mini";
import { is } from "#ledger/event.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { unitsText } from "#ledger/explain.ts";
import type { Cents } from "#ledger/money.ts";
import { toDollars } from "#ledger/money.ts";
import type { StoryChange, StoryEntry } from "#features/sales/contract-story.ts";
import type { SaleTerms } from "#features/sales/events.ts";
import { byTender, saleNotes, tenderNames } from "#features/sales/explain.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  RefundTenderCorrected,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";

export type StoryWords = Pick<StoryEntry, "kind" | "title"> & {
  /** For admins, one sentence each. */
  readonly notes: readonly string[];
  readonly amounts: Amounts;
  readonly changes: readonly StoryChange[];
  /** The given reason, in identity.notes. */
  readonly noteId: string | null;
  /** What it changes of the consignor's available balance. */
  readonly balanceCents: Cents;
};

type Amounts = Readonly<StoryEntry["amounts"]>;

/** Tax and the store's part are for admins only. The buyer's tax does not concern the consignor. */
export function storyOf(event: AnyEvent, forAdmin: boolean): StoryWords | null {
  return recordedWords(event, forAdmin) ?? changedWords(event, forAdmin);
}

function recordedWords(event: AnyEvent, forAdmin: boolean): StoryWords | null {
  const recorded = { kind: "recorded", notes: [], changes: [], noteId: null } as const;
  if (is(SaleRecorded, event)) {
    const { units, priceCents, shippingCents, payoutCents, salesTaxCents } = event.data;
    return {
      ...recorded,
      balanceCents: payoutCents,
      title: `Sold ${unitsText(units)}`,
      notes: forAdmin ? saleNotes(event.data) : [],
      amounts: [
        { label: "Price", amount: toDollars(priceCents) },
        ...unlessZero("Shipping", shippingCents),
        ...(forAdmin ? unlessZero("Sales tax", salesTaxCents) : []),
        { label: share(forAdmin), amount: toDollars(payoutCents) },
        ...(forAdmin ? [store(priceCents - shippingCents - payoutCents)] : []),
      ],
    };
  }
  if (is(MasterSaleRecorded, event)) {
    const { units, priceCents, salesTaxCents } = event.data;
    return {
      ...recorded,
      balanceCents: 0,
      title: `Sold ${unitsText(units)}${priceCents === null ? ", without a price" : ""}`,
      notes: forAdmin ? saleNotes(event.data) : [],
      amounts:
        priceCents === null
          ? []
          : [
              { label: "Price", amount: toDollars(priceCents) },
              ...unlessZero("Sales tax", salesTaxCents),
            ],
    };
  }
  if (is(CustomSaleRecorded, event)) {
    const amount = toDollars(event.data.amountCents);
    return {
      ...recorded,
      balanceCents: event.data.amountCents,
      title: "Custom sale",
      amounts: [
        { label: "Price", amount },
        { label: share(forAdmin), amount },
      ],
    };
  }
  return null;
}

function changedWords(event: AnyEvent, forAdmin: boolean): StoryWords | null {
  if (is(SaleCorrected, event)) {
    const { before, after, noteId, consignorId } = event.data;
    const changes = changesBetween(before, after, { forAdmin, hasConsignor: consignorId !== null });
    const balanceCents = after.payoutCents - before.payoutCents;
    const said = { kind: "corrected", title: "Corrected", notes: [], amounts: [] } as const;
    return { ...said, changes, noteId, balanceCents };
  }
  if (is(SaleRefunded, event)) {
    const { units, restocked, noteId, tender } = event.data;
    const title =
      units === 0
        ? "Refunded a part of the price"
        : `Refunded ${unitsText(units)}, ${restocked ? "back in stock" : "not restocked"}`;
    return {
      kind: "refunded",
      title: forAdmin && tender !== undefined ? `${title}, money back ${byTender[tender]}` : title,
      notes: [],
      amounts: refundAmounts(event.data, forAdmin),
      changes: [],
      noteId,
      // Without −0.
      balanceCents: 0 - event.data.payoutCents,
    };
  }
  if (is(SaleTenderCorrected, event) || is(RefundTenderCorrected, event)) {
    const { before, after, noteId } = event.data;
    const isRefund = is(RefundTenderCorrected, event);
    const change = {
      kind: "text",
      label: isRefund ? "Paid back by" : "Paid by",
      before: before === null ? "not said" : tenderNames[before],
      after: tenderNames[after],
    } as const;
    return {
      kind: "corrected",
      title: isRefund ? `Payment of refund ${event.data.refund} corrected` : "Payment corrected",
      notes: [],
      amounts: [],
      changes: [change],
      noteId,
      balanceCents: 0,
    };
  }
  return null;
}

type Refunded = z.infer<typeof SaleRefunded.schema>;

function refundAmounts(data: Refunded, forAdmin: boolean): Amounts {
  const { consignorId, priceCents, salesTaxCents, payoutCents } = data;
  return [
    { label: "Price", amount: toDollars(priceCents) },
    ...(forAdmin ? unlessZero("Sales tax", salesTaxCents) : []),
    ...(consignorId === null
      ? []
      : [
          {
            label: forAdmin ? "From the consignor" : "From your balance",
            amount: toDollars(payoutCents),
          },
        ]),
    ...(forAdmin && consignorId !== null
      ? [{ label: "From the store", amount: toDollars(priceCents - payoutCents) }]
      : []),
  ];
}

function share(forAdmin: boolean): string {
  return forAdmin ? "Consignor's share" : "Your share";
}

function store(cents: Cents): Amounts[number] {
  return cents < 0
    ? { label: "The store bears", amount: toDollars(-cents) }
    : { label: "Store keeps", amount: toDollars(cents) };
}

function unlessZero(label: string, cents: Cents): Amounts {
  return cents === 0 ? [] : [{ label, amount: toDollars(cents) }];
}

function changesBetween(
  before: SaleTerms,
  after: SaleTerms,
  { forAdmin, hasConsignor }: { readonly forAdmin: boolean; readonly hasConsignor: boolean },
): StoryChange[] {
  const text = (label: string, was: string, now: string): StoryChange[] =>
    was === now ? [] : [{ kind: "text", label, before: was, after: now }];
  const money = (label: string, was: Cents | null, now: Cents | null): StoryChange[] =>
    was === now ? [] : [{ kind: "money", label, before: dollars(was), after: dollars(now) }];
  return [
    ...text("Item name", before.itemName, after.itemName),
    ...text("Units", String(before.units), String(after.units)),
    ...money("Price", before.priceCents, after.priceCents),
    ...money("Shipping", before.shippingCents, after.shippingCents),
    ...(forAdmin ? money("Sales tax", before.salesTaxCents, after.salesTaxCents) : []),
    ...text("Share", percent(before), percent(after)),
    ...(hasConsignor ? money(share(forAdmin), before.payoutCents, after.payoutCents) : []),
    ...(forAdmin ? money("Store keeps", kept(before), kept(after)) : []),
  ];
}

function kept({ priceCents, shippingCents, payoutCents }: SaleTerms): Cents {
  return (priceCents ?? 0) - shippingCents - payoutCents;
}

function percent({ consignorPercentage }: SaleTerms): string {
  return consignorPercentage === null ? "none" : `${consignorPercentage}%`;
}

function dollars(cents: Cents | null): number | null {
  return cents === null ? null : toDollars(cents);
}
