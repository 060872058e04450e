// What a consignor does not learn of a state of their own: who the others are, and the store's own numbers. Pure.
import { isPersonField } from "#features/audit/named-in.ts";

const NOT_FOR_CONSIGNORS: ReadonlySet<string> = new Set([
  "uids",
  "itemId",
  "salesTaxCents",
  "rows",
  "rates",
  "addressId",
]);

/** The state without these fields, also in its lists. */
export function redacted(state: unknown): unknown {
  if (Array.isArray(state)) {
    return state.map(redacted);
  }
  return typeof state === "object" && state !== null
    ? Object.fromEntries(
        Object.entries(state)
          .filter(([field]) => !NOT_FOR_CONSIGNORS.has(field) && !isPersonField(field))
          .map(([field, value]) => [field, redacted(value)]),
      )
    : state;
}
