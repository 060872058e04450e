// The call for a statement: as data for screens, and signed, as CSV for spreadsheets and as a PDF for paper and screen readers.
import type { Hono } from "hono";
import { findAsOf } from "#http/as-of.ts";
import { self } from "#http/access.ts";
import { answerSealedCsv, CSV_MAX_LINES } from "#http/csv.ts";
import { answerPdf } from "#http/file.ts";
import { expensiveFileInParts } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, Person } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { readsFrom, refuseGaps, refuseIncomplete, respondFresh } from "#http/freshness.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { accountParams, statementQuery, statementResponse } from "#features/accounts/contract.ts";
import type { LedgerPeople } from "#features/accounts/ledger-lines.ts";
import { MONTHS, monthsStream } from "#features/months/streams.ts";
import { foldState } from "#ledger/log/read-state.ts";
import type { StatementQuery } from "#features/accounts/statement/statement.ts";
import { refuseInDoubt } from "#features/accounts/statement/in-doubt.ts";
import { sealCsv, sealPdf } from "#features/accounts/statement/seal.ts";
import { readFrame, readLines, readStatement } from "#features/accounts/statement/statement.ts";
import { statementCsv, statementCsvHead } from "#features/accounts/statement/statement-csv.ts";
import type * as PdfWork from "#features/accounts/statement/statement-pdf-work.ts";

/** A PDF takes about 2 ms per line to draw; longer accounts use the CSV or a shorter period. */
const MAX_LINES = { json: 5_000, pdf: 2_000, csv: CSV_MAX_LINES } as const;

const PDF_WORK = new URL("./statement-pdf-work.ts", import.meta.url).href;

const PDFS_AT_ONCE = 1;
const ADMIN_PDFS_AT_ONCE = 3;
/** Aborted requests count too: each did some work before that. */
const PDFS = { attempts: 10, perSeconds: 60 };
const ADMIN_PDFS = { attempts: 60, perSeconds: 60 };

export function addStatement(routes: Hono<AppEnv>, deps: RouteDeps & LedgerPeople): void {
  const { statementKeys } = deps.identity.parts;
  const limits = createRateLimits(deps.sql, deps.clock);
  const [own, admins] = [limits("statement-pdf", PDFS), limits("statement-pdf-admin", ADMIN_PDFS)];
  const mayDraw = ({ uid, role }: Person): Promise<void> =>
    (role === "admin" ? admins : own).consume(uid);
  routes.get(
    "/accounts/:id/statement",
    self("id"),
    documented({
      summary: "State one period of a consignor's account",
      tag: "accounts",
      answer: statementResponse,
      files: ["text/csv", "application/pdf"],
    }),
    pathParams(accountParams),
    queryString(statementQuery),
    readsFrom("account_history"),
    expensiveFileInParts,
    async (c) => {
      const { from, to, format, paper, at, ...given } = c.req.valid("query");
      const isOfNow = format !== "json" && at === undefined && given.position === undefined;
      (isOfNow ? refuseIncomplete : refuseGaps)(c, "This statement");
      if (format !== "json") {
        await refuseInDoubt(deps, c.req.valid("param").id);
      }
      const { position = (await findAsOf(deps, at, c.var.freshTo)).position } = given;
      if (position > c.var.freshTo) {
        throw badRequest("position_unknown", "The ledger has not come that far", "position");
      }
      const { name: storeName, timeZone } = await deps.store.at(position);
      const query: StatementQuery = {
        uid: c.req.valid("param").id,
        storeName,
        timeZone,
        closings: await foldState(deps, monthsStream, MONTHS, position),
        from,
        to,
        position,
        maxLines: MAX_LINES[format],
        issuedAt: deps.clock().toISOString(),
      };
      const fileName = `statement-${from}-${to}`;
      switch (format) {
        case "json": {
          return respondFresh(c, await c.var.inTurn(() => readStatement(deps.reads, deps, query)));
        }
        case "csv": {
          return c.var.inTurn(async () => {
            const frame = await readFrame(deps.reads, deps, query);
            const rows = statementCsv(frame, readLines(deps.reads, deps, frame));
            return answerSealedCsv(c, `${fileName}.csv`, statementCsvHead, rows, (sha256) =>
              sealCsv(statementKeys, frame, sha256),
            );
          });
        }
        default: {
          await mayDraw(c.var.person);
          const most = c.var.person.role === "admin" ? ADMIN_PDFS_AT_ONCE : PDFS_AT_ONCE;
          using place = deps.workThread.enter(c.var.person.uid, most);
          const statement = await c.var.inTurn(() => readStatement(deps.reads, deps, query));
          const { signal } = c.req.raw;
          const verifyAt = `${deps.site.url()}/verify-statement`;
          const work = { statement, paper, verifyAt };
          const bytes = await place.run<typeof PdfWork>(PDF_WORK, work, signal);
          return answerPdf(c, `${fileName}.pdf`, await sealPdf(statementKeys, statement, bytes));
        }
      }
    },
  );
}
