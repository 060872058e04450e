// The request and response of changing many tag prices at once, and the price that a change makes of another.
import * as z from "zod/mini";
import { shareOf } from "#ledger/money.ts";
import { itemPriceCents, uuid } from "#features/inventory/contract-fields.ts";

/** Most items in one request. */
export const MOST_PRICED = 500;

const change = z.discriminatedUnion("kind", [
  /** The price itself; null takes it off. */
  z.strictObject({ kind: z.literal("set"), tagPriceCents: z.nullable(itemPriceCents) }),
  z.strictObject({
    kind: z.literal("percent-off"),
    percent: z
      .int("Percent off must be a whole number")
      .check(
        z.gte(1, "Percent off must be at least 1"),
        z.lte(99, "Percent off must be at most 99"),
      ),
  }),
  z.strictObject({ kind: z.literal("amount-off"), cents: itemPriceCents }),
]);

/**
 * POST /inventory/prices: all of the items or none. `tagPriceCents` is the price that was seen: 409 `price_changed`
 * if an item has another one now.
 */
export const changePricesRequest = z.strictObject({
  items: z.array(z.strictObject({ itemID: uuid, tagPriceCents: z.nullable(itemPriceCents) })).check(
    z.minLength(1, "Please select at least one item"),
    z.maxLength(MOST_PRICED, `At most ${MOST_PRICED} items at once`),
    z.refine(
      (items) => new Set(items.map(({ itemID }) => itemID)).size === items.length,
      "Each item once",
    ),
  ),
  change,
});

export const changePricesResponse = z.object({
  message: z.string(),
  /** How many prices are different now. */
  changed: z.int(),
  items: z.array(
    z.object({ id: z.string(), version: z.int(), tagPriceCents: z.nullable(z.int()) }),
  ),
});

export type ChangePricesRequest = z.input<typeof changePricesRequest>;
export type ChangePricesResponse = z.output<typeof changePricesResponse>;
export type PriceRule = z.output<typeof change>;

/** What a change makes of a price, or why it cannot be applied to it. */
export type PriceOutcome =
  | { readonly kind: "priced"; readonly cents: number | null }
  | { readonly kind: "no-price" }
  | { readonly kind: "too-low" };

/** Half a cent is rounded up. A price never falls below one cent. */
export function priceAfter(rule: PriceRule, beforeCents: number | null): PriceOutcome {
  if (rule.kind === "set") {
    return { kind: "priced", cents: rule.tagPriceCents };
  }
  if (beforeCents === null) {
    return { kind: "no-price" };
  }
  const cents =
    rule.kind === "amount-off"
      ? beforeCents - rule.cents
      : shareOf(beforeCents, 100 - rule.percent, 100);
  return cents < 1 ? { kind: "too-low" } : { kind: "priced", cents };
}
