// The calls that explain a number: which lines it is the sum of, at one position of the ledger.
import type { Hono } from "hono";
import { findAsOf } from "#http/as-of.ts";
import { admin, self } from "#http/access.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { inStoreDays } from "#http/store-period.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  explainParams,
  explainQuery,
  explainResponse,
} from "#features/accounts/contract-explain.ts";
import {
  explainAccountQuery,
  explainAccountResponse,
  explainTotalQuery,
  explainTotalResponse,
} from "#features/accounts/contract-explain-store.ts";
import { explainAccount } from "#features/accounts/queries-explain-account.ts";
import { explainTotal } from "#features/accounts/queries-explain-total.ts";
import { explainLedgerNumber } from "#features/accounts/queries-explain.ts";
import { explainHeldForTrades } from "#features/accounts/queries-explain-held.ts";
import type { EventExplanations } from "#features/histories.ts";

const tag = "audit";

export function addExplain(
  routes: Hono<AppEnv>,
  deps: RouteDeps & { readonly explanations: EventExplanations },
): void {
  addPersonsNumber(routes, deps);
  addStoreNumbers(routes, deps);
}

function addStoreNumbers(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/audit/explain-total",
    admin,
    documented({ summary: "Explain a number over all people", tag, answer: explainTotalResponse }),
    queryString(explainTotalQuery),
    readsFrom("account_history", "balances", "payouts", "trades"),
    expensiveSearch,
    async (c) => respondFresh(c, await explainTotal(deps, c.var.freshTo, c.req.valid("query"))),
  );
  routes.get(
    "/audit/explain-account",
    admin,
    documented({
      summary: "Explain an account of the store by days",
      tag,
      answer: explainAccountResponse,
    }),
    queryString(explainAccountQuery),
    readsFrom("balances", "account_blocks"),
    expensiveSearch,
    async (c) => {
      const timeZone = await deps.store.timeZone();
      const store = { timeZone, now: deps.clock(), freshTo: c.var.freshTo };
      return respondFresh(c, await explainAccount(deps, c.req.valid("query"), store));
    },
  );
}

function addPersonsNumber(
  routes: Hono<AppEnv>,
  deps: RouteDeps & { readonly explanations: EventExplanations },
): void {
  routes.get(
    "/audit/explain/:uid",
    self("uid"),
    documented({ summary: "Explain a person's number", tag, answer: explainResponse }),
    pathParams(explainParams),
    queryString(explainQuery),
    inStoreDays(deps),
    readsFrom("account_history", "balances", "sales", "payouts", "trades"),
    expensiveSearch,
    async (c) => {
      const { uid } = c.req.valid("param");
      const query = c.req.valid("query");
      const asOf = await findAsOf(deps, query.at, c.var.freshTo);
      const { number } = query;
      return respondFresh(
        c,
        number === "heldForTrades"
          ? await explainHeldForTrades(deps, uid, asOf, query)
          : await explainLedgerNumber(deps, deps.explanations, uid, asOf, { ...query, number }),
      );
    },
  );
}
