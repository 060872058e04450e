// The entries behind "Changed since the count": what each changed, who recorded it and when, and the sale of each.
import { History } from "lucide-react";
import type { TillChange } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { useDayChanges } from "./end-of-day-api.ts";
import { dayDate, paymentName } from "./till-words.ts";

const words: Readonly<Record<TillChange["what"], string>> = {
  sold: "Sold",
  corrected: "Sale corrected",
  refunded: "Refunded",
  "payment-corrected": "Payment corrected",
  "refund-payment-corrected": "Payment of a refund corrected",
};

type ChangesDrawerProps = { readonly day: string; readonly onClose: () => void };

export function ChangesDrawer({ day, onClose }: ChangesDrawerProps) {
  const { data, error, freshness, refresh } = useDayChanges(day);
  return (
    <Drawer
      title={`${formatDay(dayDate(day))} since its count`}
      subtitle="What was recorded about this day after it was counted"
      freshness={freshness}
      onClose={onClose}
    >
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-48" />
        ) : (
          <ErrorState title="The changes could not be loaded" error={error} onRetry={refresh} />
        )
      ) : data.changes.length === 0 ? (
        <EmptyState icon={History} title="Nothing changed since the count" />
      ) : (
        <ul
          aria-label="Changes since the count"
          className="divide-y divide-border rounded-card border border-border"
        >
          {data.changes.map((change) => (
            <Change key={change.position} change={change} />
          ))}
        </ul>
      )}
      {data?.hasMore === true ? (
        <p className="text-muted">
          More sales changed than are listed here. Those that changed last are.
        </p>
      ) : null}
    </Drawer>
  );
}

function Change({ change }: { readonly change: TillChange }) {
  const { what, parts, saleID, itemName, position, by, recordedAt } = change;
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <span className="flex items-baseline justify-between gap-4">
        <TextLink to={`${paths.adminSales}?sale=${saleID}`}>{itemName}</TextLink>
        <span className="flex shrink-0 flex-col items-end">
          {parts.map(({ tender, amount }) => (
            <span key={paymentName({ tender })} className="whitespace-nowrap">
              {`${paymentName({ tender })} `}
              <Money cents={toCents(amount)} isChange />
            </span>
          ))}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
        <span>{words[what]}</span>
        <span>
          <DateTime at={recordedAt} />
        </span>
        {by === null ? null : <span>{by}</span>}
        <TextLink to={auditPath({ position })}>Event</TextLink>
      </span>
    </li>
  );
}
