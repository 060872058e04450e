// What was sold today, compared with the same day last week, in the store's days. Both numbers open their sales.
import { ArrowDownRight, ArrowUpRight, Equal } from "lucide-react";
import { Link } from "react-router-dom";
import type { TodayResponse } from "#features/today/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { storeDayParams } from "#web/shared/sale/sales-filters.ts";
import { Chip } from "#web/ui/chip.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { weekdayOf } from "#web/lib/store-day.ts";

const frame = "card flex flex-wrap items-end gap-x-12 gap-y-4 p-4 max-sm:gap-x-6 max-sm:p-3";

/** By how much today is ahead of the same time last week. */
function Change({ cents }: { readonly cents: number }) {
  return cents === 0 ? (
    <Chip kind="neutral" icon={Equal}>
      The same
    </Chip>
  ) : (
    <Chip kind={cents > 0 ? "credit" : "neutral"} icon={cents > 0 ? ArrowUpRight : ArrowDownRight}>
      {`${formatMoney(Math.abs(cents))} ${cents > 0 ? "more" : "less"}`}
    </Chip>
  );
}

type FigureProps = {
  readonly label: string;
  readonly sold: { readonly count: number; readonly amount: number };
  readonly isMain?: boolean;
  readonly to?: string;
};

function Figure({ label, sold: { count, amount }, isMain = false, to }: FigureProps) {
  const size = isMain ? "text-32 max-sm:text-24" : "text-20";
  const content = (
    <>
      <span className="text-12 font-medium text-muted">{label}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <Money cents={toCents(amount)} className={`font-semibold ${size}`} />
        <span className="text-muted group-hover:text-accent">
          {formatQuantity(count, "sale")}
          {isMain ? ", before tax" : ""}
        </span>
      </span>
    </>
  );
  const box = "flex min-w-0 flex-col";
  return to === undefined ? (
    <div className={box}>{content}</div>
  ) : (
    <Link to={to} className={`group rounded-bit ${box}`}>
      {content}
    </Link>
  );
}

export function SoldCard({
  today: { sold, timeZone, firstSteps },
}: {
  readonly today: TodayResponse;
}) {
  const salesOf = ({ from, to }: TodayResponse["sold"]["today"]) =>
    `${paths.adminSales}?${storeDayParams(from, to, timeZone)}`;
  // A store that never sold anything has no last week to compare with.
  const isComparable = firstSteps === null;
  const weekday = weekdayOf(sold.lastWeekDay);
  const ahead = toCents(sold.today.amount) - toCents(sold.lastWeekByNow.amount);
  return (
    <section aria-label="Sold today" className={frame}>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-1 max-sm:w-full max-sm:justify-between">
        <Figure label="Sold today" sold={sold.today} isMain to={salesOf(sold.today)} />
        {isComparable ? (
          <span className="pb-2 max-sm:pb-1">
            <Change cents={ahead} />
          </span>
        ) : null}
      </div>
      {isComparable ? (
        <>
          <Figure label={`Last ${weekday} by this time`} sold={sold.lastWeekByNow} />
          <Figure
            label={`Last ${weekday}, all day`}
            sold={sold.lastWeek}
            to={salesOf(sold.lastWeek)}
          />
        </>
      ) : null}
    </section>
  );
}

export function LoadingSold() {
  return (
    <div aria-hidden="true" className={frame}>
      {["h-14 w-48", "h-11 w-36", "h-11 w-36"].map((size, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- three blocks that never change
        <Skeleton key={index} className={size} />
      ))}
    </div>
  );
}
