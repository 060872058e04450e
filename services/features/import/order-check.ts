// Tells whether a file of sales is in order of time, and if not, what taking its lines in that order would change.
import { parseInstant } from "./cells.ts";
import type { PlannedLine } from "./decider.ts";
import type { LinePlan } from "./plan-sales.ts";

/** What is wrong with a file's order, and what `--sort` would make of it. */
export type OrderWarning = {
  /** Lines that are dated before a line above them. */
  readonly linesOutOfOrder: number;
  readonly firstOutOfOrder: number;
  readonly refunds: number;
  /** Refunds that are dated before the sale that they would take back. */
  readonly refundsBeforeTheirSale: number;
  /** Null where it was not tried: the file is too long to be sorted unasked. */
  readonly sorted: {
    readonly refunds: number;
    /** Lines of refunds that are refused as the file stands, and then taken. */
    readonly nowTaken: readonly number[];
    /** Lines of refunds that are taken as the file stands, and then refused. */
    readonly nowRefused: readonly number[];
    /** Refunds that then take back another sale. */
    readonly ofOtherSales: number;
  } | null;
};

export type OrderCheck = {
  /** The plans of all lines as they stand. */
  readonly add: (plan: LinePlan<PlannedLine>) => void;
  readonly isInOrder: () => boolean;
  /** The plans of the same lines by time. */
  readonly addSorted: (plan: LinePlan<PlannedLine>) => void;
  /** Null where the lines are in order. */
  readonly done: () => OrderWarning | null;
};

/** Dates later than `now` cannot be read, as in the plans. */
export function createOrderCheck(now: Date): OrderCheck {
  let latest = "";
  let linesOutOfOrder = 0;
  let firstOutOfOrder = 0;
  let refundsBeforeTheirSale = 0;
  /** Each refund's line with its sale's line. */
  const refunds = new Map<number, number>();
  const sorted = new Map<number, number>();
  let isSorted = false;
  return {
    add(plan) {
      const at = timeOf(plan, now);
      if (at !== null && at < latest) {
        firstOutOfOrder = linesOutOfOrder === 0 ? lineOf(plan) : firstOutOfOrder;
        linesOutOfOrder += 1;
      }
      latest = at !== null && at > latest ? at : latest;
      keepRefund(refunds, plan);
      if (plan.kind === "planned" && plan.soldAt !== null) {
        refundsBeforeTheirSale += plan.planned.happenedAt < plan.soldAt ? 1 : 0;
      }
    },
    isInOrder: () => linesOutOfOrder === 0,
    addSorted(plan) {
      isSorted = true;
      keepRefund(sorted, plan);
    },
    done() {
      if (linesOutOfOrder === 0) {
        return null;
      }
      return {
        linesOutOfOrder,
        firstOutOfOrder,
        refunds: refunds.size,
        refundsBeforeTheirSale,
        sorted: isSorted ? compare(refunds, sorted) : null,
      };
    },
  };
}

function compare(
  refunds: ReadonlyMap<number, number>,
  sorted: ReadonlyMap<number, number>,
): OrderWarning["sorted"] {
  const both = [...refunds].filter(([line]) => sorted.has(line));
  return {
    refunds: sorted.size,
    nowTaken: [...sorted.keys()].filter((line) => !refunds.has(line)).sort(upwards),
    nowRefused: [...refunds.keys()].filter((line) => !sorted.has(line)).sort(upwards),
    ofOtherSales: both.filter(([line, saleLine]) => sorted.get(line) !== saleLine).length,
  };
}

const upwards = (a: number, b: number): number => a - b;

/** When a line says that it happened, also one that is refused for something else. */
function timeOf(plan: LinePlan<PlannedLine>, now: Date): string | null {
  if (plan.kind === "planned") {
    return plan.planned.happenedAt;
  }
  const date = plan.said.kind === "sale" ? parseInstant(plan.said.date, now) : null;
  return date?.kind === "understood" ? date.value : null;
}

function lineOf(plan: LinePlan<PlannedLine>): number {
  return plan.kind === "planned" ? plan.planned.line : plan.line;
}

function keepRefund(refunds: Map<number, number>, plan: LinePlan<PlannedLine>): void {
  if (plan.kind === "planned" && plan.planned.kind === "refund") {
    refunds.set(plan.planned.line, plan.planned.saleLine);
  }
}
