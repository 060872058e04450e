// The calls about the store's months, admins only: a year of them, closing one, and what was dated into a closed one.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { decidesFrom, readsFrom, respondFresh } from "#http/freshness.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import { dayIn } from "#ledger/day-text.ts";
import { readState } from "#ledger/log/read-state.ts";
import {
  closeMonthRequest,
  closeMonthResponse,
  lateEntriesResponse,
  lateQuery,
  monthParams,
  monthsQuery,
  monthsResponse,
  openMonthResponse,
} from "#features/months/contract-months.ts";
import { closeMonth } from "#features/months/decider.ts";
import type { ReadParts } from "#features/months/queries.ts";
import {
  readBegins,
  readFirstMonth,
  readLateEntries,
  readMonthViews,
  readTotals,
  refuseGap,
  refuseIfBookedSince,
} from "#features/months/queries.ts";
import { monthName, MONTHS, monthsStream } from "#features/months/streams.ts";

const tag = "months";

export type MonthDeps = RouteDeps & { readonly readParts: ReadParts };

export function addMonths(routes: Hono<AppEnv>, deps: MonthDeps): void {
  addList(routes, deps);
  addOpen(routes, deps);
  addClosing(routes, deps);
  addLate(routes, deps);
}

/** The store's present month: "2026-11". */
export function monthOf(now: Date, timeZone: string): string {
  return dayIn(now, timeZone).slice(0, 7);
}

function addList(routes: Hono<AppEnv>, deps: MonthDeps): void {
  routes.get(
    "/months",
    admin,
    documented({ summary: "List a year's months with their totals", tag, answer: monthsResponse }),
    queryString(monthsQuery),
    readsFrom("reports"),
    expensiveSearch,
    async (c) => {
      const timeZone = await deps.store.timeZone();
      const present = monthOf(deps.clock(), timeZone);
      const last = Number(present.slice(0, 4));
      const year = Number(c.req.valid("query").year ?? last);
      if (year > last) {
        throw badRequest("year_in_future", "This year has not begun", "year");
      }
      const state = await readState(deps, monthsStream, MONTHS);
      const first = await readFirstMonth(deps.reads, timeZone, state);
      const count = year === last ? Number(present.slice(5)) : 12;
      const shown = { first: `${year}-01`, count, present };
      const months = await readMonthViews(deps, shown, timeZone, state);
      return respondFresh(c, {
        year,
        years: { first: Math.min(last, Number((first ?? present).slice(0, 4))), last },
        timeZone,
        months: months.filter((one) => first !== null && one.month >= first).reverse(),
        position: c.var.freshTo,
      });
    },
  );
}

function addOpen(routes: Hono<AppEnv>, deps: MonthDeps): void {
  routes.get(
    "/months/open",
    admin,
    documented({ summary: "Show where the open months begin", tag, answer: openMonthResponse }),
    async (c) => {
      const last = (await readState(deps, monthsStream, MONTHS)).closed.at(-1);
      const closed = last === undefined ? null : { month: last.month, to: last.to };
      return c.json({ closed, timeZone: await deps.store.timeZone() });
    },
  );
}

function addClosing(routes: Hono<AppEnv>, deps: MonthDeps): void {
  routes.post(
    "/months/close",
    rehearsable(admin),
    documented({ summary: "Close a past month", tag, answer: closeMonthResponse }),
    jsonBody(closeMonthRequest),
    decidesFrom("reports"),
    async (c) => {
      const { month, seenPosition } = c.req.valid("json");
      const throughPosition = c.var.freshTo;
      const timeZone = await deps.store.timeZone();
      const state = await readState(deps, monthsStream, MONTHS);
      const bounds = await readBegins(deps.reads, { first: month, count: 1 }, timeZone, state);
      const isOpen = state.closed.every((one) => one.month < month);
      if (isOpen && seenPosition !== undefined) {
        await refuseIfBookedSince(deps.reads, month, bounds, seenPosition);
      }
      const [from = "", to = ""] = bounds.map((at) => at.toISOString());
      const command = {
        month,
        from,
        to,
        timeZone,
        throughPosition,
        totals: await readTotals(deps, bounds, throughPosition),
        happenedAt: deps.clock().toISOString(),
      };
      // No row is written: this only checks, while nothing else can be appended.
      const check = {
        id: month,
        write: (transaction: Parameters<typeof refuseGap>[0]) => refuseGap(transaction, command),
      };
      const answer = await runCommand(c, deps.ledger, closeMonth, command, check);
      return c.json({ message: `${monthName(answer.month)} closed`, month: answer.month });
    },
  );
}

function addLate(routes: Hono<AppEnv>, deps: MonthDeps): void {
  routes.get(
    "/months/:month/late",
    admin,
    documented({
      summary:
        "List a month's late entries: dated into it after it was closed, or booked in it instead",
      tag,
      answer: lateEntriesResponse,
    }),
    pathParams(monthParams),
    queryString(lateQuery),
    readsFrom("reports"),
    expensiveSearch,
    async (c) => {
      const timeZone = await deps.store.timeZone();
      const state = await readState(deps, monthsStream, MONTHS);
      const { month } = c.req.valid("param");
      const { by } = c.req.valid("query");
      const bounds = await readBegins(deps.reads, { first: month, count: 1 }, timeZone, state);
      return respondFresh(c, { entries: await readLateEntries(deps, bounds, by, state) });
    },
  );
}
