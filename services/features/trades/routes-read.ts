// The reads of trades: a buyer's list, a seller's offers, one trade with its history, and the store's orders.
import { Hono } from "hono";
import { admin, signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, Person } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import type { EventExplanations } from "#features/histories.ts";
import {
  fulfillmentCountResponse,
  fulfillmentsResponse,
  myOffersQuery,
  myOffersResponse,
  myTradesQuery,
  myTradesResponse,
  trade,
  tradeHistoryResponse,
  tradeParams,
} from "#features/trades/contract.ts";
import { readTradeHistory } from "#features/trades/history.ts";
import { countWaiting, readOrders } from "#features/trades/orders.ts";
import {
  findTradeRow,
  offersOf,
  readMyOffers,
  readMyTrades,
  tradeViews,
} from "#features/trades/queries.ts";
import type { TradeRow } from "#features/trades/views.ts";

const tag = "trades";

/** `explanations` say how events read as lines of a trade. Comes after the commands: `/trades/:id` takes any other path. */
export function tradeReadRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addLists(routes, deps);
  addTrade(routes, deps, explanations);
  return routes;
}

function addLists(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { reads, searches } = deps;
  routes.get(
    "/trades/my-trades",
    signedIn,
    documented({ summary: "List the caller's trades", tag, answer: myTradesResponse }),
    queryString(myTradesQuery),
    readsFrom("trades"),
    async (c) => {
      const { cursor, limit } = c.req.valid("query");
      const { uid } = c.var.person;
      return respondFresh(c, await readMyTrades(reads, deps, uid, { cursor, limit }));
    },
  );
  routes.get(
    "/trades/offers/my-offers",
    signedIn,
    documented({ summary: "List the offers for the caller", tag, answer: myOffersResponse }),
    queryString(myOffersQuery),
    readsFrom("trades"),
    async (c) => {
      const { status, cursor, limit } = c.req.valid("query");
      const { uid } = c.var.person;
      return respondFresh(c, await readMyOffers(searches, uid, { status, cursor, limit }));
    },
  );
  routes.get(
    "/trades/fulfillments/pending",
    admin,
    documented({ summary: "List fulfillment orders", tag, answer: fulfillmentsResponse }),
    readsFrom("trades", "inventory", "balances"),
    async (c) => respondFresh(c, await readOrders(reads, deps, deps.clock())),
  );
  routes.get(
    "/trades/fulfillments/count",
    admin,
    documented({
      summary: "Count the fulfillment orders that wait",
      tag,
      answer: fulfillmentCountResponse,
    }),
    readsFrom("trades"),
    async (c) => respondFresh(c, { waiting: await countWaiting(reads) }),
  );
}

/** Whether this is the trade's buyer or an admin: everybody else learns nothing of it. */
function maySee(row: TradeRow | undefined, { uid, role }: Person): row is TradeRow {
  return row !== undefined && (role === "admin" || row.buyer_uid === uid);
}

function notFound(): HttpError {
  return new HttpError(404, "trade_not_found", "There is no such trade");
}

function addTrade(routes: Hono<AppEnv>, deps: RouteDeps, explanations: EventExplanations): void {
  const { reads } = deps;
  routes.get(
    "/trades/:id",
    signedIn,
    documented({ summary: "Show a trade", tag, answer: trade }),
    pathParams(tradeParams),
    readsFrom("trades"),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await findTradeRow(reads, id);
      if (!maySee(row, c.var.person)) {
        await refuseHeld(c, "trades", id, "This trade");
        throw notFound();
      }
      const [found] = await tradeViews(reads, deps, [row], c.var.person.role === "admin");
      if (found === undefined) {
        throw notFound();
      }
      return respondFresh(c, found);
    },
  );
  routes.get(
    "/trades/:id/history",
    signedIn,
    documented({ summary: "List what happened to a trade", tag, answer: tradeHistoryResponse }),
    pathParams(tradeParams),
    readsFrom("trades"),
    async (c) => {
      const { id } = c.req.valid("param");
      const { person } = c.var;
      const [row, offers] = await Promise.all([findTradeRow(reads, id), offersOf(reads, [id])]);
      if (!maySee(row, person)) {
        await refuseHeld(c, "trades", id, "This trade");
        throw notFound();
      }
      const sellers = new Set((offers.get(id) ?? []).map(({ seller_uid: uid }) => uid));
      const viewer = { isAdmin: person.role === "admin", sellers };
      return respondFresh(c, await readTradeHistory(reads, { ...deps, explanations }, id, viewer));
    },
  );
}
