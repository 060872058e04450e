// The call for the tax report, admins only: a year by month, as data and as CSV.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import { answerCsvBatches, money } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import { dearFile } from "#http/dear-reads.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import { taxReportQuery, taxReportResponse } from "#features/months/contract-tax.ts";
import { readFirstMonth, readMonthViews } from "#features/months/queries.ts";
import { taxMonthOf } from "#features/months/report-tax.ts";
import type { MonthDeps } from "#features/months/routes-months.ts";
import { monthOf } from "#features/months/routes-months.ts";
import { MONTHS, monthsStream, REMITTANCES, remittancesStream } from "#features/months/streams.ts";

const head = [
  "Month",
  "Taxable sales",
  "Exempt sales",
  "Untaxed online sales",
  "Other untaxed sales",
  "Tax collected",
  "Tax refunded",
  "Remitted",
  "Still owed",
];

const rowOf = (of: TaxMonth): Cell[] => [
  of.month,
  ...[of.taxable, of.exempt, of.untaxedOnline, of.otherUntaxed].map(money),
  ...[of.collected, of.refunded, of.remitted, of.owed].map(money),
];

async function* once(rows: readonly Cell[][]): AsyncGenerator<Cell[][]> {
  yield await Promise.resolve([...rows]);
}

export function addTaxReport(routes: Hono<AppEnv>, deps: MonthDeps): void {
  routes.get(
    "/sales-tax/report",
    admin,
    documented({
      summary: "Report a year's sales tax by month",
      tag: "months",
      answer: taxReportResponse,
      files: ["text/csv"],
    }),
    queryString(taxReportQuery),
    readsFrom("reports"),
    dearFile,
    async (c) => {
      const query = c.req.valid("query");
      const timeZone = await deps.store.timeZone();
      const present = monthOf(deps.clock(), timeZone);
      const last = Number(present.slice(0, 4));
      const year = Number(query.year ?? last);
      if (year > last) {
        throw badRequest("year_in_future", "This year has not begun", "year");
      }
      const [state, { remittances }, firstEntry] = await Promise.all([
        readState(deps, monthsStream, MONTHS),
        readState(deps, remittancesStream, REMITTANCES),
        readFirstMonth(deps.reads, timeZone),
      ]);
      // A month before the first entry is shown if something was remitted for it, so that the sums agree.
      const first = remittances
        .filter(({ reversed }) => !reversed)
        .reduce<string | null>(
          (least, { month }) => (least === null || month < least ? month : least),
          firstEntry,
        );
      const count = year === last ? Number(present.slice(5)) : 12;
      const shown = { first: `${year}-01`, count, present };
      const views = await readMonthViews(deps, shown, timeZone, state);
      const months = views
        .filter((one) => first !== null && one.month >= first)
        .map((one) => taxMonthOf(one.month, one.totals, remittances));
      return query.format === "csv"
        ? answerCsvBatches(c, `sales-tax-${year}.csv`, head, once(months.map(rowOf)))
        : respondFresh(c, {
            year,
            years: { first: Math.min(last, Number((first ?? present).slice(0, 4))), last },
            timeZone,
            months: months.reverse(),
          });
    },
  );
}
