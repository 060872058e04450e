// The last price of each item on this till, so that the same price takes one key.
import * as z from "zod/mini";
import type { Cents } from "#ledger/money.ts";
import { localValue } from "#web/lib/local-store.ts";
import type { TakenSale } from "./taken-sale.ts";

const kept = 1000;

/** Pairs of item id and cents, the latest last. */
const prices = localValue("posPrices", z.array(z.tuple([z.string(), z.int()])), []);

export function lastPrice(itemId: string): Cents | undefined {
  return prices.read().find(([id]) => id === itemId)?.[1];
}

export function rememberPrices(sale: TakenSale): void {
  const sold = new Map(sale.lines.map(({ item, unitPriceCents }) => [item.id, unitPriceCents]));
  const others = prices.read().filter(([id]) => !sold.has(id));
  prices.write([...others, ...sold].slice(-kept));
}
