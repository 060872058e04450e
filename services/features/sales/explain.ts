// How sales read to people: to a consignor as changes of the balance, to an admin as an item's history.
import type { z } from "zod/mini";
import type { FeatureExplanations, LedgerWords } from "#features/histories.ts";
import { titleOnly } from "#features/histories.ts";
import type {
  MasterSaleRecorded,
  SaleCorrected,
  saleEvents,
  SaleRecorded,
  SaleRefunded,
} from "#features/sales/events.ts";
import { thingsText, unitsText } from "#ledger/explain.ts";
import { formatCents } from "#ledger/money.ts";

type DataOf<Definition extends { readonly schema: z.ZodMiniType }> = z.infer<Definition["schema"]>;
type Recorded = DataOf<typeof SaleRecorded>;
type MasterRecorded = DataOf<typeof MasterSaleRecorded>;
type Corrected = DataOf<typeof SaleCorrected>;
type Refunded = DataOf<typeof SaleRefunded>;
type Step = LedgerWords["steps"][number];

export const tenderNames = { cash: "cash", card: "card", other: "another way" } as const;

/** After "paid" or "money back". */
export const byTender = { cash: "in cash", card: "by card", other: "another way" } as const;

/** What a corrected payment was before: "cash was recorded before". */
function recordedBefore(before: keyof typeof tenderNames | null): string {
  return `${before === null ? "no payment" : tenderNames[before]} was recorded before`;
}

const sold = { label: "Sale", tone: "credit" } as const;

function step(label: string, cents: number): Step[] {
  return cents === 0 ? [] : [{ label, cents }];
}

/** Cents that are subtracted; a plain minus would turn 0 into −0. */
function taken(cents: number): number {
  return 0 - cents;
}

/** What the store adds to the consignor's share (or takes from it) in addition to the other steps. */
function storeStep(cents: number, takes: string): Step[] {
  return step(cents > 0 ? "Borne by the store" : takes, cents);
}

function saleSteps(data: Recorded): Step[] {
  const { priceCents, shippingCents, payoutCents, consignorPercentage } = data;
  return [
    ...step("Sale price", priceCents),
    ...step("Shipping", -shippingCents),
    ...storeStep(
      payoutCents - (priceCents - shippingCents),
      `Store's share (${100 - consignorPercentage}%)`,
    ),
    { label: `Your share (${consignorPercentage}%)`, cents: payoutCents },
  ];
}

/** Without tax, which the buyer gets back too: it is no part of a share. */
function refundSteps({ priceCents, payoutCents }: Refunded): Step[] {
  return [
    ...step("Price refunded", -priceCents),
    ...storeStep(priceCents - payoutCents, "Given back to the store"),
    { label: "Refunds", cents: taken(payoutCents) },
  ];
}

function correctionSteps({ before, after }: Corrected): Step[] {
  return [
    { label: "Your share now", cents: after.payoutCents },
    { label: "Your share before", cents: taken(before.payoutCents) },
    { label: "Change of your share", cents: after.payoutCents - before.payoutCents },
  ];
}

const itemSold = {
  kind: "sold",
  read: (data: Recorded | MasterRecorded) => ({
    ...titleOnly,
    title: `Sold ${unitsText(data.units)}`,
    saleId: data.saleId,
    priceCents: data.priceCents,
    notes: [...("payoutCents" in data ? [sharedNote(data)] : []), ...saleNotes(data)],
  }),
} as const;

/** What else admins read about a sale of an item: in its story, the item's history, and its event in the audit log. */
export function saleNotes(data: Recorded | MasterRecorded): string[] {
  return [...("payoutCents" in data ? unusualNotes(data) : []), ...exemptNotes(data)];
}

/** For admins: the share was given for this sale, or was raised for all shortly before it. */
function unusualNotes({
  usualPercentage,
  lowerDefaultPercentage,
}: Pick<Recorded, "usualPercentage" | "lowerDefaultPercentage">): string[] {
  return [
    ...(usualPercentage === undefined ? [] : [`The usual share was ${usualPercentage}%`]),
    ...(lowerDefaultPercentage === undefined
      ? []
      : [`The store's default share was ${lowerDefaultPercentage}% within the week before`]),
  ];
}

function exemptNotes({ taxExemption }: Pick<Recorded, "taxExemption">): string[] {
  return taxExemption === undefined ? [] : ["Tax exempt: the customer has a certificate"];
}

function moneyBackNotes({ tender }: Pick<Refunded, "tender">): string[] {
  return tender === undefined ? [] : [`Money back ${byTender[tender]}`];
}

