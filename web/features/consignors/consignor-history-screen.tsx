// /consignors/<uid>/history: one person's ledger, sales and payouts as the person sees them, for admins.
import { useParams } from "react-router-dom";
import { consignorInventoryPath, paths } from "#web/paths.ts";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { LedgerTab } from "#web/shared/history/ledger-tab.tsx";
import { PayoutsTab } from "#web/shared/history/payouts-tab.tsx";
import { SalesList } from "#web/shared/history/sales-list.tsx";
import { ShipmentsTab } from "#web/shared/shipment/shipments-tab.tsx";
import { useUser } from "./consignors-api.ts";

const PastItems = onDemand(
  () => import("#web/shared/past/past-items.tsx").then((file) => file.PastItems),
  { fallback: <Skeleton className="h-60" />, ifMissing: "throw" },
);

const tabParams = ["type", "at", "by", "line", "sale", "status", "q", "sort", "order"];

export function ConsignorHistoryScreen() {
  const { uid = "" } = useParams();
  const { data, error, refresh } = useUser(uid);
  const name =
    data === undefined
      ? undefined
      : data.deactivated
        ? "Deleted user"
        : (data.displayName ?? data.username ?? data.email ?? uid);
  return (
    <Page
      title={name === undefined ? "History" : `History of ${name}`}
      back={<BackLink to={`${paths.consignors}?consignor=${uid}`} label="Back to the consignor" />}
      actions={<ButtonLink to={consignorInventoryPath(uid)}>Inventory</ButtonLink>}
    >
      <ExplainHost />
      {error !== undefined && data === undefined ? (
        <div className="card">
          <ErrorState
            title="The account could not be loaded"
            thing="account"
            error={error}
            onRetry={refresh}
          />
        </div>
      ) : (
        <Tabs
          label="History"
          clears={tabParams}
          tabs={[
            { id: "all", label: "All", content: <LedgerTab uid={uid} isOwn={false} /> },
            { id: "sales", label: "Sales", content: <SalesList uid={uid} isOwn={false} /> },
            { id: "payouts", label: "Payouts", content: <PayoutsTab uid={uid} isOwn={false} /> },
            {
              id: "shipments",
              label: "Shipments",
              content: <ShipmentsTab uid={uid} isOwn={false} />,
            },
            { id: "items", label: "Past items", content: <PastItems uid={uid} /> },
          ]}
        />
      )}
    </Page>
  );
}
