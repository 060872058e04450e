// The calls for what goes wrong with a trade: a cancelled acceptance before fulfillment, reports and refunds after it.
import type { Hono } from "hono";
import { admin, rehearsable, signedIn } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { actorOf } from "#features/trades/caller.ts";
import {
  cancelAcceptanceRequest,
  closeReportRequest,
  refundTradeRequest,
  reportTradeRequest,
  tradeChangedResponse,
  tradeOfferParams,
  tradeParams,
} from "#features/trades/contract.ts";
import { cancelAcceptance } from "#features/trades/decider-cancel.ts";
import { closeReport, refundTrade, reportTrade } from "#features/trades/decider-problem.ts";
import { readTrade } from "#features/trades/look-ups.ts";

const tag = "trades";

export function addProblems(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addCancelledAcceptance(routes, deps);
  addReports(routes, deps);
  addRefund(routes, deps);
}

/** A reason about a trade is one about its buyer. */
async function buyerOf(deps: RouteDeps, tradeId: string): Promise<string | null> {
  return (await readTrade(deps, tradeId))?.buyerUid ?? null;
}

function addCancelledAcceptance(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/:id/offers/:offerId/cancel",
    rehearsable(admin),
    documented({ summary: "Cancel one acceptance", tag, answer: tradeChangedResponse }),
    pathParams(tradeOfferParams),
    jsonBody(cancelAcceptanceRequest),
    async (c) => {
      const { id: tradeId, offerId } = c.req.valid("param");
      const { units = null, itemId = null, as, reason } = c.req.valid("json");
      const note = await noteOf(c, deps, reason, await buyerOf(deps, tradeId));
      const happenedAt = deps.clock().toISOString();
      const noteId = note?.id ?? null;
      const command = { tradeId, offerId, units, itemId, as, noteId, happenedAt };
      const answer = await runCommand(c, deps.ledger, cancelAcceptance, command, note);
      return c.json({ message: "Acceptance cancelled", ...answer });
    },
  );
}

function addReports(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/:id/report",
    rehearsable(signedIn),
    documented({ summary: "Report a problem with a trade", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    jsonBody(reportTradeRequest),
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const { kind, description } = c.req.valid("json");
      const actorUid = c.var.person.uid;
      const note = await noteOf(c, deps, description, actorUid);
      const happenedAt = deps.clock().toISOString();
      const command = { tradeId, actorUid, kind, noteId: note?.id ?? null, happenedAt };
      const answer = await runCommand(c, deps.ledger, reportTrade, command, note);
      return c.json({ message: "Problem reported", ...answer });
    },
  );
  routes.delete(
    "/trades/:id/report",
    rehearsable(signedIn),
    documented({ summary: "Take back or turn down a report", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    jsonBody(closeReportRequest),
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const { reason } = c.req.valid("json");
      const note = await noteOf(c, deps, reason, await buyerOf(deps, tradeId));
      const happenedAt = deps.clock().toISOString();
      const command = { tradeId, actor: actorOf(c), noteId: note?.id ?? null, happenedAt };
      const answer = await runCommand(c, deps.ledger, closeReport, command, note);
      return c.json({ message: "Report closed", ...answer });
    },
  );
}

function addRefund(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/:id/refund",
    rehearsable(admin),
    documented({ summary: "Refund a fulfilled trade", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    jsonBody(refundTradeRequest),
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const { offerId = null, reason, ...refund } = c.req.valid("json");
      const note = await noteOf(c, deps, reason, await buyerOf(deps, tradeId));
      const happenedAt = deps.clock().toISOString();
      const command = { ...refund, tradeId, offerId, noteId: note?.id ?? null, happenedAt };
      const answer = await runCommand(c, deps.ledger, refundTrade, command, note);
      return c.json({ message: "Trade refunded", ...answer });
    },
  );
}
