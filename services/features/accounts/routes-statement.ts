// The call for a statement: as data for screens, as CSV for spreadsheets, as a PDF for paper and screen readers.
import type { Context, Hono } from "hono";
import { self } from "#http/access.ts";
import { answerCsv, CSV_MAX_LINES } from "#http/csv.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { heldBack, readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { accountParams, statementQuery, statementResponse } from "#features/accounts/contract.ts";
import { readStatement } from "#features/accounts/statement.ts";
import { statementCsv } from "#features/accounts/statement-csv.ts";

/** A PDF takes some 2 ms a line to draw; who has more entries takes the CSV or a shorter period. */
const MAX_LINES = { json: 5_000, pdf: 2_000, csv: CSV_MAX_LINES } as const;

export function addStatement(routes: Hono<AppEnv>, deps: RouteDeps): void {
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
    async (c) => {
      if (c.var.held > 0) {
        throw heldBack("This statement would not be complete right now.");
      }
      const { from, to, format, paper, position = c.var.freshTo } = c.req.valid("query");
      if (position > c.var.freshTo) {
        throw badRequest("position_unknown", "The ledger has not come that far", "position");
      }
      const statement = await readStatement(deps.sql, deps, {
        uid: c.req.valid("param").id,
        timeZone: deps.storeTimeZone,
        from,
        to,
        position,
        maxLines: MAX_LINES[format],
        issuedAt: deps.clock().toISOString(),
      });
      if (format === "json") {
        return respondFresh(c, statement);
      }
      const name = `statement-${from}-${to}`;
      if (format === "csv") {
        return answerCsv(c, `${name}.csv`, statementCsv(statement));
      }
      // Loaded by the first statement: nobody else needs the fonts and what draws with them.
      const { statementPdf } = await import("#features/accounts/statement-pdf.ts");
      return answerPdf(c, `${name}.pdf`, await statementPdf(statement, paper));
    },
  );
}

function answerPdf(
  c: Pick<Context<AppEnv>, "body">,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Response {
  return c.body(bytes, 200, {
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="${name}"`,
  });
}
