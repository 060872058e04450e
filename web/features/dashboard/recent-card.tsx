// The last entries on the dashboard, and what happens with the payout that was asked for.
import type { RecentResponse } from "#features/accounts/contract-summary.ts";
import type { Read } from "#web/lib/read.ts";
import { paths } from "#web/paths.ts";
import { RecentLines } from "#web/shared/history/recent-lines.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { CardHeading } from "./card-heading.tsx";

export function RecentCard({ recent }: { readonly recent: Read<RecentResponse> }) {
  const { data, error } = recent;
  return (
    <section aria-labelledby="recent-heading" className="card flex flex-col overflow-hidden">
      <div className="border-b border-border px-4 py-3">
        <CardHeading id="recent-heading" to={paths.salesHistory} link="All entries">
          Latest entries
        </CardHeading>
      </div>
      <HeldNotice freshness={recent.freshness} />
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="m-4 h-72" />
        ) : (
          <ErrorState
            title="The latest entries could not be loaded"
            error={error}
            onRetry={recent.refresh}
          />
        )
      ) : data.lines.length === 0 ? (
        // As high as the skeleton, so that nothing below moves.
        <div className="grid min-h-80 content-center">
          <EmptyState icon={HistoryIcon} title="No entries yet">
            Each sale appears here with your share and how it is calculated.
          </EmptyState>
        </div>
      ) : (
        <RecentLines lines={data.lines} historyPath={paths.salesHistory} />
      )}
    </section>
  );
}
