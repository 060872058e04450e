// The calls about a consignor's account: balance, ledger, tiles and balance over time; an admin may set the balance.
import { Hono } from "hono";
import { admin, rehearsable, self } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { Cell } from "#http/csv.ts";
import { answerCsvBatches, money } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { requireProfile } from "#http/known-person.ts";
import { noteOf } from "#http/note.ts";
import { inStoreDays } from "#http/store-period.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import {
  accountParams,
  type LedgerLine,
  balanceResponse,
  ledgerExportQuery,
  ledgerQuery,
  ledgerResponse,
  setBalanceRequest,
  setBalanceResponse,
} from "#features/accounts/contract.ts";
import {
  balanceSeriesQuery,
  balanceSeriesResponse,
  recentResponse,
  summaryResponse,
} from "#features/accounts/contract-summary.ts";
import { setBalance } from "#features/accounts/decider.ts";
import type { LedgerFilters } from "#features/accounts/queries.ts";
import {
  readBalance,
  readBalanceSeries,
  readLedger,
  exportLedger,
  readSummary,
} from "#features/accounts/queries.ts";
import { readRecent } from "#features/accounts/queries-recent.ts";
import { addAsOf } from "#features/accounts/routes-as-of.ts";
import { addExplain } from "#features/accounts/routes-explain.ts";
import { addFunding } from "#features/accounts/routes-funding.ts";
import { addStatement } from "#features/accounts/statement/routes-statement.ts";
import { addYears } from "#features/accounts/statement/routes-year.ts";
import type { ReadOwnParts } from "#features/accounts/statement/year.ts";
import { addStatementCheck } from "#features/accounts/statement/routes-verify.ts";
import type { EventExplanations, Histories } from "#features/histories.ts";
import { MONTHS, monthsStream } from "#features/months/streams.ts";
import { typesOfKind } from "#ledger/explain.ts";
import { readState } from "#ledger/log/read-state.ts";
import { toCents, toDollars } from "#ledger/money.ts";

type AccountDeps = RouteDeps & { readonly explanations: EventExplanations };

const tag = "accounts";

/**
 * `explanations` say how the events of every feature read as lines of a ledger; `readOwnParts` are the reports' totals of
 * one consignor, for yearly statements.
 */
export function accountRoutes(
  routeDeps: RouteDeps,
  explanations: EventExplanations,
  readOwnParts: ReadOwnParts,
): Hono<AppEnv> {
  const deps = { ...routeDeps, explanations, readOwnParts };
  const routes = new Hono<AppEnv>();
  addBalance(routes, deps);
  addLedger(routes, deps);
  addOverview(routes, deps);
  addStatement(routes, deps);
  addYears(routes, deps);
  addStatementCheck(routes, deps);
  addExplain(routes, deps);
  addAsOf(routes, deps);
  addFunding(routes, deps);
  return routes;
}

function addBalance(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/sales/balance/:id",
    self("id"),
    documented({ summary: "Show a consignor's balance", tag, answer: balanceResponse }),
    pathParams(accountParams),
    readsFrom("balances"),
    async (c) => respondFresh(c, await readBalance(deps.reads, c.req.valid("param").id)),
  );
  routes.put(
    "/sales/balance/:id",
    rehearsable(admin),
    documented({ summary: "Set a consignor's balance", tag, answer: setBalanceResponse }),
    pathParams(accountParams),
    jsonBody(setBalanceRequest),
    async (c) => {
      const { id } = c.req.valid("param");
      const { balance, reason, expectedBalance } = c.req.valid("json");
      await requireProfile(deps, id);
      const note = await noteOf(c, deps, reason, id);
      const command = {
        uid: id,
        balanceCents: toCents(balance),
        expectedCents: expectedBalance === undefined ? null : toCents(expectedBalance),
        noteId: note?.id ?? null,
        happenedAt: deps.clock().toISOString(),
      };
      const change = await runCommand(c, deps.ledger, setBalance, command, note);
      return c.json({
        message: "Balance updated",
        balance: toDollars(change.afterCents),
        balanceBefore: toDollars(change.beforeCents),
      });
    },
  );
}

