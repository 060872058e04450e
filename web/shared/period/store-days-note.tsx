// Below the filters of a list: when the chosen days of the store begin and end here, where that is not at midnight.
import { storeDaysResponse } from "#features/settings/contract-days.ts";
import { formatDayTime } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import type { Period } from "#web/lib/period.ts";
import { useRead } from "#web/lib/read.ts";
import { useNow } from "#web/lib/use-now.ts";

/** Whether the days of that zone turn at another moment than those of this browser. */
function turnsElsewhere(at: Date, timeZone: string): boolean {
  const wall = (zone?: string) => at.toLocaleString("sv-SE", { timeZone: zone });
  return at.getHours() + at.getMinutes() !== 0 || wall(timeZone) !== wall();
}

/** The rows have the reader's times, so one of an early hour may seem to lie outside the filter. */
export function StoreDaysNote({ from, to }: Period) {
  const now = useNow();
  const isAsked = from !== "" || to !== "";
  const { data } = useRead(
    isAsked
      ? pathOf("/settings/days", { from: from || undefined, to: to || undefined })
      : undefined,
    storeDaysResponse,
    { keepPrevious: true },
  );
  if (data === undefined || !isAsked) {
    return null;
  }
  const { timeZone } = data;
  const ends = [data.from, data.to].map((at) => (at === null ? undefined : new Date(at)));
  if (!ends.some((at) => at !== undefined && turnsElsewhere(at, timeZone))) {
    return null;
  }
  const [begins, until] = ends.map((at) => (at === undefined ? "" : formatDayTime(at, now)));
  const span =
    begins === "" ? `until ${until}` : until === "" ? `from ${begins}` : `${begins} to ${until}`;
  return (
    <p className="pt-2 text-12 text-muted">
      {`In your time: ${span}. Days are the store's (${timeZone.replaceAll("_", " ")}).`}
    </p>
  );
}
