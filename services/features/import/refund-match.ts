// Finds the sale that a cancellation refunds among the lines so far, with the units left of each.
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { quoted, refused } from "./cells.ts";
import type { RefusalReason, Refused } from "./cells.ts";

/** A sale matches a cancellation if all of these are equal. */
export type Bought = {
  readonly consignorId: string;
  readonly code: string;
  readonly customer: string;
  readonly unitCents: Cents;
};

export type OpenSale = {
  readonly saleId: string;
  readonly line: number;
  readonly happenedAt: string;
  readonly units: number;
  unitsLeft: number;
};

/** A refund that an earlier import made: the line of its sale, and the units. */
export type KeptRefund = { readonly saleLine: number; readonly units: number };

export type OpenSales = {
  readonly add: (bought: Bought, sale: Omit<OpenSale, "unitsLeft">) => void;
  /** The latest matching sale so far with enough units left; the units are subtracted from it. */
  readonly take: (bought: Bought, units: number) => OpenSale | Refused;
  /** The date of a line's sale, if that line was added before. */
  readonly timeOf: (saleLine: number) => string | null;
};

const unmatched: ReadonlySet<RefusalReason> = new Set([
  "never_sold",
  "sold_at_other_price",
  "too_few_left",
]);

/** True for a cancellation that is valid but has no sale to refund. */
export function isUnmatched(reason: RefusalReason): boolean {
  return unmatched.has(reason);
}

/** Units of `kept` refunds are not available to others, whatever the order of the lines is now. */
export function createOpenSales(kept: readonly KeptRefund[]): OpenSales {
  /** By buyer and goods, then by price. */
  const sales = new Map<string, Map<Cents, OpenSale[]>>();
  const times = new Map<number, string>();
  const taken = new Map<number, number>();
  for (const { saleLine, units } of kept) {
    taken.set(saleLine, (taken.get(saleLine) ?? 0) + units);
  }
  const keyOf = ({ consignorId, code, customer }: Bought): string =>
    [consignorId, code, customer].join("\n");
  return {
    add(bought, sale) {
      const key = keyOf(bought);
      const byPrice = sales.get(key) ?? new Map<Cents, OpenSale[]>();
      sales.set(key, byPrice);
      const sameGoods = byPrice.get(bought.unitCents) ?? [];
      byPrice.set(bought.unitCents, sameGoods);
      const takenUnits = taken.get(sale.line) ?? 0;
      sameGoods.push({ ...sale, unitsLeft: sale.units - takenUnits });
      if (takenUnits > 0) {
        times.set(sale.line, sale.happenedAt);
      }
    },
    take(bought, units) {
      const byPrice = sales.get(keyOf(bought));
      if (byPrice === undefined) {
        return neverSold(bought);
      }
      const fitting = byPrice.get(bought.unitCents);
      if (fitting === undefined) {
        return soldAtOtherPrice(bought, [...byPrice.keys()]);
      }
      const sale = fitting.findLast(({ unitsLeft }) => unitsLeft >= units);
      if (sale === undefined) {
        return tooFewLeft(bought, units, fitting);
      }
      sale.unitsLeft -= units;
      return sale;
    },
    timeOf: (saleLine) => times.get(saleLine) ?? null,
  };
}

function buyerOf({ customer }: Bought): string {
  return customer === "" ? "a buyer without a number" : `customer ${quoted(customer)}`;
}

function neverSold(bought: Bought): Refused {
  const { code } = bought;
  return refused("never_sold", `No line before it sells ${quoted(code)} to ${buyerOf(bought)}`);
}

function soldAtOtherPrice(bought: Bought, prices: readonly Cents[]): Refused {
  const { code, unitCents } = bought;
  const known = prices.slice(0, 3).map(formatCents).join(", ");
  const more = prices.length > 3 ? " and other prices" : "";
  return refused(
    "sold_at_other_price",
    `Before it, ${quoted(code)} was sold to ${buyerOf(bought)} at ${known}${more}, never at ${formatCents(unitCents)}`,
  );
}

function tooFewLeft(bought: Bought, units: number, sales: readonly OpenSale[]): Refused {
  const { code, unitCents } = bought;
  const sold = sales.reduce((sum, sale) => sum + sale.units, 0);
  const left = sales.reduce((sum, { unitsLeft }) => sum + unitsLeft, 0);
  const most = Math.max(...sales.map(({ unitsLeft }) => unitsLeft));
  const goods = `${quoted(code)} sold to ${buyerOf(bought)} at ${formatCents(unitCents)}`;
  return refused(
    "too_few_left",
    left < units
      ? `Of ${sold} ${goods} before it, ${left === 0 ? "none is" : left === 1 ? "1 is" : `${left} are`} left to refund, not ${units}`
      : `${left} of ${goods} are left to refund, but in ${sales.length} sales with at most ${most} each, not ${units} in one`,
  );
}
