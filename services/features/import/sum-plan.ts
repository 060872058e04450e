// Sums up a plan: counts, units and money, for the summary that is shown before anything is written.
import type { Cents } from "#ledger/money.ts";
import { payoutOf } from "#ledger/money.ts";
import type { Refusal } from "./cells.ts";
import { IMPORTED_SHARE } from "./decider.ts";
import type { PlannedLine } from "./decider.ts";
import type { LinePlan } from "./plan-sales.ts";

export type ImportSummary = {
  readonly rows: number;
  readonly planned: number;
  readonly sales: number;
  readonly refunds: number;
  /** Lines of stock. */
  readonly items: number;
  readonly refused: number;
  readonly refusedByReason: Readonly<Record<string, number>>;
  /** Different pairs of owner and barcode. */
  readonly barcodes: number;
  readonly consignors: number;
  readonly unitsReceived: number;
  readonly unitsRefunded: number;
  readonly soldCents: Cents;
  readonly payoutCents: Cents;
  /** The dates of the first and the last sale; null without any. */
  readonly from: string | null;
  readonly to: string | null;
};

/** The summary of a plan. */
export type PlanSum = {
  readonly summary: ImportSummary;
  readonly refused: readonly Refusal[];
  /** Uids of the import's own consignors that the file needs. */
  readonly importConsignors: readonly string[];
};

/** Takes plans in order; `done` takes the number of lines in the file. */
export function createSum(): {
  readonly add: (plan: LinePlan<PlannedLine>) => void;
  readonly done: (rows: number) => PlanSum;
} {
  const refused: Refusal[] = [];
  const counts = { sale: 0, refund: 0, item: 0 };
  const barcodes = new Set<string>();
  const owners = new Set<string>();
  const sums = { received: 0, refunded: 0, soldCents: 0, payoutCents: 0 };
  let from: string | null = null;
  let to: string | null = null;
  function addPlanned(line: PlannedLine): void {
    counts[line.kind] += 1;
    if (line.kind === "refund") {
      sums.refunded += line.units;
      return;
    }
    sums.received += line.units;
    if (line.kind === "item") {
      barcodes.add(`${line.ownerUid ?? ""}\n${line.details.barcode1}`);
      owners.add(line.ownerUid ?? "");
      return;
    }
    barcodes.add(`${line.consignorId}\n${line.code}`);
    owners.add(line.consignorId);
    sums.soldCents += line.priceCents;
    sums.payoutCents += payoutOf(line.priceCents, 0, IMPORTED_SHARE);
    from = from === null || line.happenedAt < from ? line.happenedAt : from;
    to = to === null || line.happenedAt > to ? line.happenedAt : to;
  }
  return {
    add(plan) {
      if (plan.kind === "planned") {
        addPlanned(plan.planned);
      } else {
        const { line, reason, message, said } = plan;
        refused.push({ line, reason, message, said });
      }
    },
    done(rows) {
      const byReason = Map.groupBy(refused, ({ reason }) => reason);
      owners.delete("");
      return {
        refused: refused.sort((a, b) => a.line - b.line),
        importConsignors: [...owners].filter((uid) => uid.startsWith("import-consignor-")).sort(),
        summary: {
          rows,
          planned: counts.sale + counts.refund + counts.item,
          sales: counts.sale,
          refunds: counts.refund,
          items: counts.item,
          refused: refused.length,
          refusedByReason: Object.fromEntries(
            [...byReason]
              .map(([reason, lines]) => [reason, lines.length] as const)
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          ),
          barcodes: barcodes.size,
          consignors: owners.size,
          unitsReceived: sums.received,
          unitsRefunded: sums.refunded,
          soldCents: sums.soldCents,
          payoutCents: sums.payoutCents,
          from,
          to,
        },
      };
    },
  };
}
