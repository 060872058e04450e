// The tabs of a person's history: the ledger, sales, payouts, shipments and what they had in stock at a moment.
import { LedgerTab } from "#web/shared/history/ledger-tab.tsx";
import { PayoutsTab } from "#web/shared/history/payouts-tab.tsx";
import { SalesList } from "#web/shared/history/sales-list.tsx";
import { ShipmentsTab } from "#web/shared/shipment/shipments-tab.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tabs } from "#web/ui/tabs.tsx";

const PastItems = onDemand(
  () => import("#web/shared/past/past-items.tsx").then((file) => file.PastItems),
  { fallback: <Skeleton className="h-60" />, ifMissing: "throw" },
);

const tabParams = ["type", "at", "by", "line", "sale", "status", "q", "sort", "order"];

type HistoryTabsProps = {
  readonly label: string;
  readonly uid: string;
  /** False if an admin looks at another person's history. */
  readonly isOwn: boolean;
};

export function HistoryTabs({ label, ...whose }: HistoryTabsProps) {
  return (
    <Tabs
      label={label}
      clears={tabParams}
      tabs={[
        { id: "all", label: "All", content: <LedgerTab {...whose} /> },
        { id: "sales", label: "Sales", content: <SalesList {...whose} /> },
        { id: "payouts", label: "Payouts", content: <PayoutsTab {...whose} /> },
        { id: "shipments", label: "Shipments", content: <ShipmentsTab {...whose} /> },
        { id: "items", label: "Past items", content: <PastItems uid={whose.uid} /> },
      ]}
    />
  );
}