type FilterQuery = {
  readonly kind?: Histories["consignor"]["kind"] | undefined;
  readonly type?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

function filtersOf(query: FilterQuery, explanations: EventExplanations): LedgerFilters {
  return {
    types: typesIn(query, explanations),
    from: query.from,
    to: query.to,
  };
}

/** The event types in the query; empty for all. */
function typesIn({ kind, type }: FilterQuery, explanations: EventExplanations): readonly string[] {
  if (kind === undefined) {
    return type === undefined ? [] : type.split(",");
  }
  if (type !== undefined) {
    throw badRequest("validation_failed", "Filter by kind or by type, not by both", "type");
  }
  return typesOfKind(explanations, "consignor", kind);
}

const EXPORT_HEADER = [
  "Line",
  "Happened at",
  "Recorded at",
  "Position",
  "Booking month",
  "Type",
  "Description",
  "Amount",
  "Balance after",
  "Pending payouts after",
  "Note",
];

/** What is needed to know where the store's months begin. */
async function calendarOf(deps: RouteDeps) {
  const [timeZone, closings] = await Promise.all([
    deps.store.timeZone(),
    readState(deps, monthsStream, MONTHS),
  ]);
  return { timeZone, closings };
}

function addLedger(routes: Hono<AppEnv>, deps: AccountDeps): void {
  routes.get(
    "/sales/ledger/:id",
    self("id"),
    documented({ summary: "List a consignor's ledger", tag, answer: ledgerResponse }),
    pathParams(accountParams),
    queryString(ledgerQuery),
    inStoreDays(deps),
    readsFrom("account_history", "payouts"),
    expensiveSearch,
    async (c) => {
      const query = c.req.valid("query");
      return respondFresh(
        c,
        await readLedger(deps, deps, {
          uid: c.req.valid("param").id,
          ...(await calendarOf(deps)),
          filters: filtersOf(query, deps.explanations),
          before: query.before,
          limit: query.limit,
          forAdmin: c.var.person.role === "admin",
        }),
      );
    },
  );
  routes.get(
    "/sales/ledger/:id/export",
    self("id"),
    documentedFile({ summary: "Export a consignor's ledger", tag, types: ["text/csv"] }),
    pathParams(accountParams),
    queryString(ledgerExportQuery),
    inStoreDays(deps),
    readsFrom("account_history"),
    expensiveFile,
    async (c) => {
      const batches = exportLedger(deps.searches, deps, {
        uid: c.req.valid("param").id,
        ...(await calendarOf(deps)),
        filters: filtersOf(c.req.valid("query"), deps.explanations),
      });
      return answerCsvBatches(c, "ledger.csv", EXPORT_HEADER, exportRows(batches));
    },
  );
}

async function* exportRows(
  batches: AsyncGenerator<readonly LedgerLine[]>,
): AsyncGenerator<Cell[][]> {
  for await (const lines of batches) {
    yield lines.map((line) => [
      line.line,
      line.happenedAt,
      line.recordedAt,
      line.position,
      line.month,
      line.type,
      line.description,
      money(line.amount),
      money(line.balanceAfter),
      money(line.inTransitAfter),
      line.note,
    ]);
  }
}

function addOverview(routes: Hono<AppEnv>, deps: AccountDeps): void {
  routes.get(
    "/accounts/:id/summary",
    self("id"),
    documented({ summary: "Sum up a consignor's account", tag, answer: summaryResponse }),
    pathParams(accountParams),
    readsFrom("balances", "inventory", "sales", "payouts", "trades"),
    async (c) => respondFresh(c, await readSummary(deps.reads, c.req.valid("param").id)),
  );
  routes.get(
    "/accounts/:id/recent",
    self("id"),
    documented({ summary: "Show an account's last entries", tag, answer: recentResponse }),
    pathParams(accountParams),
    readsFrom("account_history", "payouts"),
    async (c) => {
      const uid = c.req.valid("param").id;
      const timeZone = await deps.store.timeZone();
      const forAdmin = c.var.person.role === "admin";
      const viewer = { uid, timeZone, forAdmin, now: deps.clock() };
      return respondFresh(c, await readRecent(deps.reads, deps, viewer));
    },
  );
  routes.get(
    "/accounts/:id/balance-series",
    self("id"),
    documented({ summary: "Show a balance over time", tag, answer: balanceSeriesResponse }),
    pathParams(accountParams),
    queryString(balanceSeriesQuery),
    readsFrom("account_history"),
    expensiveSearch,
    async (c) => {
      const { id } = c.req.valid("param");
      const { days } = c.req.valid("query");
      return respondFresh(
        c,
        await readBalanceSeries(
          deps.reads,
          { uid: id, timeZone: await deps.store.timeZone(), days },
          deps.clock(),
        ),
      );
    },
  );
}
