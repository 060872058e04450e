// The reads of trades: a buyer's list, a seller's offers, one trade with its history, and the store's orders.
import type { Context } from "hono";
import { Hono } from "hono";
import { admin, signedIn } from "#http/access.ts";
import { findAsOf } from "#http/as-of.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, FreshEnv, Person, SignedInEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import type { Reads } from "#http/reads.ts";
import { inStoreDays } from "#http/store-period.ts";
import { pathParams, queryString } from "#http/validate.ts";
import type { EventExplanations } from "#features/histories.ts";
import { tradeAsOfQuery, tradeParams } from "#features/trades/contract.ts";
import {
  fulfillmentCountResponse,
  fulfillmentsResponse,
} from "#features/trades/contract-orders.ts";
import {
  myOffersCountQuery,
  myOffersCountResponse,
  myOffersQuery,
  myOffersResponse,
  myTradesQuery,
  myTradesResponse,
  openedTrade,
  tradeHistoryResponse,
} from "#features/trades/contract-reads.ts";
import type { Viewer } from "#features/trades/history.ts";
import { waitingAnswersResponse } from "#features/trades/contract-badge.ts";
import { heldItemParams, heldItemResponse } from "#features/trades/contract-held.ts";
import { readTradeHistory } from "#features/trades/history.ts";
import { countWaiting, readOrders } from "#features/trades/orders.ts";
import {
  countAnswers,
  findTradeRow,
  countMyOffers,
  offersOf,
  readMyOffers,
  readMyTrades,
  tradeViews,
} from "#features/trades/queries.ts";
import type { PastTrade } from "#features/trades/past-trade.ts";
import { readHeldItem } from "#features/trades/queries-held.ts";
import { readPastTrade } from "#features/trades/queries-past.ts";
import { addExports, addPersonsTrades } from "#features/trades/routes-lists.ts";
import type { OfferRow, TradeRow } from "#features/trades/views.ts";
import { noTrade } from "#features/trades/look-ups.ts";
import { sellersTradeView } from "#features/trades/views.ts";
import type { Moment } from "#ledger/fields.ts";

const tag = "trades";

