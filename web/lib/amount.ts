// Reads the text of amount and number fields as cents and whole numbers.
import { MAX_AMOUNT_CENTS, type Cents } from "#ledger/money.ts";

/** "1,234.50", "$12", ".5" as cents; undefined for anything else, including more than two decimals. */
export function parseDollars(text: string): Cents | undefined {
  const match = /^\$?(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d{0,2}))?$/.exec(text.trim());
  const whole = match?.[1]?.replaceAll(",", "") ?? "";
  const fraction = match?.[2] ?? "";
  if (match === null || (whole === "" && fraction === "")) {
    return undefined;
  }
  const cents = Number(whole === "" ? "0" : whole) * 100 + Number(fraction.padEnd(2, "0"));
  return cents <= MAX_AMOUNT_CENTS ? cents : undefined;
}

/** Cents as a field shows them: "1234.50". */
export function dollarsText(cents: Cents): string {
  return (cents / 100).toFixed(2);
}

/** Dollars for a request, including amounts that its contract refuses with a reason; NaN for text that is not an amount. */
export function dollarsToSend(text: string): number {
  const match = /^([-−])?\s*\$?(\d{1,3}(?:,\d{3})+|\d*)(\.\d*)?$/.exec(text.trim());
  const digits = `${match?.[2]?.replaceAll(",", "") ?? ""}${match?.[3] ?? ""}`;
  const dollars = digits === "" ? Number.NaN : Number(digits);
  return match?.[1] === undefined ? dollars : 0 - dollars;
}

/** A whole number for a request, including numbers that its contract refuses; NaN for anything but digits. */
export function wholeToSend(text: string): number {
  return /^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}

/** A whole number of zero or more, digits only; undefined for anything else. */
export function parseWhole(text: string): number | undefined {
  const trimmed = text.trim();
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}
