// /dashboard: what am I owed, and why? What can be cashed out, the last entries, the payout asked for, the balance over time.
import { useState } from "react";
import { toCents } from "#ledger/money.ts";
import { useArrivalAct } from "#web/lib/arrival-act.ts";
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { useRecent } from "#web/shared/history/recent-api.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { ShipmentIcon } from "#web/ui/thing-icons.ts";
import { BalanceCard } from "./balance-card.tsx";
import { CashOutCard } from "./cash-out-card.tsx";
import { useSummary } from "./dashboard-api.ts";
import { DashboardTiles } from "./dashboard-tiles.tsx";
import { OwnInventory } from "./own-inventory.tsx";
import { PayoutStory } from "./payout-story.tsx";
import { RecentCard } from "./recent-card.tsx";
import { Welcome } from "./welcome.tsx";

const RequestPayoutDialog = onDemand(() =>
  import("./request-payout-dialog.tsx").then((file) => file.RequestPayoutDialog),
);

const ShipmentForm = onDemand(() =>
  import("#web/shared/shipment/shipment-form.tsx").then((file) => file.ShipmentForm),
);

const SalesList = onDemand(
  () => import("#web/shared/history/sales-list.tsx").then((file) => file.SalesList),
  { fallback: <Skeleton className="h-60" />, ifMissing: "throw" },
);

const tabParams = ["q", "location", "status", "sale", "sort", "order"];

/** The command palette leads to them too. */
function useForms() {
  const [isRequesting, setRequesting] = useState(false);
  const [isShipping, setShipping] = useState(false);
  useArrivalAct({
    "request-payout": () => setRequesting(true),
    "submit-shipment": () => setShipping(true),
  });
  return { isRequesting, setRequesting, isShipping, setShipping };
}

type StoryAndChartProps = {
  readonly uid: string;
  readonly recent: ReturnType<typeof useRecent>;
};

/** The chart stands below the payouts, so it waits for them instead of moving. */
function StoryAndChart({ uid, recent: { data, error } }: StoryAndChartProps) {
  return data === undefined && error === undefined ? (
    <Skeleton className="h-78" />
  ) : (
    <>
      <PayoutStory uid={uid} payouts={data?.payouts ?? []} morePending={data?.morePending ?? 0} />
      <BalanceCard uid={uid} />
    </>
  );
}

export function DashboardScreen() {
  const { uid } = useProfile();
  const summary = useSummary(uid);
  const recent = useRecent(uid);
  const { isRequesting, setRequesting, isShipping, setShipping } = useForms();
  return (
    <Page
      title="Dashboard"
      subtitle={<FreshnessLine freshness={summary.freshness} />}
      actions={
        <>
          <AdminButton />
          <Button
            icon={ShipmentIcon}
            onPointerEnter={ShipmentForm.preload}
            onFocus={ShipmentForm.preload}
            onClick={() => setShipping(true)}
          >
            Submit Shipment
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[3fr_2fr] items-start gap-4 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-4">
          {summary.error !== undefined && summary.data === undefined ? (
            <div className="card">
              <ErrorState
                title="Your balance could not be loaded"
                error={summary.error}
                onRetry={summary.refresh}
              />
            </div>
          ) : (
            <CashOutCard
              uid={uid}
              summary={summary.data}
              onReach={RequestPayoutDialog.preload}
              onRequest={() => setRequesting(true)}
            />
          )}
          <RecentCard recent={recent} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <StoryAndChart uid={uid} recent={recent} />
        </div>
      </div>
      <DashboardTiles uid={uid} summary={summary.data} />
      <div id="my-inventory" className="scroll-mt-(--top-bar)">
        <Tabs
          label="Your items and sales"
          clears={tabParams}
          tabs={[
            { id: "inventory", label: "My Inventory", content: <OwnInventory uid={uid} /> },
            {
              id: "sales",
              label: "Sales History",
              content: <SalesList uid={uid} />,
              onReach: SalesList.preload,
            },
          ]}
        />
      </div>
      <Welcome />
      <ExplainHost />
      {isShipping ? <ShipmentForm whose={{ uid }} onClose={() => setShipping(false)} /> : null}
      {/* Stays open when the balance has become zero: it says why nothing more can be requested, or leads to Venmo. */}
      {isRequesting && summary.data !== undefined ? (
        <RequestPayoutDialog
          uid={uid}
          availableCents={toCents(summary.data.available)}
          onClose={() => setRequesting(false)}
        />
      ) : null}
    </Page>
  );
}
