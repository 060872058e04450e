// The report's lines and months folded by hand from stored events: the oracle of reports. It shares nothing with their SQL.
import type { StoredEvent } from "#ledger/log/read.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import { changeOf, openAt } from "#testing/shop/account-fold.ts";

/** What one event is for one consignor or, with an empty `uid`, for the store. Cents. */
export type FoldedReportLine = {
  readonly position: number;
  readonly uid: string;
  readonly type: string;
  readonly bookedAt: string;
  readonly price: number;
  readonly share: number;
  readonly shipping: number;
  readonly tax: number;
  readonly taxed: number;
  readonly exempt: number;
  readonly untaxed: number;
  readonly commission: number;
  readonly traded: number;
  readonly paid: number;
  readonly adjusted: number;
  readonly takenOver: number;
  readonly available: number;
  readonly pending: number;
  readonly held: number;
};

type Fields = Record<string, unknown>;
type Terms = { price: number; shipping: number; tax: number; payout: number };
type Amounts = Omit<FoldedReportLine, "position" | "uid" | "type" | "bookedAt">;

const fieldsOf = (value: unknown): Fields => Object(value) as Fields;
const centsOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function termsOf(data: Fields): Terms {
  return {
    price: centsOf(data["priceCents"] ?? data["amountCents"]),
    shipping: centsOf(data["shippingCents"]),
    tax: centsOf(data["salesTaxCents"]),
    payout: centsOf(data["payoutCents"] ?? data["amountCents"]),
  };
}

const NOTHING: Amounts = {
  price: 0,
  share: 0,
  shipping: 0,
  tax: 0,
  taxed: 0,
  exempt: 0,
  untaxed: 0,
  commission: 0,
  traded: 0,
  paid: 0,
  adjusted: 0,
  takenOver: 0,
  available: 0,
  pending: 0,
  held: 0,
};

/** A refund is the sale with the sign −1. Adding to 0 keeps −0 out. */
const sold = (terms: Terms, sign = 1): Partial<Amounts> => ({
  price: 0 + sign * terms.price,
  share: 0 + sign * (terms.price - terms.shipping - terms.payout),
  shipping: 0 + sign * terms.shipping,
  tax: 0 + sign * terms.tax,
});

/** What the event's own words say about the store's money. */
function ofEvent(event: StoredEvent): Partial<Amounts> {
  const data = fieldsOf(event.data);
  switch (event.type) {
    case "SaleRecorded":
    case "CustomSaleRecorded":
      return sold(termsOf(data));
    case "MasterSaleRecorded":
      return sold({ ...termsOf(data), payout: 0 });
    case "SaleRefunded":
      return sold({ ...termsOf(data), shipping: 0 }, -1);
    case "SaleCorrected": {
      const before = sold(ownTerms(data, "before"), -1);
      const after = sold(ownTerms(data, "after"));
      const sum = (name: keyof Amounts) => (before[name] ?? 0) + (after[name] ?? 0);
      return {
        price: sum("price"),
        share: sum("share"),
        shipping: sum("shipping"),
        tax: sum("tax"),
      };
    }
    case "PayoutPaid":
      return { paid: centsOf(data["amountCents"]) };
    case "PayoutReturned":
      return { paid: -centsOf(data["amountCents"]) };
    case "BalanceSet":
      return { adjusted: centsOf(data["afterCents"]) - centsOf(data["beforeCents"]) };
    case "TradeFulfilled":
      return { shipping: centsOf(data["shippingFeeCents"]) };
    case "TradeRefunded":
      return { adjusted: data["borneBy"] === "store" ? centsOf(data["cents"]) : 0 };
    case "UserMigrated":
      return { takenOver: -changeOf(event, "world:opening-balances") };
    default:
      return {};
  }
}

type Taxation = "taxed" | "exempt" | "untaxed" | "other";

