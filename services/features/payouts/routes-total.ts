// The call that sums up what a consignor was paid: here, and before in the old app.
import { Hono } from "hono";
import { self } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams } from "#http/validate.ts";
import { payoutHistoryParams, totalPayoutsResponse } from "#features/payouts/contract.ts";
import { readTotalPaid } from "#features/payouts/queries.ts";
import type { Cents } from "#ledger/money.ts";
import { toDollars } from "#ledger/money.ts";

/** `readPaidBefore` is what the migration noted. */
export function totalPayoutRoutes(
  deps: RouteDeps,
  readPaidBefore: (deps: RouteDeps, uid: string) => Promise<Cents>,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/sales/total-payouts/:id",
    self("id"),
    documented({
      summary: "Sum up a consignor's paid payouts",
      tag: "payouts",
      answer: totalPayoutsResponse,
    }),
    pathParams(payoutHistoryParams),
    readsFrom("payouts"),
    async (c) => {
      const { id } = c.req.valid("param");
      const [totalPayouts, before] = await Promise.all([
        readTotalPaid(deps.reads, id),
        readPaidBefore(deps, id),
      ]);
      return respondFresh(c, { totalPayouts, paidInOldApp: toDollars(before) });
    },
  );
  return routes;
}
