// The columns that a report's two lists share: amounts that open their lines.
import type { ReportFigures, ReportNumber } from "#features/reports/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { reportWhy } from "#web/shared/explain/report-why.ts";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import type { CardPlace, Column } from "#web/ui/data-table-column.ts";
import { Money } from "#web/ui/money.tsx";

/** Whose lines a row is of, and of which days. */
export type Scope = {
  readonly consignor: string | undefined;
  readonly from: string;
  readonly to: string;
  /** The kind of lines that is shown first; left out for all. */
  readonly kind?: string;
};

/** A number of a report's row that opens its lines. */
export type FigureNumber = Extract<ReportNumber, keyof ReportFigures>;

const counts: ReadonlySet<ReportNumber> = new Set(["sales", "unpricedSales", "unitsLost"]);

type FigureColumn = {
  readonly id: Exclude<FigureNumber, "unitsLost">;
  readonly header: string;
  readonly card: CardPlace;
  readonly shownFrom?: "66rem" | "73rem" | "77rem" | "84rem";
};

/** What is owed may be zero after many lines. */
const isOwed = (number: ReportNumber) => number === "taxOwed" || number.startsWith("owed");

/** A number that opens its lines. Nothing opens where nothing happened. */
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
  return amount === 0 && !isOwed(number) ? (
    <span className="text-muted">{shown}</span>
  ) : (
    <WhyValue why={reportWhy(number, scope)}>{shown}</WhyValue>
  );
}

/** Columns of amounts, and the units that were lost; each is sorted by its own name if `sorted` has it. */
export function figureColumns<Row extends ReportFigures>(
  columns: readonly FigureColumn[],
  scopeOf: (row: Row) => Scope,
  sorted: readonly string[] = [],
): readonly Column<Row>[] {
  const sortOf = (id: string) => (sorted.includes(id) ? { sortAs: id } : {});
  return [
    ...columns.map(({ id, header, card, shownFrom }) => ({
      id,
      header,
      card,
      align: "end" as const,
      ...(shownFrom === undefined ? {} : { shownFrom }),
      ...sortOf(id),
      cell: (row: Row) => <Figure number={id} amount={row[id]} scope={scopeOf(row)} />,
    })),
    {
      id: "unitsLost",
      header: "Units out",
      align: "end",
      card: "pair",
      ...sortOf("unitsLost"),
      cell: (row) => <Figure number="unitsLost" amount={row.unitsLost} scope={scopeOf(row)} />,
    },
  ];
}
