// The call for the tax report, admins only: a year by month, as data, as CSV and as PDF.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import { answerCsvBatches, money } from "#http/csv.ts";
import { answerPdf } from "#http/file.ts";
import type { Cell } from "#http/csv.ts";
import { expensiveFile } from "#http/expensive-reads.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { readsFrom, refuseIncomplete, respondFresh } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { TaxMonth, TaxReportResponse } from "#features/months/contract-tax.ts";
import { taxReportQuery, taxReportResponse } from "#features/months/contract-tax.ts";
import { readFirstMonth, readMonthViews } from "#features/months/queries.ts";
import { readRemittances } from "#features/months/queries-tax.ts";
import { taxMonthOf } from "#features/months/report-tax.ts";
import type { MonthDeps } from "#features/months/routes-months.ts";
import { monthOf } from "#features/months/routes-months.ts";
import {
  MONTHS,
  monthsStream,
  REMITTANCES,
  remittancesStream,
  zonesOf,
} from "#features/months/streams.ts";
import type * as PdfWork from "#features/months/tax-pdf-work.ts";

const PDF_WORK = new URL("./tax-pdf-work.ts", import.meta.url).href;
const PDFS_AT_ONCE = 3;

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

/** The year's months, oldest first. Throws HttpError 400 `year_in_future`. */
async function readTaxYear(deps: MonthDeps, asked: string | undefined): Promise<TaxReportResponse> {
  const timeZone = await deps.store.timeZone();
  const present = monthOf(deps.clock(), timeZone);
  const last = Number(present.slice(0, 4));
  const year = Number(asked ?? last);
  if (year > last) {
    throw badRequest("year_in_future", "This year has not begun", "year");
  }
  const [state, { remittances }] = await Promise.all([
    readState(deps, monthsStream, MONTHS),
    readState(deps, remittancesStream, REMITTANCES),
  ]);
  const firstEntry = await readFirstMonth(deps.reads, timeZone, state);
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
  return {
    year,
    years: { first: Math.min(last, Number((first ?? present).slice(0, 4))), last },
    ...zonesOf({ from: `${year}-01-01`, to: `${year}-12-31` }, timeZone, state),
    months: views
      .filter((one) => first !== null && one.month >= first)
      .map((one) => taxMonthOf(one.month, one.totals, remittances)),
  };
}

export function addTaxReport(routes: Hono<AppEnv>, deps: MonthDeps): void {
  routes.get(
    "/sales-tax/report",
    admin,
    documented({
      summary: "Report a year's sales tax by month",
      tag: "months",
      answer: taxReportResponse,
      files: ["text/csv", "application/pdf"],
    }),
    queryString(taxReportQuery),
    readsFrom("reports"),
    expensiveFile,
    async (c) => {
      const query = c.req.valid("query");
      if (query.format !== "json") {
        refuseIncomplete(c, "This report");
      }
      const report = await readTaxYear(deps, query.year);
      const { year } = report;
      const name = `sales-tax-${year}.${query.format}`;
      switch (query.format) {
        case "csv": {
          return answerCsvBatches(c, name, head, once(report.months.map(rowOf)));
        }
        case "pdf": {
          const ofYear = (await readRemittances(deps)).filter(
            ({ month, reversed }) => reversed === null && month.startsWith(String(year)),
          );
          const page = {
            ...report,
            storeName: await deps.store.name(),
            position: c.var.freshTo,
            madeAt: deps.clock().toISOString(),
            remittances: ofYear.reverse(),
          };
          using place = deps.workThread.enter(c.var.person.uid, PDFS_AT_ONCE);
          const work = { report: page, paper: query.paper };
          const bytes = await place.run<typeof PdfWork>(PDF_WORK, work, c.req.raw.signal);
          return answerPdf(c, name, bytes);
        }
        default: {
          return respondFresh(c, { ...report, months: report.months.toReversed() });
        }
      }
    },
  );
}
