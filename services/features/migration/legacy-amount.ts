// Converts the old app's dollars, with any number of decimals, to exact cents.
import type { Cents } from "#ledger/money.ts";
import { divideRoundHalfUp } from "#ledger/money.ts";

/** Whether a number or text is a plain decimal amount. */
export function isDecimal(value: number | string): boolean {
  return decimalOf(value) !== null;
}

/** Digits before and after the point; null if it is not a plain decimal number. */
function decimalOf(value: number | string): { whole: bigint; scale: number } | null {
  const match = /^([+-]?)(\d{1,15})(?:\.(\d{1,20}))?$/u.exec(plain(value));
  if (match === null) {
    return null;
  }
  const [, sign = "", before = "", after = ""] = match;
  const digits = BigInt(`${before}${after}`);
  return { whole: sign === "-" ? -digits : digits, scale: after.length };
}

/** A JSON number with an exponent (1e-7) in plain digits. */
function plain(value: number | string): string {
  return typeof value === "number" && /e/u.test(String(value))
    ? value.toFixed(20).replace(/0+$/u, "").replace(/\.$/u, "")
    : String(value).trim();
}

/** Cents, rounded half up, and whether they are exact. Throws RangeError if it is not a plain decimal. */
export function centsOf(value: number | string): { cents: Cents; isExact: boolean } {
  const decimal = decimalOf(value);
  if (decimal === null) {
    throw new RangeError(`${value} is not an amount`);
  }
  const divisor = 10n ** BigInt(decimal.scale);
  const hundredfold = decimal.whole * 100n;
  return {
    cents: Number(divideRoundHalfUp(hundredfold, divisor)),
    isExact: hundredfold % divisor === 0n,
  };
}
