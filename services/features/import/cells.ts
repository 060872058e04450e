// Parses a cell's text: prices, quantities, dates, codes and names, each understood or refused with a reason.
import { addMasterItemRequest } from "#features/inventory/contract-commands.ts";
import { storedImageId } from "#ledger/fields.ts";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";
import type { Cents } from "#ledger/money.ts";
import type { Said } from "./said.ts";

/** Why a line is not imported. These codes are stable: scripts may rely on them. */
export type RefusalReason =
  | "cell_count"
  | "empty_invoice"
  | "empty_code"
  | "bad_code"
  | "empty_name"
  | "bad_text"
  | "bad_link"
  | "unknown_picture"
  | "bad_quantity"
  | "zero_quantity"
  | "negative_quantity"
  | "quantity_too_large"
  | "negative_without_mark"
  | "cancellation_not_negative"
  | "bad_price"
  | "price_not_positive"
  | "price_decimals"
  | "amount_too_large"
  | "bad_date"
  | "date_too_early"
  | "date_in_future"
  /** No earlier line sells this barcode to this customer. */
  | "never_sold"
  /** The customer bought it before, but never at this price. */
  | "sold_at_other_price"
  /** The customer bought it before, but more units come back than are left. */
  | "too_few_left"
  | "unknown_consignor"
  | "ambiguous_consignor"
  | "imported_differently"
  | "ledger_refused";

/** A line that is not imported: its number, the reason as a code and as a sentence, and its content. */
export type Refusal<Words extends Said = Said> = {
  readonly line: number;
  readonly reason: RefusalReason;
  readonly message: string;
  readonly said: Words;
};

export type Understood<Value> = { readonly kind: "understood"; readonly value: Value };
export type Refused = {
  readonly kind: "refused";
  readonly reason: RefusalReason;
  readonly message: string;
};

export function understood<Value>(value: Value): Understood<Value> {
  return { kind: "understood", value };
}

export function refused(reason: RefusalReason, message: string): Refused {
  return { kind: "refused", reason, message };
}

/** Messages quote cells, but only their beginning. */
export function quoted(text: string): string {
  // The cut may split a letter of two code units; half a letter cannot be shown.
  return `“${text.length > 40 ? `${text.slice(0, 40).replace(/\p{Cs}$/u, "")}…` : text}”`;
}

const MAX_UNITS = 1_000_000;

/** A whole number of either sign; spreadsheets may have written it as `6.0`. */
export function parseQuantity(text: string): Understood<number> | Refused {
  if (!/^-?\d{1,15}(\.0+)?$/.test(text)) {
    return refused("bad_quantity", `The quantity ${quoted(text)} is not a whole number`);
  }
  const quantity = Number(text);
  return Math.abs(quantity) > MAX_UNITS
    ? refused("quantity_too_large", `The quantity ${quoted(text)} is beyond 1,000,000`)
    : understood(quantity + 0);
}

/** A positive price with at most two decimals, as cents. Zeros after the second decimal are ignored. */
export function parsePrice(text: string): Understood<Cents> | Refused {
  const match = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(text);
  if (match === null) {
    return refused("bad_price", `The price ${quoted(text)} is not a number like 12.95`);
  }
  const [, sign = "", whole = "", fraction = ""] = match;
  if (/[1-9]/.test(fraction.slice(2))) {
    return refused("price_decimals", `The price ${quoted(text)} has more than two decimals`);
  }
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  return sign === "-" || cents === 0
    ? refused("price_not_positive", `The price ${quoted(text)} is not above zero`)
    : understood(cents);
}

/** The price of all units together, within the limit of one sale. */
export function totalOf(unitCents: Cents, units: number): Understood<Cents> | Refused {
  const cents = unitCents * units;
  return cents > MAX_AMOUNT_CENTS
    ? refused("amount_too_large", "The price of all units together is beyond $10,000,000")
    : understood(cents);
}

const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const EARLIEST_YEAR = 2000;

/** How dates of a file are read. */
export type DateRules = {
  /** Later dates are in the future. */
  readonly now: Date;
  /** Takes a time without a zone as if it were UTC, in milliseconds. */
  readonly toInstant: (localMs: number) => number;
};

/** An ISO 8601 date or instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`; a date without a time is its midnight. */
export function parseInstant(
  text: string,
  { now, toInstant }: DateRules,
): Understood<string> | Refused {
  const match = datePattern.exec(text);
  const [, day = "", time = "00:00", second = "00", fraction = "", zone = ""] = match ?? [];
  const colonZone = zone.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2").toUpperCase();
  const clock = `${day}T${time}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}`;
  const local = Date.parse(`${clock}Z`);
  const isReadable = match !== null && !Number.isNaN(local);
  const instant =
    zone !== "" || !isReadable ? Date.parse(`${clock}${colonZone}`) : toInstant(local);
  // February 30 is not a date, though some parsers read it as March 2.
  if (
    !isReadable ||
    Number.isNaN(instant) ||
    !new Date(local).toISOString().startsWith(`${day}T${time}`)
  ) {
    return refused("bad_date", `The date ${quoted(text)} is not one like 2024-05-31T14:00:00Z`);
  }
  if (new Date(instant).getUTCFullYear() < EARLIEST_YEAR) {
    return refused("date_too_early", `The date ${quoted(text)} is before the year 2000`);
  }
  return instant > now.getTime()
    ? refused("date_in_future", `The date ${quoted(text)} is in the future`)
    : understood(new Date(instant).toISOString());
}

/** A file's fields follow the API's rules, so there is one rule wherever an item comes from. */
const fields = addMasterItemRequest.shape;

/** A barcode, unchanged and case sensitive. */
export function parseCode(text: string): Understood<string> | Refused {
  if (text === "") {
    return refused("empty_code", "There is no barcode");
  }
  return fields.barcode1.safeParse(text).success
    ? understood(text)
    : refused("bad_code", `The barcode ${quoted(text)} is not one line of at most 128 characters`);
}

/** One line of text; line breaks and tabs inside it become spaces. Empty is fine. */
export function parseText(text: string, what: string): Understood<string> | Refused {
  const oneLine = text.replaceAll(/[\r\n\t]+/g, " ");
  return fields.listingTitle.safeParse(oneLine).success
    ? understood(oneLine)
    : refused(
        "bad_text",
        `The ${what} ${quoted(oneLine)} is not plain text of at most 200 characters`,
      );
}

/** An ASIN, or empty. */
export function parseAsin(text: string): Understood<string> | Refused {
  return fields.asin.safeParse(text).success
    ? understood(text)
    : refused("bad_text", "An ASIN is plain text of at most 20 characters");
}

/** The address of a picture: one that this store keeps, as its own files have it, or one on the web. */
export function parsePicture(
  text: string,
  kept: ReadonlySet<string>,
): Understood<string> | Refused {
  if (!fields.imageUrl.safeParse(text).success) {
    return refused("bad_link", `The picture ${quoted(text)} is not an http or https address`);
  }
  return storedImageId(text) === null || kept.has(text)
    ? understood(text)
    : refused("unknown_picture", `This store has no picture ${quoted(text)}`);
}

/** An http or https address, or empty. */
export function parseLink(text: string): Understood<string> | Refused {
  return fields.link.safeParse(text).success
    ? understood(text)
    : refused("bad_link", `The link ${quoted(text)} is not an http or https address`);
}
