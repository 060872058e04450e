// From what trades hold of a refused line's item to how a person can settle it: no unit is counted in that a buyer has. Pure.
import type { HeldItemResponse, HoldingAcceptance } from "#features/trades/contract-held.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { canBeCounted } from "./delivery.ts";
import type { RefusedLine } from "./taken-sale.ts";

/** `cancel`: the units come out of a trade. `counted`: they were in stock. */
export type SettlingWay = "cancel" | "counted" | "another" | "refund";

/** The ways that always fit. */
export const otherWays = ["another", "refund"] as const;

/** Units of an acceptance that are cancelled for the customer at the till. */
export type Cancellation = { readonly acceptance: HoldingAcceptance; readonly units: number };

export function missingUnits({ line }: RefusedLine, { quantity }: HeldItemResponse): number {
  return Math.max(0, line.units - quantity);
}

export function unitsHeld({ acceptances }: HeldItemResponse): number {
  return acceptances.reduce((total, { units }) => total + units, 0);
}

/** Only a consignor's item can be in a trade, and only what can be counted in is asked about. */
export function mayBeHeld(line: RefusedLine): boolean {
  return canBeCounted(line) && line.target.consignorID !== null;
}

/**
 * The ways that fit, the likeliest first. As long as trades hold what is missing, it was not in stock; nor where they
 * held it a moment ago (`wasHeld`) and have sent it since. `held` is undefined where it cannot be read.
 */
export function waysToSettle(
  line: RefusedLine,
  held: HeldItemResponse | undefined,
  wasHeld: boolean,
): readonly [SettlingWay, ...SettlingWay[]] {
  if (!canBeCounted(line)) {
    return otherWays;
  }
  const missing = held === undefined ? 0 : missingUnits(line, held);
  if (held === undefined || missing === 0) {
    return ["counted", "another", "refund"];
  }
  if (unitsHeld(held) >= missing) {
    return ["cancel", "another", "refund"];
  }
  return wasHeld ? otherWays : ["counted", "another", "refund"];
}

/** Which acceptances give the missing units: the chosen one, and where it has too few the others, newest first. */
export function cancellationsFor(
  missing: number,
  acceptances: readonly HoldingAcceptance[],
  chosenId: string | undefined,
): readonly Cancellation[] {
  const chosenFirst = [
    ...acceptances.filter(({ offerId }) => offerId === chosenId),
    ...acceptances.filter(({ offerId }) => offerId !== chosenId),
  ];
  let left = missing;
  return chosenFirst.flatMap((acceptance) => {
    const units = Math.min(acceptance.units, left);
    left -= units;
    return units > 0 ? [{ acceptance, units }] : [];
  });
}

/** The line's round and the units are in it, so that another refusal, or another number of units, is another action. */
export function cancellationKey(
  { saleId, line, round }: RefusedLine,
  offerId: string,
  units: number,
): string {
  return `posCancel:${saleId}:${line.line}:${round}:${offerId}:${units}`;
}

/** "Order 3d1f0a52 of Blake Rivers: 1 unit" */
export function acceptanceName({ tradeId, buyer, units }: HoldingAcceptance): string {
  return `Order ${shortTradeId(tradeId)} of ${buyer.displayName}: ${formatQuantity(units, "unit")}`;
}

/** Who gets what back. The shipping fee goes back when the trade has nothing left. */
export function cancellationText({ acceptance, units }: Cancellation): string {
  const { tradeId, buyer, price, tradeUnits, heldCents, status } = acceptance;
  const isAll = units === tradeUnits;
  const back = formatMoney(isAll ? heldCents : units * price);
  const rest = isAll
    ? "Nothing of the order is left"
    : formatQuantity(tradeUnits - units, "unit of the order stays", "units of the order stay");
  const label =
    status === "shipping_uploaded" ? " It has its label already: make sure it is not sent." : "";
  const cancelled = `of order ${shortTradeId(tradeId)} ${units === 1 ? "is" : "are"} cancelled`;
  return `${formatQuantity(units, "unit")} ${cancelled}: ${back} goes back to ${buyer.displayName}. ${rest}.${label}`;
}
