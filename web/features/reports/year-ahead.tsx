// Instead of a year that has not begun, which a link may ask for: that it has not, and the way to the present one.
import { CalendarClock } from "lucide-react";
import type { ApiError } from "#web/lib/api-error.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

/** The store's year decides, which only the server knows. */
export function isYearAhead(error: ApiError | undefined): boolean {
  return error?.code === "year_in_future";
}

type YearAheadProps = {
  readonly tab: "months" | "tax" | "years";
  readonly year: string | undefined;
};

export function YearAhead({ tab, year = "This year" }: YearAheadProps) {
  return (
    <div className="card">
      <EmptyState
        icon={CalendarClock}
        title={`${year} has not begun`}
        action={<ButtonLink to={`${paths.reports}?tab=${tab}`}>Show the present year</ButtonLink>}
      />
    </div>
  );
}
