// The columns of a list of ledger lines with the balance after each, for the ledger and for the past.
import type { ReactNode } from "react";
import { toCents } from "#ledger/money.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { LineDate } from "#web/shared/history/line-date.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { Money } from "#web/ui/money.tsx";

type Line = {
  readonly happenedAt: string;
  readonly recordedAt: string;
  readonly isLate: boolean;
  readonly description: string;
  readonly amount: number;
  readonly balanceAfter: number;
};

export function lineColumns<Row extends Line>(
  chip: (line: Row) => ReactNode,
  byHappened = false,
): readonly Column<Row>[] {
  return [
    {
      id: "date",
      header: "Date",
      cell: (line) => <LineDate line={line} byHappened={byHappened} />,
      width: "w-44",
      card: "line",
    },
    { id: "kind", header: "Type", cell: chip, width: "w-40", card: "chip" },
    {
      id: "description",
      header: "Description",
      cell: (line) => withIsolatedNames(line.description),
      isTruncated: true,
      width: "min-w-72",
      card: "title",
    },
    {
      id: "amount",
      header: "Amount",
      cell: (line) => <Money cents={toCents(line.amount)} isChange />,
      align: "end",
      width: "w-32",
      card: "amount",
    },
    {
      id: "balance",
      header: "Balance after",
      cell: (line) => <Money cents={toCents(line.balanceAfter)} isBalance />,
      align: "end",
      width: "w-40",
      card: "end-line",
      cardLabel: "Balance",
    },
  ];
}
