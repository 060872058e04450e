// What a ledger line says to a person: its kind, a sentence, and the steps that its amount is made of.
import type { LedgerLine } from "#features/accounts/contract.ts";
import { formatCents, toDollars } from "#ledger/money.ts";

/** The event of a line, its data in the current version. */
export type LineEvent = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

type Words = Pick<LedgerLine, "kind" | "description" | "saleID" | "payoutID" | "explanation"> & {
  readonly noteId: string | null;
};

type Step = LedgerLine["explanation"][number];

function text(data: unknown, name: string): string | null {
  const value: unknown = Reflect.get(Object(data), name);
  return typeof value === "string" ? value : null;
}

function number(data: unknown, name: string): number {
  const value: unknown = Reflect.get(Object(data), name);
  return typeof value === "number" ? value : 0;
}

function step(label: string, cents: number): Step[] {
  return cents === 0 ? [] : [{ label, amount: toDollars(cents) }];
}

/** "2 × Desk lamp", or the name alone for one unit. */
function things(data: unknown): string {
  const units = number(data, "units");
  const name = text(data, "itemName") ?? "item";
  return units > 1 ? `${units} × ${name}` : name;
}

const METHOD_NAMES: Readonly<Record<string, string>> = { cashapp: "CashApp", venmo: "Venmo" };

function payoutWords(event: LineEvent, what: string): Words {
  const amount = formatCents(number(event.data, "amountCents"));
  const method = METHOD_NAMES[text(event.data, "method") ?? ""] ?? "";
  return {
    kind: "payout",
    description: `Payout of ${amount} ${what}${method === "" ? "" : ` (${method})`}`,
    saleID: null,
    payoutID: text(event.data, "payoutId"),
    explanation: [],
    noteId: null,
  };
}

/** What the store adds to the consignor's share (or takes of it) beyond the other steps. */
function storeStep(cents: number, takes: string): Step[] {
  return step(cents > 0 ? "Borne by the store" : takes, cents);
}

function saleSteps(data: unknown): Step[] {
  const price = number(data, "priceCents");
  const shipping = number(data, "shippingCents");
  const payout = number(data, "payoutCents");
  const percentage = number(data, "consignorPercentage");
  return [
    ...step("Sale price", price),
    ...step("Shipping", -shipping),
    ...storeStep(payout - (price - shipping), `Store's share (${100 - percentage} %)`),
    { label: `Your share (${percentage} %)`, amount: toDollars(payout) },
  ];
}

function refundSteps(data: unknown): Step[] {
  const price = number(data, "priceCents");
  const payout = number(data, "payoutCents");
  return [
    ...step("Refunded to the buyer", -price),
    ...storeStep(price - payout, "Given back to the store"),
    { label: "Taken back from your share", amount: toDollars(-payout) },
  ];
}

function correctionSteps(data: unknown): Step[] {
  const before = number(Reflect.get(Object(data), "before"), "payoutCents");
  const after = number(Reflect.get(Object(data), "after"), "payoutCents");
  return [
    { label: "Your share now", amount: toDollars(after) },
    { label: "Your share before", amount: toDollars(-before) },
    { label: "Change of your share", amount: toDollars(after - before) },
  ];
}

function saleWords(
  kind: Words["kind"],
  description: string,
  data: unknown,
  explanation: Step[],
): Words {
  return {
    kind,
    description,
    saleID: text(data, "saleId"),
    payoutID: null,
    explanation,
    noteId: text(data, "noteId"),
  };
}

/** A line about nothing that a screen could open. */
function plainWords(kind: Words["kind"], description: string): Words {
  return { kind, description, saleID: null, payoutID: null, explanation: [], noteId: null };
}

/** An event that this program cannot read is named as it is, never hidden. */
export function unreadableWords(type: string): Words {
  return plainWords("other", type);
}

/** A line's words. An event type that this page does not know yet is named as it is, never hidden. */
export function wordsOf(event: LineEvent): Words {
  const { data } = event;
  switch (event.type) {
    case "SaleRecorded":
      return saleWords("sale", `${things(data)} sold`, data, saleSteps(data));
    case "CustomSaleRecorded":
      return saleWords("sale", `${things(data)} sold (custom sale)`, data, []);
    case "SaleRefunded":
      return saleWords("refund", `${things(data)} refunded to the buyer`, data, refundSteps(data));
    case "SaleCorrected": {
      const name = text(Reflect.get(data, "after"), "itemName") ?? "item";
      return saleWords("correction", `Sale of ${name} corrected`, data, correctionSteps(data));
    }
    case "PayoutRequested":
      return payoutWords(event, "requested");
    case "PayoutPaid":
      return payoutWords(event, "paid");
    case "PayoutDeleted":
      return payoutWords(event, "deleted, the amount is available again");
    case "BalanceSet":
      return {
        kind: "adjustment",
        description: `Balance set from ${formatCents(number(data, "beforeCents"))} to ${formatCents(number(data, "afterCents"))} by the store`,
        saleID: null,
        payoutID: null,
        explanation: [],
        noteId: text(data, "noteId"),
      };
    case "UserMigrated":
      return plainWords("adjustment", "Opening balance from the old app");
    case "LegacySaleNoted": {
      const price = formatCents(number(data, "priceCents"));
      const share = formatCents(number(data, "payoutCents"));
      return plainWords(
        "sale",
        `${things(data)} sold in the old app for ${price}, your share was ${share}`,
      );
    }
    case "LegacyPayoutNoted":
      return payoutWords(event, "paid in the old app");
    default:
      return {
        kind: "other",
        description: event.type,
        saleID: text(data, "saleId"),
        payoutID: text(data, "payoutId"),
        explanation: [],
        noteId: text(data, "noteId"),
      };
  }
}
