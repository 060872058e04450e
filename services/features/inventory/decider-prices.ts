// Decides changing the tag prices of many items at once: all or nothing, from the prices that a person saw.
import { accept, type Decider, reject, type Rejection } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { priceAfter, type PriceRule } from "#features/inventory/contract-prices.ts";
import { itemPriced } from "#features/inventory/decider.ts";
import type { PriceChange } from "#features/inventory/events.ts";
import {
  itemArchived,
  itemNotFound,
  itemStream,
  itemStreamId,
} from "#features/inventory/streams.ts";

export type ChangePrices = {
  /** Each item once. */
  readonly items: readonly {
    readonly itemId: string;
    /** The price that was seen. */
    readonly seenCents: number | null;
  }[];
  readonly rule: PriceRule;
  readonly happenedAt: string;
};

export type PricesChanged = {
  readonly changed: number;
  readonly items: readonly {
    readonly id: string;
    readonly version: number;
    readonly tagPriceCents: number | null;
  }[];
};

function changeOf(rule: PriceRule): PriceChange {
  return rule.kind === "set" ? { kind: "set" } : rule;
}

/**
 * Rejects 404 `item_not_found`, 409 `item_archived`, `price_changed`, `no_tag_price` and `price_too_low`, each with
 * the item's id. An item whose price stays the same gets no event.
 */
export const changePrices: Decider<ChangePrices, PricesChanged> = {
  type: "ChangePrices",
  streams: ({ items }) => items.map(({ itemId }) => itemStreamId(itemId)),
  decide: ({ items, rule, happenedAt }, states) => {
    const events: NewEvent[] = [];
    const priced: PricesChanged["items"][number][] = [];
    for (const { itemId, seenCents } of items) {
      const { version, state } = states.get(itemStream, itemStreamId(itemId));
      if (!state.exists) {
        return itemNotFound;
      }
      if (state.archived) {
        return { ...itemArchived, current: { id: itemId } };
      }
      const { tagPriceCents: beforeCents } = state;
      if (beforeCents !== seenCents) {
        return refused("price_changed", "This item has another tag price now", itemId, beforeCents);
      }
      const after = priceAfter(rule, beforeCents);
      if (after.kind !== "priced") {
        return after.kind === "no-price"
          ? refused("no_tag_price", "This item has no tag price", itemId, beforeCents)
          : refused(
              "price_too_low",
              "This takes off all of an item's tag price",
              itemId,
              beforeCents,
            );
      }
      const { cents: afterCents } = after;
      const isSame = afterCents === beforeCents;
      if (!isSame) {
        const change = changeOf(rule);
        events.push(itemPriced({ itemId, state, afterCents, change, happenedAt }));
      }
      priced.push({ id: itemId, version: version + (isSame ? 0 : 1), tagPriceCents: afterCents });
    }
    return accept(events, { changed: events.length, items: priced });
  },
};

function refused(
  code: string,
  message: string,
  id: string,
  tagPriceCents: number | null,
): Rejection {
  return reject(409, code, message, { id, tagPriceCents });
}
