// Leads from the present year to the one before, while that is where the work is.
import { Link } from "react-router-dom";
import type { MonthsResponse } from "#features/months/contract-months.ts";
import { paths } from "#web/paths.ts";
import { yearBeforeText } from "./month-words.ts";
import { useOpenMonth } from "./months-api.ts";

type YearBeforeProps = {
  readonly tab: "months" | "years";
  /** Undefined while loading. */
  readonly shown: Pick<MonthsResponse, "year" | "years"> | undefined;
  /** There are no entries in the year that is shown. */
  readonly isEmpty: boolean;
};

export function YearBefore({ tab, shown, isEmpty }: YearBeforeProps) {
  const { data } = useOpenMonth();
  if (
    data === undefined ||
    shown === undefined ||
    shown.year !== shown.years.last ||
    shown.year === shown.years.first
  ) {
    return null;
  }
  const text = yearBeforeText(shown.year, data.closed?.month, isEmpty);
  const before = shown.year - 1;
  return text === undefined ? null : (
    <p>
      {text}{" "}
      <Link to={`${paths.reports}?tab=${tab}&year=${before}`} className="text-accent underline">
        {before}
      </Link>
    </p>
  );
}
