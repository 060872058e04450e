// The columns of the counted days.
import { Diff } from "lucide-react";
import type { TillClosing } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay } from "#web/lib/formats.ts";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Money } from "#web/ui/money.tsx";
import { dayDate, differenceText } from "./till-words.ts";

function cardPaid({ payments }: TillClosing): number {
  const card = payments.find(({ tender }) => tender === "card");
  return toCents(card?.soldAmount ?? 0) - toCents(card?.refundedAmount ?? 0);
}

export const closingColumns: readonly Column<TillClosing>[] = [
  {
    id: "day",
    header: "Day",
    card: "title",
    width: "w-28",
    cell: ({ day }) => formatDay(dayDate(day)),
  },
  {
    id: "difference",
    header: "Difference",
    card: "chip",
    cell: ({ differenceAmount, isReplaced, newOpening, since }) => (
      <span className="inline-flex items-center gap-2">
        {differenceAmount === 0 ? (
          // Payments that changed since do not fit the count any more.
          <Chip kind={since.length === 0 ? "done" : "neutral"}>{differenceText(0)}</Chip>
        ) : (
          <Chip kind="pending" icon={Diff}>
            {differenceText(toCents(differenceAmount))}
          </Chip>
        )}
        {isReplaced ? <span className="text-12 text-muted">Counted again later</span> : null}
        {newOpening === null ? null : <span className="text-12 text-pending">Opening changed</span>}
        {since.length === 0 ? null : <span className="text-12 text-pending">Payments changed</span>}
      </span>
    ),
  },
  {
    id: "expected",
    header: "Expected",
    align: "end",
    card: "pair",
    cell: ({ expectedAmount }) => <Money cents={toCents(expectedAmount)} />,
  },
  {
    id: "counted",
    header: "Counted",
    align: "end",
    card: "amount",
    cardLabel: "Counted",
    cell: ({ countedAmount }) => <Money cents={toCents(countedAmount)} />,
  },
  {
    id: "left",
    header: "Stayed",
    align: "end",
    card: "none",
    cell: ({ leftAmount }) => <Money cents={toCents(leftAmount)} />,
  },
  {
    id: "card",
    header: "Card",
    align: "end",
    card: "pair",
    cell: (closing) => <Money cents={cardPaid(closing)} />,
  },
  {
    id: "by",
    header: "Counted by",
    isTruncated: true,
    width: "min-w-28 w-[14%]",
    card: "line",
    cell: ({ closedBy }) => closedBy.displayName,
  },
  {
    id: "at",
    header: "When",
    card: "end-line",
    cell: ({ closedAt }) => <DateTime at={closedAt} />,
  },
  {
    id: "note",
    header: "Note",
    isTruncated: true,
    width: "min-w-40 w-[24%]",
    shownFrom: "66rem",
    card: "none",
    cell: ({ note }) => <span className="text-muted">{note ?? ""}</span>,
  },
];
