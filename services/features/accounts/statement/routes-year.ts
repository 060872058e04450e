// The calls for yearly statements: one consignor's, signed like monthly ones, and those of everybody in one archive.
import type { Context, Hono } from "hono";
import { admin, self } from "#http/access.ts";
import { answerCsvBatches, answerSealedCsv } from "#http/csv.ts";
import { answerPdf, attachment } from "#http/file.ts";
import type { Cell } from "#http/csv.ts";
import { expensiveFile, expensiveFileInParts, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, FreshEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { readsFrom, refuseGaps, refuseIncomplete, respondFresh } from "#http/freshness.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { pathParams, queryString } from "#http/validate.ts";
import type { ArchivedFile } from "#http/zip.ts";
import { MOST_FILES, streamOf, zipPieces } from "#http/zip.ts";
import { dayIn } from "#ledger/day-text.ts";
import { foldState, readState } from "#ledger/log/read-state.ts";
import { accountParams } from "#features/accounts/contract.ts";
import type { YearStatement } from "#features/accounts/contract-year.ts";
import {
  allYearsParams,
  allYearsQuery,
  allYearsResponse,
  yearParams,
  yearQuery,
  yearsResponse,
  yearStatement,
} from "#features/accounts/contract-year.ts";
import { refuseInDoubt } from "#features/accounts/statement/in-doubt.ts";
import { sealCsv, sealPdf } from "#features/accounts/statement/seal.ts";
import type { YearDeps, YearQuery } from "#features/accounts/statement/year.ts";
import { readPeopleOfYear, readYear, readYears } from "#features/accounts/statement/year.ts";
import {
  allCsvHead,
  allCsvRow,
  yearCsvHead,
  yearCsvRows,
} from "#features/accounts/statement/year-csv.ts";
import { MONTHS, monthsStream } from "#features/months/streams.ts";
import type * as PdfWork from "#features/accounts/statement/year-pdf-work.ts";

const tag = "accounts";
const PDF_WORK = new URL("./year-pdf-work.ts", import.meta.url).href;
const PDFS_AT_ONCE = 1;
const ADMIN_PDFS_AT_ONCE = 3;
const PDFS = { attempts: 10, perSeconds: 60 };
const ADMIN_PDFS = { attempts: 60, perSeconds: 60 };
/** An archive is as much work as many PDFs. */
const ARCHIVES = { attempts: 3, perSeconds: 600 };
const TABLES = ["account_history", "reports", "payouts"] as const;

type Deps = RouteDeps & YearDeps;

export function addYears(routes: Hono<AppEnv>, deps: Deps): void {
  addYearList(routes, deps);
  addOneYear(routes, deps);
  addEverybody(routes, deps);
}

/** What a statement of the year is made by, as of now. Throws HttpError if it has not begun or would not be complete. */
async function queryOf(
  deps: Deps,
  c: Pick<Context<FreshEnv>, "var">,
  { year, format }: { readonly year: number; readonly format: string },
): Promise<Omit<YearQuery, "uid">> {
  (format === "json" ? refuseGaps : refuseIncomplete)(c, "This statement");
  const { freshTo } = c.var;
  const { name: storeName, timeZone } = await deps.store.at(freshTo);
  const now = deps.clock();
  if (year > Number(dayIn(now, timeZone).slice(0, 4))) {
    throw badRequest("year_in_future", "This year has not begun", "year");
  }
  const closings = await foldState(deps, monthsStream, MONTHS, freshTo);
  return { year, storeName, timeZone, closings, position: freshTo, issuedAt: now.toISOString() };
}

async function drawn(
  deps: Deps,
  statement: YearStatement,
  paper: "letter" | "a4",
  by: { readonly uid: string; readonly role: string },
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  using place = deps.workThread.enter(
    by.uid,
    by.role === "admin" ? ADMIN_PDFS_AT_ONCE : PDFS_AT_ONCE,
  );
  const verifyAt = `${deps.site.url()}/verify-statement`;
  const bytes = await place.run<typeof PdfWork>(PDF_WORK, { statement, paper, verifyAt }, signal);
  return sealPdf(deps.identity.parts.statementKeys, statement, bytes);
}

function addYearList(routes: Hono<AppEnv>, deps: Deps): void {
  routes.get(
    "/accounts/:id/years",
    self("id"),
    documented({ summary: "List a consignor's years", tag, answer: yearsResponse }),
    pathParams(accountParams),
    readsFrom("account_history", "reports"),
    expensiveSearch,
    async (c) => {
      const { id } = c.req.valid("param");
      const [timeZone, closings] = await Promise.all([
        deps.store.timeZone(),
        readState(deps, monthsStream, MONTHS),
      ]);
      const years = await readYears(deps, id, { timeZone, closings }, deps.clock());
      return respondFresh(c, { years });
    },
  );
}

function addOneYear(routes: Hono<AppEnv>, deps: Deps): void {
  const limits = createRateLimits(deps.sql, deps.clock);
  const [own, admins] = [limits("year-pdf", PDFS), limits("year-pdf-admin", ADMIN_PDFS)];
  routes.get(
    "/accounts/:id/years/:year",
    self("id"),
    documented({
      summary: "Show a consignor's yearly statement",
      tag,
      answer: yearStatement,
      files: ["text/csv", "application/pdf"],
    }),
    pathParams(yearParams),
    queryString(yearQuery),
    readsFrom(...TABLES),
    expensiveFileInParts,
    async (c) => {
      const { id: uid, year } = c.req.valid("param");
      const { format, paper } = c.req.valid("query");
      const query = { ...(await queryOf(deps, c, { year, format })), uid };
      if (format !== "json") {
        await refuseInDoubt(deps, uid);
      }
      if (format === "pdf") {
        const { person } = c.var;
        await (person.role === "admin" ? admins : own).consume(person.uid);
      }
      const statement = await c.var.inTurn(() => readYear(deps, query));
      const name = `statement-${year}.${format}`;
      switch (format) {
        case "json": {
          return respondFresh(c, statement);
        }
        case "csv": {
          return answerSealedCsv(c, name, yearCsvHead, once(yearCsvRows(statement)), (sha256) =>
            sealCsv(deps.identity.parts.statementKeys, statement, sha256),
          );
        }
        default: {
          const bytes = await drawn(deps, statement, paper, c.var.person, c.req.raw.signal);
          return answerPdf(c, name, bytes);
        }
      }
    },
  );
}

function addEverybody(routes: Hono<AppEnv>, deps: Deps): void {
  const archives = createRateLimits(deps.sql, deps.clock)("year-archive", ARCHIVES);
  routes.get(
    "/statements/years/:year",
    admin,
    documented({
      summary: "Show every consignor's yearly statement",
      tag,
      answer: allYearsResponse,
      files: ["text/csv", "application/zip"],
    }),
    pathParams(allYearsParams),
    queryString(allYearsQuery),
    readsFrom(...TABLES),
    expensiveFile,
    async (c) => {
      const { year } = c.req.valid("param");
      const { format, paper } = c.req.valid("query");
      const query = await queryOf(deps, c, { year, format });
      const people = await readPeopleOfYear(deps.reads, year, query);
      const name = `statements-${year}.${format}`;
      switch (format) {
        case "json": {
          return respondFresh(c, { year, consignors: people.length });
        }
        case "csv": {
          return answerCsvBatches(
            c,
            name,
            allCsvHead({ ...query, to: `${year}-12-31` }),
            rowsOf(deps, query, people),
          );
        }
        default: {
          if (people.length > MOST_FILES) {
            throw badRequest("too_many_statements", "There are too many for one archive", "year");
          }
          await refuseInDoubt(deps, null);
          const { person } = c.var;
          await archives.consume(person.uid);
          const { signal } = c.req.raw;
          const files = filesOf(deps, query, people, (statement) =>
            drawn(deps, statement, paper, person, signal),
          );
          const body = streamOf(zipPieces(files, deps.clock()));
          return c.body(body, 200, attachment("application/zip", name));
        }
      }
    },
  );
}

async function* once(rows: readonly Cell[][]): AsyncGenerator<Cell[][]> {
  yield await Promise.resolve([...rows]);
}

async function* rowsOf(
  deps: Deps,
  query: Omit<YearQuery, "uid">,
  people: readonly string[],
): AsyncGenerator<Cell[][]> {
  for (const uid of people) {
    yield [allCsvRow(await readYear(deps, { ...query, uid }))];
  }
}

async function* filesOf(
  deps: Deps,
  query: Omit<YearQuery, "uid">,
  people: readonly string[],
  draw: (statement: YearStatement) => Promise<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ArchivedFile> {
  for (const uid of people) {
    const statement = await readYear(deps, { ...query, uid });
    const who = statement.displayName.normalize("NFKD").replaceAll(/[^\p{L}\p{N}]+/gu, "-");
    const name = `statement-${query.year}-${who.slice(0, 60)}-${uid.slice(-8)}.pdf`;
    yield { name, bytes: await draw(statement) };
  }
}
