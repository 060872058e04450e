// /admin/reports: what the store sold, earned, paid and owes in a period, its closed months, its sales tax, and everybody's yearly statements.
import { useParams } from "#web/lib/search-param.ts";
import { Page } from "#web/ui/page.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { ByConsignor } from "./by-consignor.tsx";
import { ByMonth } from "./by-month.tsx";
import { MonthsTab } from "./months-tab.tsx";
import { TaxTab } from "./tax-tab.tsx";
import { YearsTab } from "./years-tab.tsx";

/** What belongs to one tab only. The period and the year stay. */
const ownParams = ["consignor", "q", "sort", "order", "late"];

function Overview() {
  const [params] = useParams();
  return params.get("by") === "consignor" ? <ByConsignor /> : <ByMonth />;
}

export function ReportsScreen() {
  return (
    <Page
      title="Reports"
      subtitle="By the store's days. What is recorded late changes no closed month and no day before its consignor's latest entry."
      isWide
    >
      <Tabs
        label="Reports"
        clears={ownParams}
        tabs={[
          { id: "overview", label: "Overview", content: <Overview /> },
          { id: "months", label: "Months", content: <MonthsTab /> },
          { id: "tax", label: "Sales tax", content: <TaxTab /> },
          { id: "years", label: "Yearly statements", content: <YearsTab /> },
        ]}
      />
      <ExplainHost />
    </Page>
  );
}
