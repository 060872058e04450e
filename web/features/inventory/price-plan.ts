// What changing the tag prices of selected items would do: old and new price of each, and which are left out.
import type { InventoryItem } from "#features/inventory/contract.ts";
import {
  changePricesRequest,
  MOST_PRICED,
  priceAfter,
  type ChangePricesRequest,
  type PriceRule,
} from "#features/inventory/contract-prices.ts";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";

export type PriceKind = "percent-off" | "amount-off" | "set";

/** The rule that was typed; undefined while it is incomplete or out of range. */
export function ruleOf(kind: PriceKind, text: string): PriceRule | undefined {
  const typed =
    kind === "percent-off"
      ? { kind, percent: parseWhole(text.replace("%", "")) }
      : kind === "amount-off"
        ? { kind, cents: parseDollars(text) }
        : { kind, tagPriceCents: parseDollars(text) };
  const rule = changePricesRequest.shape.change.safeParse(typed);
  return rule.success ? rule.data : undefined;
}

type PricedItem = Pick<InventoryItem, "id" | "tagPriceCents">;

export type PriceLine<Item extends PricedItem> = {
  readonly item: Item;
  readonly afterCents: number | null;
};

export type PricePlan<Item extends PricedItem> = {
  /** Items whose price changes. */
  readonly changed: readonly PriceLine<Item>[];
  /** They have no tag price to take something off. */
  readonly unpriced: readonly Item[];
  /** Nothing would be left of their price. */
  readonly tooLow: readonly Item[];
  /** They have the new price already. */
  readonly same: readonly Item[];
};

export function pricePlan<Item extends PricedItem>(
  items: readonly Item[],
  rule: PriceRule,
): PricePlan<Item> {
  const outcomes = items.map((item) => ({ item, outcome: priceAfter(rule, item.tagPriceCents) }));
  const having = (kind: "no-price" | "too-low") =>
    outcomes.flatMap(({ item, outcome }) => (outcome.kind === kind ? [item] : []));
  const lines = outcomes.flatMap(({ item, outcome }) =>
    outcome.kind === "priced" ? [{ item, afterCents: outcome.cents }] : [],
  );
  const isSame = ({ item, afterCents }: PriceLine<Item>) => item.tagPriceCents === afterCents;
  return {
    changed: lines.filter((line) => !isSame(line)),
    unpriced: having("no-price"),
    tooLow: having("too-low"),
    same: lines.filter(isSame).map(({ item }) => item),
  };
}

/** One request; undefined if there is nothing to change, or too much at once. */
export function requestOf(
  { changed }: PricePlan<PricedItem>,
  change: PriceRule,
): ChangePricesRequest | undefined {
  return changed.length === 0 || changed.length > MOST_PRICED
    ? undefined
    : {
        items: changed.map(({ item: { id, tagPriceCents } }) => ({ itemID: id, tagPriceCents })),
        change,
      };
}

/** The requests that give each item its old price back: one for each different price. */
export function undoRequests({ changed }: PricePlan<PricedItem>): readonly ChangePricesRequest[] {
  const byPrice = Map.groupBy(changed, ({ item }) => item.tagPriceCents);
  return [...byPrice].map(([tagPriceCents, lines]) => ({
    items: lines.map(({ item, afterCents }) => ({ itemID: item.id, tagPriceCents: afterCents })),
    change: { kind: "set", tagPriceCents },
  }));
}
