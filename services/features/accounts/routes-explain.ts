// The calls that explain a number: which lines it is the sum of, at one position of the ledger.
import type { Hono } from "hono";
import { findAsOf } from "#http/as-of.ts";
import { self } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  explainParams,
  explainQuery,
  explainResponse,
} from "#features/accounts/contract-explain.ts";
import { explainLedgerNumber } from "#features/accounts/queries-explain.ts";
import { explainHeldForTrades } from "#features/accounts/queries-explain-held.ts";
import type { EventExplanations } from "#features/histories.ts";

const tag = "audit";

export function addExplain(
  routes: Hono<AppEnv>,
  deps: RouteDeps & { readonly explanations: EventExplanations },
): void {
  routes.get(
    "/audit/explain/:uid",
    self("uid"),
    documented({ summary: "Explain a person's number", tag, answer: explainResponse }),
    pathParams(explainParams),
    queryString(explainQuery),
    readsFrom("account_history", "balances", "sales", "payouts", "trades"),
    async (c) => {
      const { uid } = c.req.valid("param");
      const query = c.req.valid("query");
      const asOf = await findAsOf(deps.reads, query.at, c.var.freshTo);
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
