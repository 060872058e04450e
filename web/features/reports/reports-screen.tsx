// /admin/reports: what the store sold, earned, paid and owes in a period. Each tab is a file of its own with its own read.
import { Page } from "#web/ui/page.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { ConsignorsTab } from "./consignors-tab.tsx";
import { MonthsTab } from "./months-tab.tsx";

/** What belongs to one tab only. */
const ownParams = ["consignor", "q", "sort", "order"];

export function ReportsScreen() {
  return (
    <Page
      title="Reports"
      subtitle="By the store’s days. A late entry stands in the month that was open when it came, as in statements."
      isWide
    >
      <Tabs
        label="Reports"
        clears={ownParams}
        tabs={[
          { id: "months", label: "By month", content: <MonthsTab /> },
          { id: "consignors", label: "By consignor", content: <ConsignorsTab /> },
        ]}
      />
      <ExplainHost />
    </Page>
  );
}
