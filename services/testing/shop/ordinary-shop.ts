// The money shop after its ordinary days, with every read table of the store: for tests that change something behind its back.
import { bookChecks } from "../../features.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { ordinaryDays } from "#testing/shop/money-steps.ts";

/** The people of this shop have no profiles, so they have no handles either. */
export const shopChecks: readonly BookCheck[] = bookChecks.filter(
  ({ check }) => check !== "identity",
);

/** Everything except the trade: no feature declares its event yet. */
const days = ordinaryDays.flat().filter(({ act }) => act !== "trade");

export async function takeOrdinaryDays(shop: MoneyShop): Promise<void> {
  for (const step of days) {
    await shop.take(step);
  }
}

export async function openOrdinaryShop(): Promise<MoneyShop> {
  const shop = await openMoneyShop();
  await takeOrdinaryDays(shop);
  await shop.runner.catchUp();
  return shop;
}
