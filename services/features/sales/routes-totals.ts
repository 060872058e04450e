// The calls that sum filtered sales, and explain such a sum.
import type { Hono } from "hono";
import { admin, self } from "#http/access.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import type { ZoneSpan } from "#http/store-days.ts";
import { onlyZone } from "#http/store-days.ts";
import { inStoreDays } from "#http/store-period.ts";
import { isTimeZone } from "#http/time-zones.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { saleHistoryParams } from "#features/sales/contract.ts";
import {
  ownSoldExplainQuery,
  saleHistoryTotalsQuery,
  saleHistoryTotalsResponse,
  saleTotalsQuery,
  saleTotalsResponse,
  soldExplainQuery,
  soldExplainResponse,
} from "#features/sales/contract-totals.ts";
import { explainSold, readTotals } from "#features/sales/queries-totals.ts";

const tag = "sales";

export function addTotals(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { searches, store } = deps;
  routes.get(
    "/sales/totals",
    admin,
    documented({ summary: "Sum the filtered sales", tag, answer: saleTotalsResponse }),
    queryString(saleTotalsQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveSearch,
    async (c) => {
      const { consignor, ...query } = c.req.valid("query");
      const totals = await readTotals(searches, { ...query, consignorId: consignor });
      return respondFresh(c, { totals });
    },
  );
  routes.get(
    "/sales/totals/explain",
    admin,
    documented({ summary: "Explain a sum of sales", tag, answer: soldExplainResponse }),
    queryString(soldExplainQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveSearch,
    async (c) => {
      const { consignor, number, timeZone, ...query } = c.req.valid("query");
      const zones = await zonesFor(store, timeZone);
      const asked = { ...query, consignorId: consignor };
      return respondFresh(c, await explainSold(searches, asked, number, zones));
    },
  );
  addOwnTotals(routes, deps);
}

/** What a consignor sees of their own sales. */
function addOwnTotals(
  routes: Hono<AppEnv>,
  deps: Pick<RouteDeps, "reads" | "searches" | "store">,
): void {
  const { searches, store } = deps;
  routes.get(
    "/sales/history/:id/totals/explain",
    self("id"),
    documented({
      summary: "Explain a sum of a consignor's sales",
      tag,
      answer: soldExplainResponse,
    }),
    pathParams(saleHistoryParams),
    queryString(ownSoldExplainQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveSearch,
    async (c) => {
      const { number, timeZone, ...query } = c.req.valid("query");
      const zones = await zonesFor(store, timeZone);
      const asked = { ...query, consignorId: c.req.valid("param").id };
      return respondFresh(c, await explainSold(searches, asked, number, zones));
    },
  );
  routes.get(
    "/sales/history/:id/totals",
    self("id"),
    documented({
      summary: "Sum a consignor's filtered sales",
      tag,
      answer: saleHistoryTotalsResponse,
    }),
    pathParams(saleHistoryParams),
    queryString(saleHistoryTotalsQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveSearch,
    async (c) => {
      const query = { ...c.req.valid("query"), consignorId: c.req.valid("param").id };
      const {
        salesTax: _tax,
        storeAmount: _store,
        unpricedSales: _unpriced,
        ...totals
      } = await readTotals(searches, query);
      return respondFresh(c, { totals });
    },
  );
}

/** Throws HttpError 400 for what is not a region's name: PostgreSQL reads "+05:30" as west of Greenwich. */
async function zonesFor(
  store: RouteDeps["store"],
  timeZone: string | undefined,
): Promise<readonly ZoneSpan[]> {
  if (timeZone === undefined) {
    return store.zones();
  }
  if (!isTimeZone(timeZone)) {
    throw badRequest("unknown_time_zone", "There is no such time zone", "timeZone");
  }
  return onlyZone(timeZone);
}
