// The report by consignor. A row opens that consignor's months.
import { reportSort } from "#features/reports/contract.ts";
import { sortIn, sortParams } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useNow } from "#web/lib/use-now.ts";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { ByConsignorPart } from "./by-consignor-part.tsx";
import { ReportBar } from "./report-bar.tsx";
import { periodIn } from "./report-period.ts";
import { useReportConsignors } from "./reports-api.ts";

export function ByConsignor() {
  const [params] = useParams();
  const period = periodIn(params, useNow());
  const sort = sortIn(params, reportSort);
  const q = params.get("q") ?? undefined;
  // The server's usual order goes down; a heading that is clicked begins upwards.
  const order = sort === undefined ? undefined : sort.isDescending ? "desc" : "asc";
  const query = { ...period, q, ...sortParams(sort), order };
  const read = useReportConsignors(query);
  return (
    <div className="flex flex-col gap-3">
      <ReportBar view="consignors" query={query}>
        <SearchParamInput param="q" label="Search consignors" placeholder="Name, username, email" />
      </ReportBar>
      <ByConsignorPart
        read={read}
        period={period}
        sort={sort}
        isSearched={q !== undefined && q !== ""}
      />
      <div className="text-12 text-muted">
        <FreshnessLine freshness={read.freshness} />
      </div>
    </div>
  );
}
