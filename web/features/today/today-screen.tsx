// /admin/today: what waits for an admin, each number with its list, and how the day goes.
import { CircleCheck } from "lucide-react";
import { useSyncExternalStore } from "react";
import type { TodayResponse } from "#features/today/contract.ts";
import { useNow } from "#web/lib/use-now.ts";
import { BooksText } from "#web/shared/proof/books-line.tsx";
import { unsent } from "#web/shared/till/unsent.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Page } from "#web/ui/page.tsx";
import { LoadingSold, SoldCard } from "./sold-card.tsx";
import { storeDayText } from "./store-day.ts";
import { useToday } from "./today-api.ts";
import { LoadingList, TodayList } from "./today-list.tsx";
import { groupsOf } from "./today-rows.ts";

function Groups({ today }: { readonly today: TodayResponse }) {
  const { refused } = useSyncExternalStore(unsent.subscribe, unsent.read);
  const now = useNow();
  const [first, ...others] = groupsOf(today, refused, now);
  if (first === undefined || [first, ...others].every(({ rows }) => rows.length === 0)) {
    return (
      <div className="card">
        <EmptyState icon={CircleCheck} title="Nothing to do">
          Payouts, orders, shipments and everything else that waits for you appear here.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-2 items-start gap-4 max-lg:grid-cols-1 max-sm:gap-2">
      <TodayList group={first} />
      <div className="flex flex-col gap-4 max-sm:gap-2">
        {others.map((group) => (
          <TodayList key={group.label} group={group} />
        ))}
      </div>
    </div>
  );
}

function Loading() {
  return (
    <>
      <LoadingSold />
      <div className="grid grid-cols-2 items-start gap-4 max-lg:grid-cols-1 max-sm:gap-2">
        <LoadingList label="To do" rows={4} />
        <div className="flex flex-col gap-4 max-sm:gap-2">
          <LoadingList label="Stock" rows={1} />
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
      subtitle={
        <div className="flex flex-col gap-1">
          <p className="min-h-5">{data === undefined ? "" : storeDayText(data.day)}</p>
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
