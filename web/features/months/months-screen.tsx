// /admin/months: the store's months and which are closed, its sales tax, and everybody's yearly statements.
import { Page } from "#web/ui/page.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { MonthsTab } from "./months-tab.tsx";
import { TaxTab } from "./tax-tab.tsx";
import { YearsTab } from "./years-tab.tsx";

const noParams: readonly string[] = [];

export function MonthsScreen() {
  return (
    <Page title="Months and tax" isWide>
      <Tabs
        label="Months and tax"
        clears={noParams}
        tabs={[
          { id: "months", label: "Months", content: <MonthsTab /> },
          { id: "tax", label: "Sales tax", content: <TaxTab /> },
          { id: "years", label: "Yearly statements", content: <YearsTab /> },
        ]}
      />
    </Page>
  );
}
