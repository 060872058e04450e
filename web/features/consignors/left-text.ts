// What somebody still has here, in words: until it is settled, their account cannot be deleted.
import type { SummaryResponse } from "#features/accounts/contract-summary.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";

type Left = Pick<
  SummaryResponse,
  "available" | "inTransit" | "heldForTrades" | "activeItems" | "unitsInTrades"
>;

/** "$12.50 of balance and 3 items in stock"; empty if nothing is left. The server also knows shipments and old accounts. */
export function leftText(summary: Left): string {
  const { available, inTransit, heldForTrades, activeItems, unitsInTrades } = summary;
  const money = (dollars: number, what: string) =>
    dollars === 0 ? [] : [`${formatMoney(toCents(dollars))} ${what}`];
  const parts = [
    ...money(available, "of balance"),
    ...money(inTransit, "of waiting payouts"),
    ...(activeItems === 0 ? [] : [`${formatQuantity(activeItems, "item")} in stock`]),
    ...money(heldForTrades, "held for open trades"),
    ...(unitsInTrades === 0 ? [] : [`${formatQuantity(unitsInTrades, "unit")} in open trades`]),
  ];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}
