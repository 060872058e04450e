// The columns and totals that a report's two lists share: numbers that open their lines.
import type { ReactNode } from "react";
import type { ReportFigures, ReportNumber } from "#features/reports/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { reportWhy } from "#web/shared/explain/report-why.ts";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { Money } from "#web/ui/money.tsx";

/** Whose lines a row is of, and of which days. */
export type Scope = {
  readonly consignor: string | undefined;
  readonly whose?: "consignors";
  readonly from: string;
  readonly to: string;
  /** The kind of lines that is shown first; left out for all. */
  readonly kind?: string;
};

/** A number of a report's row that opens its lines. */
export type FigureNumber = Extract<ReportNumber, keyof ReportFigures>;

const counts: ReadonlySet<ReportNumber> = new Set(["sales", "unpricedSales", "unitsLost"]);

/** What the lists call their numbers. */
const headers = {
  ownSold: "Own goods",
  consignedSold: "Consigned goods",
  refunds: "Refunds",
  corrections: "Corrections",
  storeShare: "Store's share",
  consignorShare: "Consignor's share",
  shipping: "Shipping",
  payouts: "Net payouts",
  commission: "Commission",
  tradeFees: "Trade fees",
  owed: "Owed at the end",
  unitsLost: "Units out",
} as const;

type ListedNumber = keyof typeof headers;

/**
 * Sales after refunds and corrections are what the store and consignors got, and shipping. Most stores have none, and
 * then it takes no room.
 */
export function shownOf<Number extends ListedNumber>(
  numbers: readonly Number[],
  total: ReportFigures | undefined,
): readonly Number[] {
  return numbers.filter(
    (number) => number !== "shipping" || (total !== undefined && total.shipping !== 0),
  );
}

/** All their lines have one sign, so there is none where they are zero. Any other zero may be what lines add up to. */
const oneSided: ReadonlySet<ReportNumber> = new Set([
  "sales",
  "unpricedSales",
  "sold",
  "ownSold",
  "consignedSold",
  "refunds",
  "taxRefunded",
]);

/** A number that opens its lines, also a zero after +10 and −10. */
export function Figure({
  number,
  amount,
  scope,
}: {
  readonly number: ReportNumber;
  readonly amount: number;
  readonly scope: Scope;
}) {
  const shown = counts.has(number) ? (
    <span className="tabular-nums">{formatCount(amount)}</span>
  ) : (
    <Money cents={toCents(amount)} isBalance={number === "owed"} />
  );
  const muted = amount === 0 ? <span className="text-muted">{shown}</span> : shown;
  return amount === 0 && oneSided.has(number) ? (
    muted
  ) : (
    <WhyValue why={reportWhy(number, scope)}>{muted}</WhyValue>
  );
}

type FigureColumns<Row> = {
  readonly numbers: readonly ListedNumber[];
  /** What differs from a plain column with the usual name. */
  readonly special: { readonly [Number in ListedNumber]?: Partial<Column<Row>> };
  readonly scopeOf: (row: Row) => Scope;
  /** True if the server sorts the list by each of them. */
  readonly isSorted: boolean;
};

/** Columns of numbers that open their lines. */
export function figureColumns<Row extends ReportFigures>({
  numbers,
  special,
  scopeOf,
  isSorted,
}: FigureColumns<Row>): readonly Column<Row>[] {
  return numbers.map((id) => ({
    id,
    header: headers[id],
    align: "end",
    card: "pair",
    ...(isSorted ? { sortAs: id } : {}),
    cell: (row) => <Figure number={id} amount={row[id]} scope={scopeOf(row)} />,
    ...special[id],
  }));
}

/** The cells of the total row below such columns. */
export function figureTotals(
  numbers: readonly ListedNumber[],
  total: ReportFigures,
  scope: Scope,
): Readonly<Record<string, ReactNode>> {
  return Object.fromEntries(
    numbers.map((id) => [id, <Figure key={id} number={id} amount={total[id]} scope={scope} />]),
  );
}
