// A person's last five entries in the drawer's overview, each with its reasons.
import { consignorHistoryPath } from "#web/paths.ts";
import { useRecent } from "#web/shared/history/recent-api.ts";
import { RecentLines } from "#web/shared/history/recent-lines.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

export function DrawerLatest({ uid }: { readonly uid: string }) {
  const { data, error, refresh } = useRecent(uid);
  return (
    <section aria-labelledby="latest-heading" className="flex flex-col gap-3">
      <h3 id="latest-heading" className="font-semibold">
        Latest entries
      </h3>
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-72" />
        ) : (
          <ErrorState
            title="The latest entries could not be loaded"
            error={error}
            onRetry={refresh}
          />
        )
      ) : data.lines.length === 0 ? (
        <p className="text-muted">No entries yet.</p>
      ) : (
        <div className="overflow-hidden rounded-card border border-border">
          <RecentLines lines={data.lines} historyPath={consignorHistoryPath(uid)} />
        </div>
      )}
    </section>
  );
}
