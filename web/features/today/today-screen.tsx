// /admin/today: what waits for an admin, each number with its list, and how the day goes.
import { CircleCheck } from "lucide-react";
import { useSyncExternalStore } from "react";
import type { TodayResponse } from "#features/today/contract.ts";
import { useNow } from "#web/lib/use-now.ts";
import { paths } from "#web/paths.ts";
import { BooksText } from "#web/shared/proof/books-line.tsx";
import { unsent } from "#web/shared/till/unsent.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Page } from "#web/ui/page.tsx";
import { FirstStepsCard } from "./first-steps-card.tsx";
import { LoadingSold, SoldCard } from "./sold-card.tsx";
import { storeDayText } from "#web/lib/store-day.ts";
import { useToday } from "./today-api.ts";
import { LoadingList, TodayList } from "./today-list.tsx";
import { groupsOf } from "./today-rows.ts";

/** Two columns, one below the other where there is little room. */
const grid = "grid grid-cols-2 items-start gap-4 max-lg:grid-cols-1 max-sm:gap-2";
const column = "flex min-w-0 flex-col gap-4 max-sm:gap-2";

function Groups({ today }: { readonly today: TodayResponse }) {
  const { refused } = useSyncExternalStore(unsent.subscribe, unsent.read);
  const now = useNow();
  const columns = groupsOf(today, refused, now);
  if (columns.flat().every(({ rows }) => rows.length === 0)) {
    return today.firstSteps !== null ? null : (
      <div className="card">
        <EmptyState icon={CircleCheck} title="Nothing to do">
          Payouts, orders, shipments and everything else that waits for you appear here.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={grid}>
      {columns.map((groups) => (
        <div key={groups[0]?.label} className={column}>
          {groups.map((group) => (
            <TodayList key={group.label} group={group} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Loading() {
  return (
    <>
      <LoadingSold />
      <div className={grid}>
        <div className={column}>
          <LoadingList label="To do" rows={4} />
          <LoadingList label="Coming" rows={1} />
        </div>
        <div className={column}>
          <LoadingList label="Stock" rows={4} />
          <LoadingList label="Watch" rows={1} />
        </div>
      </div>
    </>
  );
}

export function TodayScreen() {
  const { data, error, freshness, refresh } = useToday();
  return (
    <Page
      title="Today"
      actions={<ButtonLink to={paths.endOfDay}>End of Day</ButtonLink>}
      subtitle={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5">
          <p className="min-h-4 text-14">{data === undefined ? "" : storeDayText(data.day)}</p>
          <FreshnessLine freshness={freshness} />
          <BooksText
            books={data === undefined ? undefined : { last: data.proof, openAlerts: data.alerts }}
          />
        </div>
      }
    >
      {data !== undefined ? (
        <>
          <SoldCard today={data} />
          {data.firstSteps === null ? null : <FirstStepsCard taken={data.firstSteps} />}
          <Groups today={data} />
        </>
      ) : error !== undefined ? (
        <div className="card">
          <ErrorState title="Today could not be loaded" error={error} onRetry={refresh} />
        </div>
      ) : (
        <Loading />
      )}
    </Page>
  );
}
