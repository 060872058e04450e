// The refunds behind a number of the day: what went back, when, by which payment, and the sale of each.
import { RotateCcw } from "lucide-react";
import { Link } from "react-router-dom";
import type { RefundsBy, TillRefund } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useDayRefunds } from "./end-of-day-api.ts";
import { dayDate, paymentName, refundsName } from "./till-words.ts";

type RefundsDrawerProps = {
  readonly day: string;
  /** Undefined for all of the day. */
  readonly by: RefundsBy | undefined;
  readonly onClose: () => void;
};

export function RefundsDrawer({ day, by, onClose }: RefundsDrawerProps) {
  const refunds = useDayRefunds(day, by);
  const { rows } = refunds;
  const total = refunds.pages?.[0]?.total;
  return (
    <Drawer
      title={`Refunds of ${formatDay(dayDate(day))}`}
      subtitle={by === undefined ? "All payments" : refundsName(by)}
      freshness={refunds.freshness}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {rows === undefined ? (
          refunds.error === undefined ? (
            <Skeleton className="h-48" />
          ) : (
            <ErrorState
              title="The refunds could not be loaded"
              error={refunds.error}
              onRetry={refunds.refresh}
            />
          )
        ) : rows.length === 0 ? (
          <EmptyState icon={RotateCcw} title="No refunds" />
        ) : (
          <ul
            aria-label="Refunds"
            className="divide-y divide-border rounded-card border border-border"
          >
            {rows.map((refund) => (
              <Refund key={refund.position} refund={refund} />
            ))}
            {total === undefined ? null : (
              <li className="flex items-baseline justify-between gap-4 px-4 py-2.5 font-semibold">
                <span>{`Total of ${formatQuantity(total.count, "refund")}`}</span>
                <Money cents={0 - toCents(total.amount)} />
              </li>
            )}
          </ul>
        )}
        <LoadMore list={refunds} className="self-center" />
      </div>
    </Drawer>
  );
}

function Refund({ refund }: { readonly refund: TillRefund }) {
  const { saleID, itemName, units, amount, refundedAt, soldAt } = refund;
  return (
    // On touch devices the whole row is the link, so that it needs no room of its own above and below the name.
    <li className="relative flex flex-col gap-0.5 px-4 py-2">
      <span className="flex items-baseline justify-between gap-4">
        <Link
          to={`${paths.adminSales}?sale=${saleID}`}
          className="inline-flex min-h-6 min-w-0 items-center wrap-anywhere text-accent hover:underline touch:after:absolute touch:after:inset-0"
        >
          {itemName}
        </Link>
        <Money cents={0 - toCents(amount)} />
      </span>
      <span className="flex flex-wrap gap-x-3 text-12 text-muted">
        <span>
          <DateTime at={refundedAt} />
        </span>
        <span>{units === 0 ? "A part of the price" : formatQuantity(units, "unit")}</span>
        <span>{paymentName(refund)}</span>
        <span>
          Sold <DateTime at={soldAt} />
        </span>
      </span>
    </li>
  );
}