/** `explanations` say how events read as lines of a trade. Comes after the commands: `/trades/:id` takes any other path. */
export function tradeReadRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addLists(routes, deps);
  addExports(routes, deps);
  addPersonsTrades(routes, deps);
  addHeldItem(routes, deps);
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
    inStoreDays(deps),
    readsFrom("trades"),
    async (c) => {
      const query = c.req.valid("query");
      return respondFresh(c, await readMyTrades(searches, deps, c.var.person.uid, query));
    },
  );
  routes.get(
    "/trades/offers/my-offers",
    signedIn,
    documented({ summary: "List the offers for the caller", tag, answer: myOffersResponse }),
    queryString(myOffersQuery),
    inStoreDays(deps),
    readsFrom("trades"),
    async (c) => {
      const query = c.req.valid("query");
      return respondFresh(c, await readMyOffers(searches, c.var.person.uid, query));
    },
  );
  routes.get(
    "/trades/offers/my-offers/count",
    signedIn,
    documented({
      summary: "Count the open offers for the caller",
      tag,
      answer: myOffersCountResponse,
    }),
    queryString(myOffersCountQuery),
    inStoreDays(deps),
    readsFrom("trades"),
    async (c) =>
      respondFresh(c, await countMyOffers(searches, c.var.person.uid, c.req.valid("query"))),
  );
  routes.get(
    "/trades/offers/count",
    signedIn,
    documented({
      summary: "Count what waits for the caller's answer",
      tag,
      answer: waitingAnswersResponse,
    }),
    readsFrom("trades"),
    async (c) => respondFresh(c, await countAnswers(reads, c.var.person.uid)),
  );
  routes.get(
    "/trades/fulfillments/pending",
    admin,
    documented({ summary: "List fulfillment orders", tag, answer: fulfillmentsResponse }),
    readsFrom("trades", "inventory", "balances"),
    async (c) => respondFresh(c, await readOrders(reads, deps)),
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

function addHeldItem(routes: Hono<AppEnv>, { reads, profiles }: RouteDeps): void {
  routes.get(
    "/trades/holding/:itemId",
    admin,
    documented({
      summary: "List the acceptances that hold units of an item",
      tag,
      answer: heldItemResponse,
    }),
    pathParams(heldItemParams),
    readsFrom("inventory", "trades"),
    async (c) => {
      const { itemId } = c.req.valid("param");
      await refuseHeld(c, "inventory", itemId, "This item");
      const held = await readHeldItem(reads, profiles, itemId);
      if (held === undefined) {
        throw notFound("item_not_found", "There is no such item");
      }
      return respondFresh(c, held);
    },
  );
}

/** What a person is to a trade: a seller has an offer of it. Null: the trade does not concern this person. */
function sideOf(
  row: TradeRow,
  offers: readonly OfferRow[],
  { uid, role }: Person,
): Viewer["side"] | null {
  if (role === "admin") {
    return "store";
  }
  if (row.buyer_uid === uid) {
    return "buyer";
  }
  return offers.some(({ seller_uid: seller }) => seller === uid) ? "seller" : null;
}

/** The trade with its offers, for whom it concerns. Everybody else learns nothing of it: throws HttpError 404. */
async function findSeen(c: Pick<Context<FreshEnv & SignedInEnv>, "var">, reads: Reads, id: string) {
  const [row, found] = await Promise.all([findTradeRow(reads, id), offersOf(reads, [id])]);
  const offers = found.get(id) ?? [];
  const side = row === undefined ? null : sideOf(row, offers, c.var.person);
  if (row === undefined || side === null) {
    await refuseHeld(c, "trades", id, "This trade");
    throw noTrade();
  }
  return { row, offers, side };
}

/** The last position that counts; null for the trade as it is now. Throws HttpError 400 for one that is not there yet. */
async function throughOf(
  { var: { freshTo } }: Pick<Context<FreshEnv>, "var">,
  deps: RouteDeps,
  at: Moment | undefined,
): Promise<number | null> {
  return at === undefined ? null : (await findAsOf(deps, at, freshTo)).position;
}

/** Throws HttpError 404 for a trade that was not requested by then. */
async function findPast(
  { reads, readEvent }: RouteDeps,
  id: string,
  through: number,
): Promise<PastTrade> {
  const past = await readPastTrade(reads, readEvent, id, through);
  if (past === null) {
    throw noTrade();
  }
  return past;
}

function addTrade(routes: Hono<AppEnv>, deps: RouteDeps, explanations: EventExplanations): void {
  const { reads } = deps;
  routes.get(
    "/trades/:id",
    signedIn,
    documented({ summary: "Show a trade", tag, answer: openedTrade }),
    pathParams(tradeParams),
    queryString(tradeAsOfQuery),
    readsFrom("trades"),
    async (c) => {
      const { id } = c.req.valid("param");
      const seen = await findSeen(c, reads, id);
      const through = await throughOf(c, deps, c.req.valid("query").at);
      const { side } = seen;
      const { row, offers } = through === null ? seen : await findPast(deps, id, through);
      const own = offers.find(({ seller_uid: seller }) => seller === c.var.person.uid);
      if (side === "seller" && own !== undefined) {
        return respondFresh(c, sellersTradeView(row, own));
      }
      const [found] = await tradeViews(
        reads,
        deps,
        [row],
        side === "store",
        new Map([[id, offers]]),
      );
      if (found === undefined) {
        throw noTrade();
      }
      return respondFresh(c, { ...found, seenAs: side });
    },
  );
  routes.get(
    "/trades/:id/history",
    signedIn,
    documented({ summary: "List what happened to a trade", tag, answer: tradeHistoryResponse }),
    pathParams(tradeParams),
    queryString(tradeAsOfQuery),
    readsFrom("trades"),
    async (c) => {
      const { id } = c.req.valid("param");
      const { row, offers, side } = await findSeen(c, reads, id);
      const through = await throughOf(c, deps, c.req.valid("query").at);
      const viewer = {
        through: through ?? Number.MAX_SAFE_INTEGER,
        uid: c.var.person.uid,
        side,
        buyerUid: row.buyer_uid,
        sellers: offers.map(({ seller_uid: seller }) => seller),
      };
      return respondFresh(c, await readTradeHistory(reads, { ...deps, explanations }, id, viewer));
    },
  );
}
