// The calls that show an account as it was, and what we know differently now.
import type { Context, Hono } from "hono";
import { findAsOf } from "#http/as-of.ts";
import { self } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, FreshEnv, SignedInEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  asOfParams,
  balanceAsOfQuery,
  balanceAsOfResponse,
  compareQuery,
  compareResponse,
  historyAsOfQuery,
  historyAsOfResponse,
} from "#features/accounts/contract-as-of.ts";
import type { PastAccount } from "#features/accounts/queries-as-of.ts";
import { compareAsOf, readBalanceAsOf, readHistoryAsOf } from "#features/accounts/queries-as-of.ts";
import { MONTHS, monthsStream } from "#features/months/streams.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { Moment } from "#ledger/fields.ts";

const tag = "audit";

export function addAsOf(
  routes: Hono<AppEnv>,
  deps: RouteDeps & { readonly explanations: EventExplanations },
): void {
  const accountAt = async (
    { var: { freshTo } }: Pick<Context<FreshEnv>, "var">,
    uid: string,
    at: Moment,
  ): Promise<PastAccount> => ({ uid, asOf: await findAsOf(deps, at, freshTo), freshTo });
  const viewerOf = async ({ var: { person } }: Pick<Context<SignedInEnv>, "var">) => ({
    timeZone: await deps.store.timeZone(),
    closings: await readState(deps, monthsStream, MONTHS),
    forAdmin: person.role === "admin",
  });

  routes.get(
    "/audit/balance/:uid",
    self("uid"),
    documented({ summary: "Show a balance as of a time", tag, answer: balanceAsOfResponse }),
    pathParams(asOfParams),
    queryString(balanceAsOfQuery),
    readsFrom("account_history"),
    expensiveSearch,
    async (c) => {
      const { at, by } = c.req.valid("query");
      const account = await accountAt(c, c.req.valid("param").uid, at);
      return respondFresh(c, await readBalanceAsOf(deps.reads, account, by));
    },
  );
  routes.get(
    "/audit/history/:uid",
    self("uid"),
    documented({ summary: "List a ledger as of a time", tag, answer: historyAsOfResponse }),
    pathParams(asOfParams),
    queryString(historyAsOfQuery),
    readsFrom("account_history"),
    expensiveSearch,
    async (c) => {
      const { at, ...query } = c.req.valid("query");
      const account = await accountAt(c, c.req.valid("param").uid, at);
      return respondFresh(c, await readHistoryAsOf(deps, deps, account, await viewerOf(c), query));
    },
  );
  routes.get(
    "/audit/compare/:uid",
    self("uid"),
    documented({
      summary: "Compare what was recorded by a time with what had happened",
      tag,
      answer: compareResponse,
    }),
    pathParams(asOfParams),
    queryString(compareQuery),
    readsFrom("account_history"),
    expensiveSearch,
    async (c) => {
      const { at, ...query } = c.req.valid("query");
      const account = await accountAt(c, c.req.valid("param").uid, at);
      return respondFresh(c, await compareAsOf(deps, deps, account, await viewerOf(c), query));
    },
  );
}
