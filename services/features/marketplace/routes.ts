// The call of the marketplace: everybody's items but the caller's own, and the rates of a trade.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { dearSearch } from "#http/dear-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import { marketplaceQuery, marketplaceResponse } from "#features/marketplace/contract.ts";
import { readMarketplace } from "#features/marketplace/queries.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

export function marketplaceRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/marketplace/items",
    signedIn,
    documented({
      summary: "List the marketplace",
      tag: "marketplace",
      answer: marketplaceResponse,
    }),
    queryString(marketplaceQuery),
    readsFrom("marketplace", "trades"),
    dearSearch,
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