function sharedNote({
  payoutCents,
  shippingCents,
}: Pick<Recorded, "payoutCents" | "shippingCents">) {
  const shipping = shippingCents === 0 ? "" : `, shipping ${formatCents(shippingCents)}`;
  return `Consignor's share ${formatCents(payoutCents)}${shipping}`;
}

/** What a correction changed, one sentence each. */
function correctedNotes({ before, after }: Corrected): string[] {
  const price = (cents: number | null) => (cents === null ? "none" : formatCents(cents));
  const amounts = [
    ["Price", before.priceCents, after.priceCents],
    ["Shipping", before.shippingCents, after.shippingCents],
    ["Sales tax", before.salesTaxCents, after.salesTaxCents],
    ["Consignor's share", before.payoutCents, after.payoutCents],
  ] as const;
  return [
    ...(before.units === after.units
      ? []
      : [`${unitsText(after.units)} sold instead of ${before.units}`]),
    ...amounts.flatMap(([name, was, now]) =>
      was === now ? [] : [`${name}: ${price(was)} to ${price(now)}`],
    ),
  ];
}

export const saleExplanations: FeatureExplanations<typeof saleEvents> = {
  SaleRecorded: {
    consignor: {
      kind: "sale",
      read: (data) => ({
        chip: sold,
        description: `${thingsText(data.units, data.itemName)} sold`,
        about: { kind: "sale", id: data.saleId },
        steps: saleSteps(data),
        adminNotes: saleNotes(data),
        noteId: null,
      }),
    },
    item: itemSold,
    user: null,
  },
  MasterSaleRecorded: { consignor: null, item: itemSold, user: null },
  CustomSaleRecorded: {
    consignor: {
      kind: "sale",
      read: ({ saleId, itemName }) => ({
        chip: sold,
        description: `${itemName} sold (custom sale)`,
        about: { kind: "sale", id: saleId },
        steps: [],
        noteId: null,
      }),
    },
    item: null,
    user: null,
  },
  SaleCorrected: {
    consignor: {
      kind: "correction",
      read: (data) => ({
        chip: { label: "Correction", tone: "correction" },
        description: `Sale of ${data.after.itemName} corrected`,
        about: { kind: "sale", id: data.saleId },
        steps: correctionSteps(data),
        noteId: data.noteId,
      }),
    },
    item: {
      kind: "counted",
      read: (data) => ({
        ...titleOnly,
        title: "Sale corrected",
        notes: correctedNotes(data),
        saleId: data.saleId,
        noteId: data.noteId,
      }),
    },
    user: null,
  },
  SaleRefunded: {
    consignor: {
      kind: "refund",
      read: (data) => ({
        chip: { label: "Refund", tone: "debit" },
        description: `${thingsText(data.units, data.itemName)} refunded to the buyer`,
        about: { kind: "sale", id: data.saleId },
        steps: refundSteps(data),
        adminNotes: moneyBackNotes(data),
        noteId: data.noteId,
      }),
    },
    item: {
      kind: "back",
      read: ({
        saleId,
        units,
        restocked,
        priceCents,
        payoutCents,
        consignorId,
        noteId,
        tender,
      }) => ({
        ...titleOnly,
        title: units === 0 ? "Refunded a part of the price" : `Refunded ${unitsText(units)}`,
        notes: [
          ...(units === 0 ? [] : [restocked ? "Back in stock" : "Not restocked"]),
          ...(consignorId === null ? [] : [`From the consignor ${formatCents(payoutCents)}`]),
          ...moneyBackNotes({ tender }),
        ],
        saleId,
        priceCents: priceCents === 0 ? null : priceCents,
        noteId,
      }),
    },
    user: null,
  },
  // How the buyer paid does not concern the consignor. Admins see it in the sale's story and in the audit log.
  SaleTenderCorrected: {
    consignor: null,
    item: null,
    user: null,
    till: {
      kind: "tender",
      read: ({ before, after, noteId }) => ({
        description: `Sale paid ${byTender[after]}; ${recordedBefore(before)}`,
        noteId,
      }),
    },
  },
  RefundTenderCorrected: {
    consignor: null,
    item: null,
    user: null,
    till: {
      kind: "tender",
      read: ({ before, after, noteId }) => ({
        description: `Refund paid back ${byTender[after]}; ${recordedBefore(before)}`,
        noteId,
      }),
    },
  },
  TaxCertificateErased: {
    consignor: null,
    item: null,
    user: null,
    till: {
      kind: "certificate",
      read: ({ noteIds }) => ({
        description: `Tax certificate's number erased from ${noteIds.length === 1 ? "a sale" : `${noteIds.length} sales`}`,
        noteId: null,
      }),
    },
  },
};
