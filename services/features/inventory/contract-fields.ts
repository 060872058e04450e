// The fields that the calls of the inventory share: names, barcodes, ids, and how long they may be.
import * as z from "zod/mini";
import { hasHiddenCharacters } from "#ledger/fields.ts";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";

export const maxNameLength = 200;
export const maxBarcodeLength = 128;
export const maxQuantity = 1_000_000;
/** The database cannot store NUL or half a surrogate pair, and all fields here are one line. */
export function isPlainText(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  return value.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(value);
}

export const plainText = z.refine<string>(isPlainText, "Please use one line of plain text");

const noHiddenCharacters = z.refine<string>(
  (value) => !hasHiddenCharacters(value),
  "This has invisible characters",
);

export function atMostLong(maxLength: number) {
  return z.maxLength(maxLength, `At most ${maxLength.toLocaleString("en-US")} characters`);
}

/** A uid has at least 20 characters, no @ and no colon; anything else was typed, not selected from the list. */
export const consignorId = z
  .string()
  .check(
    z.minLength(1, "Please select a consignor"),
    z.regex(/^[^@:\s]{20,128}$/, "Please select a user from the dropdown"),
    plainText,
  );

export const uuid = z
  .string()
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      "This is not an item id",
    ),
  );

const TWO_DECIMALS = "A tag price has at most two decimals";

/** The tag price of one unit, tax included. */
export const itemPriceCents = z
  .int({ error: ({ input }) => (typeof input === "number" ? TWO_DECIMALS : undefined) })
  .check(
    z.gte(1, "A tag price must be greater than 0"),
    z.lte(MAX_AMOUNT_CENTS, "A tag price must be at most $10,000,000"),
  );

export function text(maxLength: number) {
  return z.string().check(z.trim(), atMostLong(maxLength), plainText, noHiddenCharacters);
}

export function requiredText(maxLength: number, message: string) {
  return z
    .string()
    .check(z.trim(), z.minLength(1, message), atMostLong(maxLength), plainText, noHiddenCharacters);
}
