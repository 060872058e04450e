// The entries dated into a month after it was closed, which are booked in later months.
import type { LateBy, LateEntry } from "#features/months/contract-months.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { salePath } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { monthName } from "./month-words.ts";
import { useLateEntries } from "./months-api.ts";

/** As many as the call lists. */
const MOST = 200;

type LateDrawerProps = {
  readonly month: string;
  readonly by: LateBy;
  readonly onClose: () => void;
};

const subtitles: Readonly<Record<LateBy, string>> = {
  dated:
    "Dated into this month after it was closed. Its totals do not include them: they are booked in later months.",
  booked:
    "Dated into earlier months that were already closed. They are booked in this month and included in its totals.",
};

export function LateDrawer({ month, by, onClose }: LateDrawerProps) {
  const { data, error, freshness, refresh } = useLateEntries(month, by);
  return (
    <Drawer
      title={`Late entries of ${monthName(month)}`}
      subtitle={subtitles[by]}
      freshness={freshness}
      onClose={onClose}
    >
      {data !== undefined ? (
        <Entries entries={data.entries} />
      ) : error === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <ErrorState title="The late entries could not be loaded" error={error} onRetry={refresh} />
      )}
    </Drawer>
  );
}

function Entries({ entries }: { readonly entries: readonly LateEntry[] }) {
  return entries.length === 0 ? (
    <p className="text-muted">No late entries.</p>
  ) : (
    <div className="flex flex-col gap-2">
      <ul
        aria-label="Late entries"
        className="divide-y divide-border rounded-card border border-border"
      >
        {entries.map((entry) => (
          <Entry key={`${entry.position} ${entry.consignor?.uid ?? ""}`} entry={entry} />
        ))}
      </ul>
      {entries.length < MOST ? null : (
        <p className="text-12 text-muted">
          {`The newest ${formatQuantity(MOST, "entry", "entries")}.`}
        </p>
      )}
    </div>
  );
}

/** The sale's price, or what went to the tax authority. */
function Amount({ of: { salePrice, remitted, withoutPrice } }: { readonly of: LateEntry }) {
  if (withoutPrice) {
    return <span className="whitespace-nowrap text-muted">No price</span>;
  }
  const dollars = salePrice === 0 ? remitted : salePrice;
  return dollars === 0 ? null : (
    <span className="whitespace-nowrap tabular-nums">{formatMoney(toCents(dollars))}</span>
  );
}

function Entry({ entry }: { readonly entry: LateEntry }) {
  const { what, saleID, consignor, consignorAmount, position } = entry;
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <span className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">{what}</span>
        <Amount of={entry} />
      </span>
      <span className="text-12 text-muted">
        {consignor === null ? (
          "The store"
        ) : (
          <>
            {`${consignor.displayName}, `}
            <span className="whitespace-nowrap">{formatMoney(toCents(consignorAmount), true)}</span>
          </>
        )}
      </span>
      <span className="flex flex-wrap gap-x-3 text-12 text-muted">
        <span>
          Dated <DateTime at={entry.happenedAt} />
        </span>
        <span>
          Recorded <DateTime at={entry.recordedAt} />
        </span>
        <span>
          Counts from <DateTime at={entry.bookedAt} />
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-4 text-12">
        {saleID === null ? null : <TextLink to={salePath(saleID, false)}>Open sale</TextLink>}
        <TextLink to={auditPath({ position }, false)}>Event</TextLink>
      </span>
    </li>
  );
}
