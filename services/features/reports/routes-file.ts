// A report as a file: exactly the list that the screen shows, as CSV for spreadsheets or as a PDF for paper.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import { answerCsvBatches, CSV_MAX_LINES, tooManyLines } from "#http/csv.ts";
import { answerPdf } from "#http/file.ts";
import type { Cell } from "#http/csv.ts";
import { expensiveFileInParts } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, refuseIncomplete } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import { foldState } from "#ledger/log/read-state.ts";
import { MONTHS, monthsStream, zonesOf } from "#features/months/streams.ts";
import type { ReportFigures } from "#features/reports/contract.ts";
import { reportFileQuery } from "#features/reports/contract.ts";
import type { Asked } from "#features/reports/report.ts";
import { readConsignorReport, readMonthReport } from "#features/reports/report.ts";
import { reportHead, reportRow } from "#features/reports/report-csv.ts";
import type { ReportPage } from "#features/reports/report-pdf.ts";
import type * as PdfWork from "#features/reports/report-pdf-work.ts";

const PDF_WORK = new URL("./report-pdf-work.ts", import.meta.url).href;
const PDFS_AT_ONCE = 3;
/** A PDF takes about 2 ms per row to draw; longer lists use the CSV. */
const MOST_ROWS = { pdf: 2_000, csv: CSV_MAX_LINES } as const;

/** A report as rows with a name each. */
type Rows = Pick<ReportPage, "heading" | "person" | "rows" | "total"> & {
  /** The first cells of each row in a spreadsheet. */
  readonly ids: readonly (readonly Cell[])[];
  readonly idHeadings: readonly string[];
};

type FileQuery = ReturnType<(typeof reportFileQuery)["parse"]>;

async function readRows(deps: RouteDeps, query: FileQuery, asked: Asked): Promise<Rows> {
  const { view, consignor, format } = query;
  if (view === "months") {
    const { months, total } = await readMonthReport(deps, asked, consignor);
    const names = await deps.profiles.displayNames(consignor === undefined ? [] : [consignor]);
    return {
      heading: "Month",
      person: consignor === undefined ? null : (names.get(consignor) ?? consignor),
      rows: months.map((figures) => ({ name: monthText(figures.month), figures })),
      total,
      ids: months.map(({ month, from, to }) => [month, from, to]),
      idHeadings: ["Month", "From", "To"],
    };
  }
  const most = MOST_ROWS[format];
  const page = { limit: most + 1, cursor: undefined };
  const { consignors, total } = await readConsignorReport(deps, asked, query, page);
  if (consignors.length > most) {
    throw tooManyLines(most);
  }
  return {
    heading: "Consignor",
    person: null,
    rows: consignors.map((figures) => ({ name: figures.displayName, figures })),
    total,
    ids: consignors.map(({ consignorID, displayName }) => [displayName, consignorID]),
    idHeadings: ["Consignor", "Consignor id"],
  };
}

async function* csvOf({ rows, ids }: Rows): AsyncGenerator<(readonly Cell[])[]> {
  yield rows.map(({ figures }: { readonly figures: ReportFigures }, index) =>
    reportRow(ids[index] ?? [], figures),
  );
}

export function addReportFile(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/reports/file",
    admin,
    documentedFile({
      summary: "Save a report as a file",
      tag: "reports",
      types: ["text/csv", "application/pdf"],
    }),
    queryString(reportFileQuery),
    readsFrom("reports"),
    expensiveFileInParts,
    async (c) => {
      refuseIncomplete(c, "This report");
      const query = c.req.valid("query");
      const { from, to, view, format, paper } = query;
      const now = deps.clock();
      const position = c.var.freshTo;
      const { name: storeName, timeZone } = await deps.store.at(position);
      const fileName = `report-${view}-${from}-${to}`;
      const closings = await foldState(deps, monthsStream, MONTHS, position);
      const asked = { from, to, timeZone, position, closings, now };
      if (format === "csv") {
        const rows = await c.var.inTurn(() => readRows(deps, query, asked));
        return answerCsvBatches(c, `${fileName}.csv`, reportHead(rows.idHeadings), csvOf(rows));
      }
      using place = deps.workThread.enter(c.var.person.uid, PDFS_AT_ONCE);
      const { heading, person, rows, total } = await c.var.inTurn(() =>
        readRows(deps, query, asked),
      );
      const zones = zonesOf({ from, to }, timeZone, closings);
      const made = { position, madeAt: now.toISOString(), storeZone: timeZone };
      const about = { storeName, person, from, to, ...zones, ...made };
      const work = { report: { ...about, heading, rows, total }, paper };
      const bytes = await place.run<typeof PdfWork>(PDF_WORK, work, c.req.raw.signal);
      return answerPdf(c, `${fileName}.pdf`, bytes);
    },
  );
}

/** "2026-11" → "Nov 2026" */
function monthText(month: string): string {
  const words = new Intl.DateTimeFormat("en-US", {
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
