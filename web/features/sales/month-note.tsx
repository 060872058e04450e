// Above the totals of a past month's sales: why its closed month in the reports has others.
import { Link } from "react-router-dom";
import { formatMonth } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { paths } from "#web/paths.ts";
import { isFiltered, type SalesFilters } from "#web/shared/sale/sales-filters.ts";

const DAY_MS = 86_400_000;

/**
 * The month that is over and that instants begin and end, as this browser's first of it: after a change of the time zone,
 * the bounds of an earlier month are no midnights any more.
 */
function monthOfInstants(from: number, to: number, now: Date): Date | undefined {
  const days = (to - from) / DAY_MS;
  const middle = new Date((from + to) / 2);
  return days > 27 && days < 32 && to <= now.getTime()
    ? new Date(middle.getFullYear(), middle.getMonth(), 1)
    : undefined;
}

/** The month that is over and whose first and last day these are, as this browser's first of it. */
function pastMonth({ from, to }: SalesFilters, now: Date): Date | undefined {
  if (from.includes("T") && to.includes("T")) {
    return monthOfInstants(Date.parse(from), Date.parse(to), now);
  }
  const [year = 0, month = 0] = from.split("-").map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const isMonth = from.length === 10 && from.endsWith("-01") && to === last;
  return isMonth && to < now.toLocaleDateString("sv-SE") ? new Date(year, month - 1, 1) : undefined;
}

/** Only where nothing else narrows the list: other filters make other totals anyway. */
export function MonthNote({ filters }: { readonly filters: SalesFilters }) {
  const now = useNow();
  const month = pastMonth(filters, now);
  if (month === undefined || isFiltered({ ...filters, from: "", to: "" })) {
    return null;
  }
  return (
    <p className="max-w-160 text-muted">
      Each sale counts on its day, with what was refunded or corrected since.{" "}
      <Link
        to={`${paths.reports}?tab=months&year=${month.getFullYear()}`}
        className="text-accent underline"
      >
        {`${formatMonth(month)} in Reports`}
      </Link>{" "}
      counts a refund, a correction or a late entry in the month that it is booked in.
    </p>
  );
}
