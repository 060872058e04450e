// The lists of trades as CSV files, and one person's trades for admins.
import type { Hono } from "hono";
import { admin, signedIn } from "#http/access.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { inStoreDays } from "#http/store-period.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { tradeUserParams } from "#features/trades/contract.ts";
import { ordersExportQuery } from "#features/trades/contract-orders.ts";
import {
  myOffersExportQuery,
  myOffersQuery,
  myOffersResponse,
  myTradesExportQuery,
  myTradesQuery,
  myTradesResponse,
} from "#features/trades/contract-reads.ts";
import {
  exportOffers,
  exportOrders,
  exportTrades,
  OFFER_CSV_HEAD,
  ORDER_CSV_HEAD,
  TRADE_CSV_HEAD,
} from "#features/trades/exports.ts";
import { readMyOffers, readMyTrades } from "#features/trades/queries.ts";

const tag = "trades";
const types = ["text/csv"] as const;

export function addExports(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { reads, searches } = deps;
  routes.get(
    "/trades/my-trades/export",
    signedIn,
    documentedFile({ summary: "Export the caller's trades", tag, types }),
    queryString(myTradesExportQuery),
    inStoreDays(deps),
    readsFrom("trades"),
    expensiveFile,
    async (c) => {
      const lines = exportTrades(searches, deps, c.var.person.uid, c.req.valid("query"));
      return answerCsvBatches(c, "trades.csv", TRADE_CSV_HEAD, lines);
    },
  );
  routes.get(
    "/trades/offers/my-offers/export",
    signedIn,
    documentedFile({ summary: "Export the offers for the caller", tag, types }),
    queryString(myOffersExportQuery),
    inStoreDays(deps),
    readsFrom("trades"),
    expensiveFile,
    async (c) => {
      const lines = exportOffers(searches, c.var.person.uid, c.req.valid("query"));
      return answerCsvBatches(c, "offers.csv", OFFER_CSV_HEAD, lines);
    },
  );
  routes.get(
    "/trades/fulfillments/export",
    admin,
    documentedFile({ summary: "Export fulfillment orders", tag, types }),
    queryString(ordersExportQuery),
    readsFrom("trades", "inventory", "balances"),
    expensiveFile,
    async (c) => {
      const lines = exportOrders(reads, deps, c.req.valid("query"));
      return answerCsvBatches(c, "fulfillment-orders.csv", ORDER_CSV_HEAD, lines);
    },
  );
}

export function addPersonsTrades(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { searches } = deps;
  routes.get(
    "/trades/users/:userId/requests",
    admin,
    documented({ summary: "List a person's trades as buyer", tag, answer: myTradesResponse }),
    pathParams(tradeUserParams),
    queryString(myTradesQuery),
    inStoreDays(deps),
    readsFrom("trades"),
    async (c) => {
      const asked = { ...c.req.valid("query"), isAdmin: true };
      const { userId } = c.req.valid("param");
      return respondFresh(c, await readMyTrades(searches, deps, userId, asked));
    },
  );
  routes.get(
    "/trades/users/:userId/offers",
    admin,
    documented({ summary: "List a person's offers as seller", tag, answer: myOffersResponse }),
    pathParams(tradeUserParams),
    queryString(myOffersQuery),
    inStoreDays(deps),
    readsFrom("trades"),
    async (c) => {
      const { userId } = c.req.valid("param");
      return respondFresh(c, await readMyOffers(searches, userId, c.req.valid("query")));
    },
  );
}
