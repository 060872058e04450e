// The columns of the list of months: their status, amounts that open their entries, and what was dated into them since.
import { CalendarCheck, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { LateBy, MonthView } from "#features/months/contract-months.ts";
import { toDollars } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { storeDayParams } from "#web/shared/sale/sales-filters.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { daysOf, monthName } from "./month-words.ts";
import { Figure } from "./report-cells.tsx";

const storeCents = ({ own, consigned }: MonthView["totals"]) =>
  own.storeCents + consigned.storeCents;

const statusChips: Readonly<Record<MonthView["status"], ReactNode>> = {
  closed: (
    <Chip kind="done" icon={Lock}>
      Closed
    </Chip>
  ),
  // No closing fixed its totals, so it has no lock.
  before: <Chip kind="neutral">Closed with a later month</Chip>,
  present: <Chip kind="neutral">In progress</Chip>,
  open: <Chip kind="pending">Open</Chip>,
};

type Acts = {
  /** The store's; undefined until the months are known. */
  readonly timeZone: string | undefined;
  /** Without a month to close there is no column of buttons. */
  readonly canClose: boolean;
  readonly onClose: (month: MonthView) => void;
  readonly onLate: (month: string, by: LateBy) => void;
};

/** An amount that opens its entries in the report. */
function amount(
  id: "sold" | "kept" | "consignorShare" | "payouts",
  header: string,
  of: (totals: MonthView["totals"]) => number,
): Column<MonthView> {
  return {
    id,
    header,
    align: "end",
    card: "pair",
    cell: ({ month, totals }) => (
      <Figure
        number={id}
        amount={toDollars(of(totals))}
        scope={{ consignor: undefined, ...daysOf(month) }}
      />
    ),
  };
}

/** From goods sold to what the store and consignors get: each number opens its entries, and most months have few. */
function betweenIn({ own, consigned, shippingCents }: MonthView["totals"]) {
  const parts = [
    {
      number: "refunds",
      word: "refunds",
      isLess: false,
      cents: 0 - own.refundedCents - consigned.refundedCents,
    },
    {
      number: "corrections",
      word: "corrections",
      isLess: false,
      cents: own.correctedCents + consigned.correctedCents,
    },
    { number: "shipping", word: "shipping", isLess: true, cents: shippingCents },
  ] as const;
  return parts.filter(({ cents }) => cents !== 0);
}

function Between({ of: { month, totals } }: { readonly of: MonthView }) {
  const parts = betweenIn(totals);
  const scope = { consignor: undefined, ...daysOf(month) };
  return parts.length === 0 ? (
    <span className="text-muted">None</span>
  ) : (
    <span className="inline-flex flex-col items-end">
      {parts.map(({ number, word, isLess, cents }) => (
        <span key={number}>
          <span className="text-12 text-muted">{isLess ? `less ${word} ` : `${word} `}</span>
          <Figure number={number} amount={toDollars(cents)} scope={scope} />
        </span>
      ))}
    </span>
  );
}

/** Opens its sales by the days of the store, in whose time zone a month begins and ends. */
function nameIn(timeZone: string | undefined): Column<MonthView> {
  return {
    id: "month",
    header: "Month",
    card: "title",
    cell: ({ month, from, to }) => (
      <Link
        to={`${paths.adminSales}?${storeDayParams(from, to, timeZone)}`}
        className="text-accent hover:underline"
      >
        {monthName(month)}
      </Link>
    ),
  };
}

const facts: readonly Column<MonthView>[] = [
  { id: "status", header: "Status", card: "amount", cell: ({ status }) => statusChips[status] },
  amount("sold", "Goods sold", ({ own, consigned }) => own.soldCents + consigned.soldCents),
  {
    id: "between",
    header: "Refunds and costs",
    align: "end",
    card: "pair",
    cell: (month) => <Between of={month} />,
  },
  amount("kept", "Store keeps", storeCents),
  amount("consignorShare", "Consignors get", ({ consignorCents }) => consignorCents),
  amount("payouts", "Net payouts", ({ paidCents, returnedCents }) => paidCents - returnedCents),
];

const closedBy: Column<MonthView> = {
  id: "closed",
  header: "Closed by",
  card: "line",
  width: "min-w-40",
  cell: ({ closed }) =>
    closed === null ? null : (
      <span className="flex flex-col leading-4 wrap-anywhere whitespace-normal">
        {closed.by.displayName}
        <span className="text-12 text-muted">
          <DateTime at={closed.at} />
          {`, position ${formatCount(closed.position)}`}
        </span>
      </span>
    ),
};

function actionsFor(onClose: Acts["onClose"]): Column<MonthView> {
  return {
    id: "act",
    header: "Actions",
    isHeaderHidden: true,
    card: "foot",
    cell: (month) =>
      month.canClose ? (
        <Button
          icon={CalendarCheck}
          aria-label={`Close month: ${monthName(month.month)}`}
          className="in-data-cards:mt-2 max-sm:w-full"
          onClick={() => onClose(month)}
        >
          Close month
        </Button>
      ) : null,
  };
}

type LateProps = { readonly of: MonthView; readonly onLate: Acts["onLate"] };

/** Entries that came too late for this month, and entries of earlier, closed months that are booked in it. */
function Late({ of: { month, lateEntries, lateBooked }, onLate }: LateProps) {
  if (lateEntries + lateBooked === 0) {
    return <span className="text-muted">None</span>;
  }
  const link = (by: LateBy, count: number, words: string) =>
    count === 0 ? null : (
      <TextButton
        aria-label={`${formatQuantity(count, "entry", "entries")} ${words}, ${monthName(month)}`}
        onClick={() => onLate(month, by)}
      >
        {`${formatCount(count)} ${words}`}
      </TextButton>
    );
  return (
    <span className="inline-flex flex-col items-end">
      {link("dated", lateEntries, "after closing")}
      {link("booked", lateBooked, "of closed months")}
    </span>
  );
}

export function columnsFor(acts: Acts): readonly Column<MonthView>[] {
  const { timeZone, canClose, onClose, onLate } = acts;
  return [
    nameIn(timeZone),
    ...facts,
    {
      id: "late",
      header: "Late entries",
      align: "end",
      card: "pair",
      cell: (month) => <Late of={month} onLate={onLate} />,
    },
    closedBy,
    ...(canClose ? [actionsFor(onClose)] : []),
  ];
}
