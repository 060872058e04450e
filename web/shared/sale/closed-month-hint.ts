// Says before a sale is recorded that its month is closed, so that it will be booked as a late entry.
import { openMonthResponse, type OpenMonthResponse } from "#features/months/contract-months.ts";
import { useRead } from "#web/lib/read.ts";

/** The months' names are those of the store's time zone. Undefined if nothing that is dated then is late. */
export function closedMonthHint(
  soldAt: Date,
  { closed, timeZone }: OpenMonthResponse,
): string | undefined {
  if (closed === null || !(soldAt < new Date(closed.to))) {
    return undefined;
  }
  const name = soldAt.toLocaleDateString("en-US", { month: "long", year: "numeric", timeZone });
  return `${name} is closed: this sale is booked in the open month and marked late`;
}

/** Reads nothing until a time is given. */
export function useClosedMonthHint(soldAt: string | undefined): string | undefined {
  const { data } = useRead(soldAt === undefined ? undefined : "/months/open", openMonthResponse);
  return data === undefined || soldAt === undefined
    ? undefined
    : closedMonthHint(new Date(soldAt), data);
}