/** How each sale is taxed so far, and what an event adds to the prices of each kind. Call it for each event in order. */
function taxations(): (event: StoredEvent) => Partial<Amounts> {
  const sales = new Map<unknown, { readonly first: Fields; tax: number }>();
  return (event) => {
    const data = fieldsOf(event.data);
    const sums = { taxed: 0, exempt: 0, untaxed: 0, other: 0 };
    if (event.type.endsWith("SaleRecorded")) {
      sales.set(data["saleId"], { first: data, tax: centsOf(data["salesTaxCents"]) });
    }
    const sale = sales.get(data["saleId"]);
    if (sale === undefined) {
      return {};
    }
    const taxation = (): Taxation =>
      sale.first["taxExemption"] !== undefined
        ? "exempt"
        : sale.tax > 0
          ? "taxed"
          : sale.first["channel"] === "online"
            ? "untaxed"
            : "other";
    const price = (terms: unknown) => centsOf(fieldsOf(terms)["priceCents"]);
    if (event.type === "SaleCorrected") {
      sums[taxation()] -= price(data["before"]);
      sale.tax = centsOf(fieldsOf(data["after"])["salesTaxCents"]);
      sums[taxation()] += price(data["after"]);
    } else if (event.type.endsWith("SaleRecorded")) {
      sums[taxation()] += price(data);
    } else if (event.type === "SaleRefunded") {
      sums[taxation()] -= price(data);
    }
    const { other: _other, ...parts } = sums;
    return parts;
  };
}

function ownTerms(data: Fields, name: "before" | "after"): Terms {
  const terms = fieldsOf(data[name]);
  // The store's own sale pays nobody.
  return { ...termsOf(terms), payout: data["consignorId"] === null ? 0 : termsOf(terms).payout };
}

/** Each line's person, and its own amounts. */
function partsOf(event: StoredEvent, taxed: Partial<Amounts>): Map<string, Partial<Amounts>> {
  const data = fieldsOf(event.data);
  const entries = event.streams
    .map(({ streamId }) => streamId)
    .filter((id) => id.startsWith("consignor-"))
    .map((id) => id.replace("consignor-", ""))
    .sort();
  const parts = new Map<string, Partial<Amounts>>();
  for (const uid of entries) {
    parts.set(uid, {
      available: changeOf(event, `consignor:${uid}:available`),
      pending: changeOf(event, `consignor:${uid}:payouts`),
    });
  }
  if (event.postings.length > 0) {
    const buyer = data["buyerUid"];
    const party = typeof buyer === "string" ? buyer : (entries[0] ?? "");
    const escrows = new Set(
      event.postings
        .flatMap(({ from, to }) => [from, to])
        .filter((account) => account.endsWith(":escrow")),
    );
    const held = [...escrows].reduce((sum, account) => sum + changeOf(event, account), 0);
    parts.set(party, { ...parts.get(party), ...ofEvent(event), ...taxed, held });
  }
  for (const payment of Array.isArray(data["payments"]) ? data["payments"] : []) {
    const { sellerUid, commissionCents } = fieldsOf(payment);
    const uid = String(sellerUid);
    const before = parts.get(uid);
    const commission = (before?.commission ?? 0) + centsOf(commissionCents);
    parts.set(uid, { ...before, commission });
  }
  return parts;
}

/** What changes in what somebody is owed, and what of it is neither the store's nor the world's. */
function withTraded(amounts: Amounts): Amounts {
  const { price, share, shipping, commission, adjusted, takenOver, paid } = amounts;
  const { available, pending, held } = amounts;
  const others = price - share - shipping - commission + adjusted + takenOver - paid;
  return { ...amounts, traded: available + pending + held - others };
}

