// What Today lists: each number in words, with the address of exactly those rows.
import {
  Hourglass,
  OctagonAlert,
  PackageOpen,
  PackageX,
  ShieldAlert,
  TrendingDown,
  UserRoundPen,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { OWN_ENTRY_DAYS, UNSOLD_DAYS, type TodayResponse } from "#features/today/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatAge, formatCount, formatMoney } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import {
  OfferIcon,
  OrderIcon,
  PayoutIcon,
  ScanIcon,
  ShipmentIcon,
  TradeIcon,
} from "#web/ui/thing-icons.ts";

export type TodayRow = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly count: number;
  /** The count stopped there. */
  readonly isCapped: boolean;
  /** A few words below or next to the label. */
  readonly detail: string;
  /** Its list: as many rows as `count`. */
  readonly to: string;
};

export type TodayGroup = {
  readonly label: string;
  /** What the group says when nothing is left in it. */
  readonly empty: string;
  /** Those that are not zero. */
  readonly rows: readonly TodayRow[];
};

type Waiting = { readonly count: number; readonly oldest: string | null };

/** "Oldest 3 days" */
function oldestText(oldest: string | null, now: Date): string {
  return oldest === null ? "" : `Oldest ${formatAge(new Date(oldest), now)}`;
}

function row(
  label: string,
  icon: LucideIcon,
  count: number,
  detail: string,
  to: string,
  isCapped = false,
): TodayRow {
  return { label, icon, count, isCapped, detail, to };
}

/** `refused`: lines of this till that the ledger refused. */
function toDo(today: TodayResponse, refused: number, now: Date): readonly TodayRow[] {
  const waiting = (
    label: string,
    icon: LucideIcon,
    { count, oldest }: Waiting,
    to: string,
  ): TodayRow => row(label, icon, count, oldestText(oldest, now), to);
  const { toPay } = today;
  const sum = formatMoney(toCents(toPay.amount));
  const tab = (name: string) => `${paths.adminShipments}?tab=${name}`;
  return [
    row("Refused at the till", ScanIcon, refused, "Taken at this till, not booked", paths.pos),
    row(
      "Payouts to pay",
      PayoutIcon,
      toPay.count,
      [sum, oldestText(toPay.oldest, now).toLowerCase()].join(", "),
      paths.payoutRequests,
    ),
    waiting(
      "Trade problems to settle",
      TradeIcon,
      today.reported,
      `${paths.fulfillment}?tab=reported`,
    ),
    waiting("Orders to ship", OrderIcon, today.toShip, paths.fulfillment),
    waiting("Shipments to process", ShipmentIcon, today.arrived, tab("to_process")),
    waiting("Labels to send", OfferIcon, today.labels, tab("label")),
  ];
}

function stock({ toCount, unsold }: TodayResponse): readonly TodayRow[] {
  return [
    row(
      "To count",
      PackageX,
      toCount.count,
      "Zero stock: count, restock or delete",
      `${paths.admin}?preset=zero-stock`,
      toCount.capped,
    ),
    ...unsold.map(({ days, count, capped }) =>
      row(
        `Unsold for ${days} days`,
        Hourglass,
        count,
        days === UNSOLD_DAYS[0] ? "Mark down or return" : "",
        `${paths.admin}?unsoldDays=${days}`,
        capped,
      ),
    ),
  ];
}

function watch(today: TodayResponse): readonly TodayRow[] {
  const { negative, ownEntries, alerts, holds } = today;
  const owed = formatMoney(toCents(negative.amount));
  const from = ownEntries.fromPosition ?? 1;
  return [
    row("Open alerts", OctagonAlert, alerts, "Look at these first", `${paths.operations}#alerts`),
    row(
      "Payout holds",
      ShieldAlert,
      holds,
      "Nobody on hold can cash out",
      `${paths.operations}#holds`,
    ),
    row(
      "Negative balances",
      TrendingDown,
      negative.count,
      `${owed} owed to the store`,
      `${paths.consignors}?money=negative&status=all`,
    ),
    row(
      "Admins' own accounts",
      UserRoundPen,
      ownEntries.count,
      `Entries by admins on their own accounts, last ${OWN_ENTRY_DAYS} days`,
      `${paths.audit}?ownAccount=yes&fromPosition=${from}`,
    ),
  ];
}

function coming({ expected }: TodayResponse, now: Date): readonly TodayRow[] {
  return [
    row(
      "Shipments on their way",
      PackageOpen,
      expected.count,
      oldestText(expected.oldest, now),
      `${paths.adminShipments}?tab=in_transit`,
    ),
  ];
}

const isLeft = ({ count }: TodayRow): boolean => count > 0;

/** The groups of the first column and of the second one. */
export function groupsOf(
  today: TodayResponse,
  refused: number,
  now: Date,
): readonly (readonly TodayGroup[])[] {
  const group = (label: string, empty: string, rows: readonly TodayRow[]): TodayGroup => ({
    label,
    empty,
    rows: rows.filter(isLeft),
  });
  return [
    [
      group("To do", "Nothing to do", toDo(today, refused, now)),
      group("Coming", "No shipment is on its way", coming(today, now)),
    ],
    [
      group("Stock", "Nothing to count or mark down", stock(today)),
      group("Watch", "Nothing unusual", watch(today)),
    ],
  ];
}

/** "10,000+" */
export function countText({ count, isCapped }: TodayRow): string {
  return `${formatCount(count)}${isCapped ? "+" : ""}`;
}
