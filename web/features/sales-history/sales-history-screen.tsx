// /sales-history: everything that ever changed what the store owes this person, and why.
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { LedgerTab } from "#web/shared/history/ledger-tab.tsx";
import { PayoutsTab } from "#web/shared/history/payouts-tab.tsx";
import { SalesList } from "#web/shared/history/sales-list.tsx";
import { ShipmentsTab } from "#web/shared/shipment/shipments-tab.tsx";

const PastItems = onDemand(
  () => import("#web/shared/past/past-items.tsx").then((file) => file.PastItems),
  { fallback: <Skeleton className="h-60" />, ifMissing: "throw" },
);

const tabParams = ["type", "at", "by", "line", "sale", "status", "q", "sort", "order"];

export function SalesHistoryScreen() {
  const { uid, role } = useProfile();
  const isAdmin = role === "admin";
  return (
    <Page
      title="Sales history"
      actions={
        <>
          <AdminButton />
          <ButtonLink to={isAdmin ? auditPath({ person: uid }) : paths.ownAudit}>
            Audit log
          </ButtonLink>
        </>
      }
    >
      <ExplainHost />
      <Tabs
        label="Sales history"
        clears={tabParams}
        tabs={[
          { id: "all", label: "All", content: <LedgerTab uid={uid} /> },
          { id: "sales", label: "Sales", content: <SalesList uid={uid} /> },
          { id: "payouts", label: "Payouts", content: <PayoutsTab uid={uid} /> },
          { id: "shipments", label: "Shipments", content: <ShipmentsTab uid={uid} /> },
          { id: "items", label: "Past items", content: <PastItems uid={uid} /> },
        ]}
      />
    </Page>
  );
}
