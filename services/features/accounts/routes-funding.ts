// The calls that follow money: from a payout to the sales that funded it, and from a sale to what it paid for.
import type { Context, Hono } from "hono";
import { self, signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, FreshEnv, SignedInEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { withTables } from "#http/reads.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  fundedLineParams,
  fundedPayoutParams,
  fundingQuery,
  fundingResponse,
  paidByResponse,
  paidSaleParams,
} from "#features/accounts/contract-funding.ts";
import { lineAt } from "#features/accounts/queries-flows.ts";
import { readFunding } from "#features/accounts/queries-funding.ts";
import { paidNobody, readPaidBy } from "#features/accounts/queries-paid-by.ts";
import type { EventExplanations } from "#features/histories.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { salesTable } from "#features/sales/projection.ts";

const tag = "audit";
const inTables = withTables(payoutsTable, salesTable);

type FundingRoutes = RouteDeps & { readonly explanations: EventExplanations };
type Asked = Pick<Context<FreshEnv & SignedInEnv>, "var">;

/** Whether this person may ask about that one's money. */
function mayAsk({ var: { person } }: Asked, uid: string | null): boolean {
  return person.role === "admin" || person.uid === uid;
}

export function addFunding(routes: Hono<AppEnv>, deps: FundingRoutes): void {
  addPayout(routes, deps);
  addLine(routes, deps);
  addSale(routes, deps);
}

function addPayout(routes: Hono<AppEnv>, deps: FundingRoutes): void {
  routes.get(
    "/audit/payouts/:payoutID/funding",
    signedIn,
    documented({ summary: "Show what funded a payout", tag, answer: fundingResponse }),
    pathParams(fundedPayoutParams),
    queryString(fundingQuery),
    readsFrom("account_history", "payouts"),
    expensiveSearch,
    async (c) => {
      const { payoutID } = c.req.valid("param");
      await refuseHeld(c, "payouts", payoutID, "This payout");
      const payout = await inTables(deps.reads)
        .selectFrom("read.payouts")
        .select(["consignor_uid", "position"])
        .where("payout_id", "=", payoutID)
        .executeTakeFirst();
      if (payout === undefined || !mayAsk(c, payout.consignor_uid)) {
        throw notFound("payout_not_found", "There is no such payout");
      }
      const { consignor_uid: uid, position } = payout;
      await refuseHeld(c, "account_history", uid, "This account");
      const line = await lineAt(deps.reads, uid, position);
      const funding = await readFunding(deps, uid, line, c.var.freshTo, c.req.valid("query"));
      if (funding === undefined) {
        throw notFound("payout_not_found", "There is no such payout");
      }
      return respondFresh(c, funding);
    },
  );
}

function addLine(routes: Hono<AppEnv>, deps: FundingRoutes): void {
  routes.get(
    "/audit/funding/:uid/:line",
    self("uid"),
    documented({ summary: "Show what paid for a ledger line", tag, answer: fundingResponse }),
    pathParams(fundedLineParams),
    queryString(fundingQuery),
    readsFrom("account_history", "payouts"),
    expensiveSearch,
    async (c) => {
      const { uid, line } = c.req.valid("param");
      await refuseHeld(c, "account_history", uid, "This account");
      const funding = await readFunding(deps, uid, line, c.var.freshTo, c.req.valid("query"));
      if (funding === undefined) {
        throw notFound("line_not_found", "There is no such line that took money");
      }
      return respondFresh(c, funding);
    },
  );
}

function addSale(routes: Hono<AppEnv>, deps: FundingRoutes): void {
  routes.get(
    "/audit/sales/:saleID/paid-by",
    signedIn,
    documented({ summary: "Show what a sale's money paid for", tag, answer: paidByResponse }),
    pathParams(paidSaleParams),
    readsFrom("account_history", "sales", "payouts"),
    expensiveSearch,
    async (c) => {
      const { saleID } = c.req.valid("param");
      await refuseHeld(c, "sales", saleID, "This sale");
      const sale = await inTables(deps.reads)
        .selectFrom("read.sales")
        .select(["consignor_id", "item_id"])
        .where("sale_id", "=", saleID)
        .executeTakeFirst();
      if (sale === undefined || !mayAsk(c, sale.consignor_id)) {
        throw notFound("sale_not_found", "There is no such sale");
      }
      const { consignor_id: consignorID, item_id: itemID } = sale;
      if (consignorID === null) {
        return respondFresh(c, paidNobody(saleID, itemID));
      }
      await refuseHeld(c, "account_history", consignorID, "This account");
      const answer = await readPaidBy(deps, { saleID, consignorID, itemID }, c.var.freshTo);
      return respondFresh(c, answer);
    },
  );
}
