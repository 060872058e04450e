// The calls of the marketplace: the items of everybody except the caller, with the rates of a trade, also as a file.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import {
  marketplaceExportQuery,
  marketplaceQuery,
  marketplaceResponse,
} from "#features/marketplace/contract.ts";
import { exportMarketplace, MARKETPLACE_CSV_HEAD } from "#features/marketplace/exports.ts";
import { readMarketplace } from "#features/marketplace/queries.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

const tag = "marketplace";

export function marketplaceRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/marketplace/items/export",
    signedIn,
    documentedFile({ summary: "Export the marketplace", tag, types: ["text/csv"] }),
    queryString(marketplaceExportQuery),
    readsFrom("marketplace", "trades"),
    expensiveFile,
    async (c) => {
      const lines = exportMarketplace(deps, c.var.person.uid, c.req.valid("query"));
      return answerCsvBatches(c, "marketplace.csv", MARKETPLACE_CSV_HEAD, lines);
    },
  );
  routes.get(
    "/marketplace/items",
    signedIn,
    documented({ summary: "List the marketplace", tag, answer: marketplaceResponse }),
    queryString(marketplaceQuery),
    readsFrom("marketplace", "trades"),
    expensiveSearch,
    async (c) => {
      const [page, { rates }] = await Promise.all([
        readMarketplace(deps, c.var.person.uid, c.req.valid("query")),
        readState(deps, settingsStream, STORE_SETTINGS),
      ]);
      return respondFresh(c, {
        ...page,
        shippingFeeCents: rates.tradeShippingFeeCents,
        commissionPercentage: rates.tradeCommissionPercentage,
      });
    },
  );
  return routes;
}
