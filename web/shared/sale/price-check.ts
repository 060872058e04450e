// When a form asks once more about a price: if it is far from what is known of the unit.
import { earlierPriceResponse } from "#features/lookup/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import { useRead } from "#web/lib/read.ts";
import { useSaveCheck, type SaveCheck } from "#web/ui/save-question.tsx";
import { unusualPrice, type EnteredPrice } from "./unusual-price.ts";

/** The highest price that is known of a unit: of its earlier sales, or its tag. An undefined item has none. */
export function useKnownPrice(
  itemId: string | undefined,
  tagPriceCents: Cents | null,
): Cents | undefined {
  const { data } = useRead(
    itemId === undefined ? undefined : `/lookup/earlier-price/${itemId}`,
    earlierPriceResponse,
  );
  const paid = data?.highestUnitPrice ?? null;
  const known = [paid === null ? null : toCents(paid), tagPriceCents].filter((one) => one !== null);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** `entered` is undefined while the price is not an amount. Another price is asked about again. */
export function usePriceCheck(entered: EnteredPrice | undefined): SaveCheck {
  return useSaveCheck(entered === undefined ? undefined : unusualPrice(entered));
}
