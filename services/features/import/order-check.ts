// Finds out whether a sales file is in order of time, and if not, what sorting it would change.
import { type DateRules, parseInstant } from "./cells.ts";
import type { PlannedLine } from "./decider.ts";
import type { LinePlan } from "./plan-sales.ts";

/** What is wrong with a file's order, and what `--sort` would change. */
export type OrderWarning = {
  /** Lines that are dated before a line above them. */
  readonly linesOutOfOrder: number;
  readonly firstOutOfOrder: number;
  readonly refunds: number;
  /** Refunds that are dated before their sale. */
  readonly refundsBeforeTheirSale: number;
  /** Null if it was not tried, because the file is too long to sort without being asked to. */
  readonly sorted: {
    readonly refunds: number;
    /** Refund lines that are refused in the file's order and accepted in order of time. */
    readonly nowTaken: readonly number[];
    /** Refund lines that are accepted in the file's order and refused in order of time. */
    readonly nowRefused: readonly number[];
    /** Refunds that would refund another sale. */
    readonly ofOtherSales: number;
  } | null;
};

export type OrderCheck = {
  /** The plans of all lines in the file's order. */
  readonly add: (plan: LinePlan<PlannedLine>) => void;
  readonly isInOrder: () => boolean;
  /** The plans of the same lines in order of time. */
  readonly addSorted: (plan: LinePlan<PlannedLine>) => void;
  /** Null if the lines are in order. */
  readonly done: () => OrderWarning | null;
};

/** Dates are read as in the plans. */
export function createOrderCheck(rules: DateRules): OrderCheck {
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
      const at = timeOf(plan, rules);
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

/** A line's date, even if the line is refused for another reason. */
function timeOf(plan: LinePlan<PlannedLine>, rules: DateRules): string | null {
  if (plan.kind === "planned") {
    return plan.planned.happenedAt;
  }
  const date = plan.said.kind === "sale" ? parseInstant(plan.said.date, rules) : null;
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
