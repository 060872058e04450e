// The calls of the reports: a period by month, by consignor, the lines behind a number, and all of it as a file.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import { foldState, readState } from "#ledger/log/read-state.ts";
import type { EventExplanations } from "#features/histories.ts";
import {
  dayAt,
  MONTHS,
  monthsStream,
  REMITTANCES,
  remittancesStream,
  remittedFor,
} from "#features/months/streams.ts";
import {
  reportConsignorsQuery,
  reportConsignorsResponse,
  reportLinesQuery,
  reportLinesResponse,
  reportMonthsQuery,
  reportMonthsResponse,
  reportZerosResponse,
} from "#features/reports/contract.ts";
import { NONE_UNPRICED } from "#features/reports/figures.ts";
import { readBounds } from "#features/reports/period.ts";
import { readLines } from "#features/reports/queries-lines.ts";
import { readParts } from "#features/reports/queries-month.ts";
import { readRemitted } from "#features/reports/queries-remitted.ts";
import { readZeros } from "#features/reports/queries-zero.ts";
import { readUnpriced } from "#features/reports/queries-unpriced.ts";
import { readConsignorReport, readMonthReport, scopeOf } from "#features/reports/report.ts";
import { addReportFile } from "#features/reports/routes-file.ts";

const tag = "reports";

export function reportRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addLists(routes, deps);
  addZeros(routes, deps);
  addLines(routes, deps, explanations);
  addReportFile(routes, deps);
  return routes;
}

function addLists(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/reports/months",
    admin,
    documented({ summary: "Report a period by month", tag, answer: reportMonthsResponse }),
    queryString(reportMonthsQuery),
    readsFrom("reports"),
    expensiveSearch,
    async (c) => {
      const { consignor, ...days } = c.req.valid("query");
      const timeZone = await deps.store.timeZone();
      const closings = await readState(deps, monthsStream, MONTHS);
      const position = c.var.freshTo;
      const asked = { ...days, timeZone, position, closings, now: deps.clock() };
      return respondFresh(c, await readMonthReport(deps, asked, consignor));
    },
  );
  routes.get(
    "/reports/consignors",
    admin,
    documented({ summary: "Report a period by consignor", tag, answer: reportConsignorsResponse }),
    queryString(reportConsignorsQuery),
    readsFrom("reports"),
    expensiveSearch,
    async (c) => {
      const { from, to, cursor, limit, ...filters } = c.req.valid("query");
      const timeZone = await deps.store.timeZone();
      const closings = await readState(deps, monthsStream, MONTHS);
      const position = c.var.freshTo;
      const asked = { from, to, timeZone, position, closings, now: deps.clock() };
      return respondFresh(c, await readConsignorReport(deps, asked, filters, { limit, cursor }));
    },
  );
}

function addZeros(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/reports/zero-changes",
    admin,
    documented({
      summary: "List changes of what is owed that sum to zero",
      tag,
      answer: reportZerosResponse,
    }),
    queryString(reportMonthsQuery),
    readsFrom("reports"),
    expensiveSearch,
    async (c) => {
      const { consignor, from, to } = c.req.valid("query");
      const timeZone = await deps.store.timeZone();
      const closings = await readState(deps, monthsStream, MONTHS);
      const bounds = await readBounds(deps.reads, [{ from, to }], timeZone, closings);
      const scope = scopeOf(consignor);
      const changes = await readZeros(deps.searches, bounds, scope, c.var.freshTo);
      return respondFresh(c, { timeZone, from, to, changes });
    },
  );
}

function addLines(routes: Hono<AppEnv>, deps: RouteDeps, explanations: EventExplanations): void {
  routes.get(
    "/reports/lines",
    admin,
    documented({ summary: "Explain a number of a report", tag, answer: reportLinesResponse }),
    queryString(reportLinesQuery),
    readsFrom("reports", "inventory"),
    expensiveSearch,
    async (c) => {
      const query = c.req.valid("query");
      const { from, to, number, consignor, whose } = query;
      const timeZone = await deps.store.timeZone();
      const closings = await readState(deps, monthsStream, MONTHS);
      const days = [{ from, to }];
      const bounds = await readBounds(deps.reads, days, timeZone, closings);
      // Both sides at one position, so that a sale of this moment is in both or in none.
      const position = c.var.freshTo;
      const scope = scopeOf(consignor, whose);
      const [[totals], [unpriced = NONE_UNPRICED], { remittances }, remitted] = await Promise.all([
        readParts(deps.searches, bounds, scope, position),
        readUnpriced(deps.searches, bounds, scope, position),
        foldState(deps, remittancesStream, REMITTANCES, position),
        readRemitted(deps, { from, to }, position),
      ]);
      if (totals === undefined) {
        throw new Error("A period without a part");
      }
      const remittedCents = remittedFor(remittances, { from, to });
      const words = { profiles: deps.profiles, explanations };
      const asked = { ...query, scope, position, remitted };
      const dayOf = (at: Date) => dayAt(at, timeZone, closings);
      const shown = { totals, unpriced, remittedCents };
      const page = await readLines(deps, words, asked, { bounds, dayOf, shown });
      return respondFresh(c, { timeZone, from, to, number, ...page });
    },
  );
}
