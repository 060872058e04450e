// The calls about the till's days, admins only: one day's payments, closing it, and the days that were counted.
import { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { decidesFrom, readsFrom, respondFresh } from "#http/freshness.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, queryString } from "#http/validate.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { readState } from "#ledger/log/read-state.ts";
import {
  closeTillDayRequest,
  closeTillDayResponse,
  tillChangesQuery,
  tillChangesResponse,
  tillDayQuery,
  tillDayResponse,
  tillDaysQuery,
  tillDaysResponse,
  tillRefundsQuery,
  tillRefundsResponse,
} from "#features/till/contract.ts";
import { closeTillDay } from "#features/till/decider.ts";
import { CLOSINGS_CSV_HEAD, exportClosings } from "#features/till/exports.ts";
import {
  findCount,
  listClosings,
  paymentView,
  readClosings,
  readElsewhere,
  readLeftBefore,
  readPayments,
} from "#features/till/queries.ts";
import { readChangesSince } from "#features/till/queries-changes.ts";
import { readBounds, readToday } from "#features/till/queries-bounds.ts";
import { countCorrections } from "#features/till/queries-since.ts";
import { readDayRefunds } from "#features/till/queries-refunds.ts";
import { tillStream, tillStreamId } from "#features/till/streams.ts";

const tag = "till";

export function tillRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addDay(routes, deps);
  addRefunds(routes, deps);
  addChanges(routes, deps);
  addDays(routes, deps);
  addClosing(routes, deps);
  return routes;
}

function addRefunds(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/till/refunds",
    admin,
    documented({ summary: "List a day's refunds", tag, answer: tillRefundsResponse }),
    queryString(tillRefundsQuery),
    readsFrom("sales", "till-closings"),
    async (c) => {
      const { day, by, cursor, limit } = c.req.valid("query");
      const bounds = await readBounds(deps, day);
      return respondFresh(c, await readDayRefunds(deps.reads, bounds, { by, cursor, limit }));
    },
  );
}

function addChanges(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/till/changes",
    admin,
    documented({
      summary: "List what was recorded about a counted day after its count",
      tag,
      answer: tillChangesResponse,
    }),
    queryString(tillChangesQuery),
    readsFrom("sales", "till-closings"),
    async (c) => {
      const { day } = c.req.valid("query");
      const [bounds, count] = await Promise.all([
        readBounds(deps, day),
        findCount(deps.reads, day),
      ]);
      return respondFresh(c, await readChangesSince(deps, bounds, count));
    },
  );
}

async function storeToday({ reads, store, clock }: RouteDeps): Promise<string> {
  return readToday(reads, clock(), await store.timeZone());
}

function addDay(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/till/day",
    admin,
    documented({ summary: "Show a day's payments by tender", tag, answer: tillDayResponse }),
    queryString(tillDayQuery),
    readsFrom("sales", "till-closings", "audit"),
    async (c) => {
      const { reads } = deps;
      const today = await storeToday(deps);
      const { day = today } = c.req.valid("query");
      const bounds = await readBounds(deps, day);
      const [{ payments }, elsewhere, corrections, closings, leftBefore, { counts }] =
        await Promise.all([
          readPayments(reads, bounds),
          readElsewhere(reads, bounds),
          countCorrections(reads, bounds, c.var.freshTo),
          readClosings(reads, deps, day),
          readLeftBefore(reads, day),
          readState(deps, tillStream, tillStreamId(day)),
        ]);
      return respondFresh(c, {
        day,
        from: bounds.from.toISOString(),
        to: bounds.to.toISOString(),
        today,
        version: counts,
        payments: payments.map(paymentView),
        elsewhere,
        corrections,
        leftBefore,
        closing: closings[0] ?? null,
      });
    },
  );
}

function addDays(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/till/days",
    admin,
    documented({ summary: "List the counted days of the till", tag, answer: tillDaysResponse }),
    queryString(tillDaysQuery),
    readsFrom("sales", "till-closings"),
    async (c) => {
      const { before, limit } = c.req.valid("query");
      return respondFresh(c, await listClosings(deps.reads, deps, { before, limit }));
    },
  );
  routes.get(
    "/till/days/export",
    admin,
    documentedFile({ summary: "Export the counted days of the till", tag, types: ["text/csv"] }),
    readsFrom("sales", "till-closings"),
    expensiveFile,
    async (c) => {
      const lines = exportClosings(deps.reads, deps);
      return answerCsvBatches(c, "counted-days.csv", CLOSINGS_CSV_HEAD, lines);
    },
  );
}

function addClosing(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/till/days",
    rehearsable(admin),
    documented({
      summary: "Close a day of the till: the drawer was counted",
      tag,
      answer: closeTillDayResponse,
    }),
    jsonBody(closeTillDayRequest),
    decidesFrom("sales", "till-closings"),
    async (c) => {
      const given = c.req.valid("json");
      const today = await storeToday(deps);
      if (given.day > today) {
        throw badRequest("day_in_future", "This day has not begun", "day");
      }
      const { from, to } = await readBounds(deps, given.day);
      const note = await noteOf(c, deps, given.note, null);
      const answer = await runCommand(
        c,
        deps.ledger,
        closeTillDay,
        {
          day: given.day,
          from: from.toISOString(),
          to: to.toISOString(),
          ...(await readPayments(deps.reads, { from, to })),
          openingCents: toCents(given.openingAmount),
          paidInCents: toCents(given.paidInAmount),
          paidOutCents: toCents(given.paidOutAmount),
          countedCents: toCents(given.countedAmount),
          leftCents: toCents(given.leftAmount ?? given.countedAmount),
          seenExpectedCents:
            given.expectedAmount === undefined ? null : toCents(given.expectedAmount),
          expectedVersion: given.expectedVersion ?? null,
          noteId: note?.id ?? null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json({
        message: "Day closed",
        version: answer.version,
        expectedAmount: toDollars(answer.expectedCents),
        differenceAmount: toDollars(answer.differenceCents),
      });
    },
  );
}
