// A person's yearly statements, one line a year with what was paid, to save as PDF or CSV.
import { useState } from "react";
import { toCents } from "#ledger/money.ts";
import { useAction } from "#web/lib/action.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { saveYear, useYears, type YearFile } from "./year-api.ts";

type YearStatementsProps = {
  readonly uid: string;
  /** Only the last years; all when left out. */
  readonly last?: number;
};

export function YearStatements({ uid, last }: YearStatementsProps) {
  const read = useYears(uid);
  const [asked, setAsked] = useState<YearFile>();
  const save = useAction(saveYear);
  if (read.data === undefined) {
    return read.error === undefined ? (
      <Skeleton className="h-9" />
    ) : (
      <ErrorState title="The years could not be loaded" error={read.error} onRetry={read.refresh} />
    );
  }
  const years = read.data.years.slice(0, last);
  const ask = (file: YearFile) => {
    setAsked(file);
    void save.run(file);
  };
  const button = (year: number, format: YearFile["format"]) => (
    <Button
      isBusy={save.isBusy && asked?.year === year && asked.format === format}
      busyLabel={format.toUpperCase()}
      disabled={save.isBusy}
      aria-label={`Export the statement of ${year} as ${format.toUpperCase()}`}
      onClick={() => ask({ uid, year, format })}
    >
      {format.toUpperCase()}
    </Button>
  );
  return (
    <div className="flex flex-col gap-2">
      {years.length === 0 ? (
        <p className="text-muted">There are no entries yet.</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {years.map(({ year, paid }) => (
            <li key={year} className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="font-medium">{year}</span>
                <span className="text-muted">{` · ${formatMoney(toCents(paid))} paid`}</span>
              </span>
              {button(year, "pdf")}
              {button(year, "csv")}
            </li>
          ))}
        </ul>
      )}
      <ErrorLine>
        {save.error === undefined ? undefined : `Error exporting: ${save.error.message}`}
      </ErrorLine>
    </div>
  );
}
