// The report by month, of the store or of one consignor.
import { useParams } from "#web/lib/search-param.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { ByMonthPart } from "./by-month-part.tsx";
import { ReportBar } from "./report-bar.tsx";
import { periodIn } from "./report-period.ts";
import { useReportMonths } from "./reports-api.ts";

export function ByMonth() {
  const [params, setParams] = useParams();
  const consignor = params.get("consignor") ?? undefined;
  const query = { ...periodIn(params, useNow()), consignor };
  const read = useReportMonths(query);
  return (
    <div className="flex flex-col gap-3">
      <ReportBar view="months" query={query}>
        <ConsignorParam uid={consignor} onUid={(uid) => setParams({ consignor: uid })} />
      </ReportBar>
      <ByMonthPart read={read} consignor={consignor} />
      <div className="text-12 text-muted">
        <FreshnessLine freshness={read.freshness} />
      </div>
    </div>
  );
}
