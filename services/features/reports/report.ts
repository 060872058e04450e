// A report of a period: by month or by consignor, with its total, as screens and files show it.
import type { ReadDeps } from "#http/reads.ts";
import type { ReportConsignorsResponse, ReportMonthsResponse } from "#features/reports/contract.ts";
import { figuresOf, wholeOf } from "#features/reports/figures.ts";
import type { Days, FixedBegins } from "#features/reports/period.ts";
import { dayIn, monthsOf, readBounds } from "#features/reports/period.ts";
import type { ConsignorFilters } from "#features/reports/queries-consignors.ts";
import { readConsignors } from "#features/reports/queries-consignors.ts";
import { readParts } from "#features/reports/queries-month.ts";
import type { Scope } from "#features/reports/queries-sums.ts";

/** A period in a time zone, as of now. */
export type Asked = Days & {
  readonly timeZone: string;
  readonly fixed: FixedBegins;
  readonly now: Date;
};

export const scopeOf = (consignor: string | undefined): Scope =>
  consignor === undefined ? { kind: "store" } : { kind: "consignor", uid: consignor };

/** Months that have not begun are left out; a period that has not begun has its first one. */
function partsOf({ from, to, timeZone, now }: Asked): readonly Days[] {
  const today = dayIn(now, timeZone);
  const parts = monthsOf({ from, to });
  const begun = parts.filter((part) => part.from <= today);
  return begun.length === 0 ? parts.slice(0, 1) : begun;
}

export async function readMonthReport(
  { reads, searches }: ReadDeps,
  asked: Asked,
  consignor: string | undefined,
): Promise<ReportMonthsResponse> {
  const { from, to, timeZone, fixed } = asked;
  const parts = partsOf(asked);
  const bounds = await readBounds(reads, parts, timeZone, fixed);
  const totals = await readParts(searches, bounds, scopeOf(consignor));
  const whole = wholeOf(totals);
  if (whole === undefined) {
    throw new Error("A report without a month");
  }
  return {
    timeZone,
    from,
    to,
    months: parts.flatMap((part, index) => {
      const own = totals[index];
      return own === undefined
        ? []
        : [{ ...figuresOf(own), month: part.from.slice(0, 7), ...part }];
    }),
    total: figuresOf(whole),
  };
}

export async function readConsignorReport(
  { reads, searches }: ReadDeps,
  { from, to, timeZone, fixed }: Asked,
  filters: ConsignorFilters,
  page: { readonly limit: number; readonly offset: number },
): Promise<ReportConsignorsResponse> {
  const bounds = await readBounds(reads, monthsOf({ from, to }), timeZone, fixed);
  const { consignors, count, total } = await readConsignors(searches, bounds, filters, page);
  const next = page.offset + consignors.length;
  return {
    timeZone,
    from,
    to,
    consignors: [...consignors],
    count,
    total,
    nextCursor: next < count ? String(next) : null,
  };
}