/** All lines, in the order of the log. */
export function foldReport(events: readonly StoredEvent[]): FoldedReportLine[] {
  const lines: FoldedReportLine[] = [];
  const booked = new Map<string, string>();
  const [openAtOf, taxedOf] = [openAt(), taxations()];
  for (const event of events) {
    const happened = openAtOf(event);
    for (const [uid, amounts] of partsOf(event, taxedOf(event))) {
      const before = booked.get(uid) ?? "";
      // Only ledgers are booked in order. The store's own entries count when they happened.
      const bookedAt = uid === "" || happened > before ? happened : before;
      const isEntry =
        uid === "" || event.streams.some(({ streamId }) => streamId === `consignor-${uid}`);
      if (isEntry) {
        booked.set(uid, bookedAt);
      }
      const { position, type } = event;
      // The store is owed nothing.
      const all = uid === "" ? { ...NOTHING, ...amounts } : withTraded({ ...NOTHING, ...amounts });
      lines.push({ ...all, position, uid, type, bookedAt });
    }
  }
  return lines;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes a hundred times as long as using it. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "2-digit" });
  formats.set(timeZone, made);
  return made;
}

/** A month as a store in this time zone writes it: "2024-06". */
export function monthOf(iso: string, timeZone: string): string {
  const parts = formatIn(timeZone).formatToParts(new Date(iso));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}`;
}

function sum(lines: readonly FoldedReportLine[], name: keyof Amounts): number {
  return lines.reduce((total, line) => total + line[name], 0);
}

function owed(lines: readonly FoldedReportLine[]) {
  return {
    availableCents: sum(lines, "available"),
    pendingCents: sum(lines, "pending"),
    heldCents: sum(lines, "held"),
  };
}

function gross(lines: readonly FoldedReportLine[]) {
  const refunds = lines.filter(({ type }) => type === "SaleRefunded");
  const corrections = lines.filter(({ type }) => type === "SaleCorrected");
  return {
    soldCents: sum(lines, "price") - sum(refunds, "price") - sum(corrections, "price"),
    refundedCents: 0 - sum(refunds, "price"),
    correctedCents: sum(corrections, "price"),
    storeCents: sum(lines, "share"),
  };
}

/** The totals of one month of all lines, or of one consignor's; without units. */
export function foldMonth(
  all: readonly FoldedReportLine[],
  month: string,
  timeZone: string,
): Omit<MonthTotals, "shrinkage"> {
  const dated = all.map((line) => ({ line, month: monthOf(line.bookedAt, timeZone) }));
  const before = dated.filter((one) => one.month < month).map(({ line }) => line);
  const lines = dated.filter((one) => one.month === month).map(({ line }) => line);
  const own = lines.filter(({ uid }) => uid === "");
  const consigned = lines.filter(({ uid }) => uid !== "");
  const sales = consigned.filter(({ type }) => type.includes("Sale"));
  const refunds = lines.filter(({ type }) => type === "SaleRefunded");
  const corrections = lines.filter(({ type }) => type === "SaleCorrected");
  const isSale = ({ type }: FoldedReportLine) => type.includes("Sale");
  const paid = lines.map((line) => line.paid);
  return {
    sales: lines.filter(({ type }) => type.endsWith("SaleRecorded")).length,
    own: gross(own),
    consigned: gross(consigned),
    consignorCents: sum(sales, "available"),
    shippingCents: sum(lines.filter(isSale), "shipping"),
    tax: {
      collectedCents: sum(lines, "tax") - sum(refunds, "tax") - sum(corrections, "tax"),
      refundedCents: 0 - sum(refunds, "tax"),
      correctedCents: sum(corrections, "tax"),
      taxedCents: sum(lines, "taxed"),
      exemptCents: sum(lines, "exempt"),
      untaxedCents: sum(lines, "untaxed"),
      remittedCents: 0,
    },
    commissionCents: sum(lines, "commission"),
    tradedCents: sum(lines, "traded"),
    tradeFeeCents: sum(
      lines.filter((line) => !isSale(line)),
      "shipping",
    ),
    paidCents: paid.reduce((total, cents) => total + Math.max(cents, 0), 0),
    returnedCents: paid.reduce((total, cents) => total + Math.max(-cents, 0), 0),
    adjustedCents: sum(lines, "adjusted"),
    takenOverCents: sum(lines, "takenOver"),
    opening: owed(before),
    closing: owed([...before, ...lines]),
  };
}
