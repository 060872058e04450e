// Above a report: whether it is by month or by consignor, its period, what else narrows it, and the files of exactly what is shown.
import type { ReactNode } from "react";
import { useAction } from "#web/lib/action.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { download } from "#web/lib/download.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { useParams } from "#web/lib/search-param.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { showErrorToast } from "#web/ui/toast.ts";
import { FileButton } from "./file-button.tsx";
import { PeriodChoice } from "./period-choice.tsx";

const views = [
  { value: "months", label: "By month" },
  { value: "consignors", label: "By consignor" },
] as const;

type ReportBarProps = {
  readonly view: (typeof views)[number]["value"];
  /** The period and the filters of the shown list. */
  readonly query: Query;
  /** The field that narrows it. */
  readonly children: ReactNode;
};

export function ReportBar({ view, query, children }: ReportBarProps) {
  const [, setParams] = useParams();
  const save = useAction(async (path: string) => {
    try {
      await download(path, `report-${view}-${query["from"]}-${query["to"]}.pdf`);
    } catch (error) {
      showErrorToast(`Error exporting: ${asApiError(error).message}`);
    }
  });
  const fileOf = (format: "csv" | "pdf") => pathOf("/reports/file", { ...query, view, format });
  return (
    <search className="flex flex-wrap items-start gap-2 no-print">
      <div className="max-sm:w-full">
        <ChoiceGroup
          label="Report"
          isLabelHidden
          value={view}
          choices={views}
          onValue={(chosen) =>
            setParams({
              by: chosen === "consignors" ? "consignor" : undefined,
              consignor: undefined,
              q: undefined,
              sort: undefined,
              order: undefined,
            })
          }
        />
      </div>
      <PeriodChoice />
      <div className="min-w-0 max-sm:order-last max-sm:w-full sm:w-64">{children}</div>
      <div className="flex gap-2 sm:ms-auto">
        <ExportButton path={fileOf("csv")} name={`report-${view}`} />
        <FileButton
          format="pdf"
          isBusy={save.isBusy}
          onClick={() => void save.run(fileOf("pdf"))}
        />
      </div>
    </search>
  );
}
