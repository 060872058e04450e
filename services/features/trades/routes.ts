// The calls about trades: requests and answers here, shipping and problems in files of their own.
import { Hono } from "hono";
import { rehearsable, signedIn } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { readsFrom } from "#http/freshness.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { actorOf } from "#features/trades/caller.ts";
import type { OfferChangedResponse } from "#features/trades/contract.ts";
import {
  acceptOfferRequest,
  cancelTradeRequest,
  counterOfferRequest,
  declineOfferRequest,
  offerChangedResponse,
  offerParams,
  raiseTradeRequest,
  requestTradeRequest,
  requestTradeResponse,
  tradeChangedResponse,
  tradeParams,
} from "#features/trades/contract.ts";
import { acceptOffer, declineOffer } from "#features/trades/decider-answer.ts";
import { cancelTrade, closeTrade } from "#features/trades/decider-cancel.ts";
import { counterOffer, raiseTrade, takeCounterBack } from "#features/trades/decider-counter.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import type { OfferAnswer } from "#features/trades/found-trade.ts";
import { findSellers, readTrade } from "#features/trades/look-ups.ts";
import { addProblems } from "#features/trades/routes-problem.ts";
import { addShipping } from "#features/trades/routes-ship.ts";

const tag = "trades";

export function tradeRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addRequest(routes, deps);
  addAnswers(routes, deps);
  addCounters(routes, deps);
  addChangesOfMind(routes, deps);
  addShipping(routes, deps);
  addProblems(routes, deps);
  return routes;
}

function addRequest(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/request",
    rehearsable(signedIn),
    documented({ summary: "Request a trade", tag, answer: requestTradeResponse }),
    jsonBody(requestTradeRequest),
    // So that an item that just came in is found. A seller whose row is held back is not asked, but nobody else waits.
    readsFrom("inventory"),
    async (c) => {
      const asked = c.req.valid("json");
      const { itemBarcode: barcode1, quantity, pricePerItem, providesOwnShipping } = asked;
      const buyerUid = c.var.person.uid;
      const { sellers, ...item } = await findSellers(deps.sql, buyerUid, asked);
      const [tradeId, addressId] = [deps.newId(), deps.newId()];
      const command = {
        tradeId,
        buyerUid,
        barcode1,
        quantity,
        pricePerItem,
        providesOwnShipping,
        addressId,
        ...item,
        sellers,
        happenedAt: deps.clock().toISOString(),
      };
      const address = { id: addressId, uid: buyerUid, address: asked.shippingAddress };
      const answer = await runCommand(c, deps.ledger, requestTrade, command, {
        id: addressId,
        write: (transaction) => deps.tradePapers.keepAddress(transaction, address),
      });
      const { offers, totalCents: totalCost } = answer;
      return c.json({ message: "Trade requested", tradeId: answer.tradeId, offers, totalCost });
    },
  );
}

function offerResponse(message: string, answer: OfferAnswer): OfferChangedResponse {
  const { offerId, tradeId, status, tradeStatus } = answer;
  return {
    message,
    offerId,
    tradeId,
    status,
    tradeStatus,
    acceptedQuantity: answer.acceptedUnits,
    totalValue: answer.acceptedCents,
  };
}

function addAnswers(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/offers/:id/accept",
    rehearsable(signedIn),
    documented({ summary: "Accept an offer", tag, answer: offerChangedResponse }),
    pathParams(offerParams),
    jsonBody(acceptOfferRequest),
    async (c) => {
      const { pricePerItem = null, quantity = null } = c.req.valid("json");
      const answer = await runCommand(c, deps.ledger, acceptOffer, {
        offerId: c.req.valid("param").id,
        actorUid: c.var.person.uid,
        pricePerItem,
        quantity,
        happenedAt: deps.clock().toISOString(),
      });
      if (answer.status === "no_stock") {
        // The ledger took the command: it closed the offer.
        const message = "There are none left in stock, so this offer was closed";
        throw new HttpError(409, "no_stock", message, { current: { status: answer.status } });
      }
      return c.json(offerResponse("Offer accepted successfully!", answer));
    },
  );
  routes.post(
    "/trades/offers/:id/decline",
    rehearsable(signedIn),
    documented({ summary: "Decline an offer", tag, answer: offerChangedResponse }),
    pathParams(offerParams),
    jsonBody(declineOfferRequest),
    async (c) => {
      const { pricePerItem: shownPricePerItem = null } = c.req.valid("json");
      const answer = await runCommand(c, deps.ledger, declineOffer, {
        offerId: c.req.valid("param").id,
        actorUid: c.var.person.uid,
        shownPricePerItem,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json(offerResponse("Offer declined", answer));
    },
  );
}

function addCounters(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/offers/:id/counter",
    rehearsable(signedIn),
    documented({ summary: "Counter an offer", tag, answer: offerChangedResponse }),
    pathParams(offerParams),
    jsonBody(counterOfferRequest),
    async (c) => {
      const { counterPrice, quantity = null, pricePerItem = null } = c.req.valid("json");
      const answer = await runCommand(c, deps.ledger, counterOffer, {
        offerId: c.req.valid("param").id,
        actorUid: c.var.person.uid,
        pricePerItem: counterPrice,
        quantity,
        shownPricePerItem: pricePerItem,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json(offerResponse("Counter offer sent!", answer));
    },
  );
  routes.delete(
    "/trades/offers/:id/counter",
    rehearsable(signedIn),
    documented({ summary: "Take a counter offer back", tag, answer: offerChangedResponse }),
    pathParams(offerParams),
    noBody,
    async (c) => {
      const answer = await runCommand(c, deps.ledger, takeCounterBack, {
        offerId: c.req.valid("param").id,
        actorUid: c.var.person.uid,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json(offerResponse("Counter offer taken back", answer));
    },
  );
}

function addChangesOfMind(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/:id/raise",
    rehearsable(signedIn),
    documented({ summary: "Raise the price of a trade", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    jsonBody(raiseTradeRequest),
    async (c) => {
      const answer = await runCommand(c, deps.ledger, raiseTrade, {
        tradeId: c.req.valid("param").id,
        actorUid: c.var.person.uid,
        pricePerItem: c.req.valid("json").pricePerItem,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json({ message: "Price raised", ...answer });
    },
  );
  routes.post(
    "/trades/:id/close",
    rehearsable(signedIn),
    documented({
      summary: "Withdraw the open offers of a trade",
      tag,
      answer: tradeChangedResponse,
    }),
    pathParams(tradeParams),
    noBody,
    async (c) => {
      const answer = await runCommand(c, deps.ledger, closeTrade, {
        tradeId: c.req.valid("param").id,
        actorUid: c.var.person.uid,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json({ message: "Open offers withdrawn", ...answer });
    },
  );
  routes.post(
    "/trades/:id/cancel",
    rehearsable(signedIn),
    documented({ summary: "Cancel a trade", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    jsonBody(cancelTradeRequest),
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const trade = await readTrade(deps, tradeId);
      const note = await noteOf(c, deps, c.req.valid("json").reason, trade?.buyerUid ?? null);
      const answer = await runCommand(
        c,
        deps.ledger,
        cancelTrade,
        {
          tradeId,
          actor: actorOf(c),
          noteId: note?.id ?? null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json({ message: "Trade cancelled", ...answer });
    },
  );
}
