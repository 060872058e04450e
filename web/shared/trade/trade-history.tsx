// A trade's history, newest first.
import {
  Ban,
  Check,
  Handshake,
  Hourglass,
  OctagonAlert,
  RotateCcw,
  Tag,
  type LucideIcon,
} from "lucide-react";
import type { TradeHistoryLine } from "#features/trades/contract-reads.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { ShipmentIcon } from "#web/ui/thing-icons.ts";
import { TimelineEntry } from "#web/ui/timeline-entry.tsx";
import { useTradeHistory } from "./trade-api.ts";

const icons: Readonly<Record<TradeHistoryLine["kind"], LucideIcon>> = {
  requested: Handshake,
  offer: Tag,
  accepted: Check,
  returned: RotateCcw,
  shipping: ShipmentIcon,
  ended: Ban,
  problem: OctagonAlert,
  reminder: Hourglass,
  other: Hourglass,
};

function Entry({ line }: { readonly line: TradeHistoryLine }) {
  return (
    <TimelineEntry icon={icons[line.kind]}>
      <p className="font-medium wrap-anywhere">{withIsolatedNames(line.description)}</p>
      {line.note === null ? null : <p className="text-muted wrap-anywhere">{line.note}</p>}
      <p className="flex flex-wrap gap-x-1.5 text-12 text-faint">
        <DateTime at={line.happenedAt} />
        {line.by === null ? null : (
          <>
            <span aria-hidden="true">·</span>
            <span>{line.by}</span>
          </>
        )}
      </p>
    </TimelineEntry>
  );
}

type TradeHistoryProps = {
  readonly tradeId: string;
  /** A moment of the past; undefined for now. */
  readonly at?: string | undefined;
};

export function TradeHistory({ tradeId, at }: TradeHistoryProps) {
  const { data, error, freshness, refresh } = useTradeHistory(tradeId, at);
  return (
    <section aria-label="History" className="flex flex-col gap-3">
      <h3 className="font-semibold">History</h3>
      <HeldNotice freshness={freshness} />
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-40" />
        ) : (
          <ErrorState title="The history could not be loaded" error={error} onRetry={refresh} />
        )
      ) : (
        <ol className="flex flex-col">
          {data.lines.toReversed().map((line) => (
            <Entry key={line.position} line={line} />
          ))}
        </ol>
      )}
    </section>
  );
}
