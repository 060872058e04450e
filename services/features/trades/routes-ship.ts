// The calls that get a trade to its buyer: terms, addresses, labels, fulfillment and confirmation.
import type { Hono } from "hono";
import * as z from "zod/mini";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { admin, rehearsable, signedIn } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RowInSameTransaction } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { answerPdf } from "#http/file.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pdfForm } from "#http/pdf-form.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { actorOf } from "#features/trades/caller.ts";
import {
  changeAddressRequest,
  labelFields,
  tradeChangedResponse,
  tradeParams,
} from "#features/trades/contract.ts";
import { tradeShippingResponse, tradeTermsResponse } from "#features/trades/contract-reads.ts";
import {
  changeTradeAddress,
  confirmTrade,
  fulfillTrade,
  uploadTradeLabel,
} from "#features/trades/decider-ship.ts";
import type { Actor } from "#features/trades/found-trade.ts";
import { noTrade, readTerms, readTrade } from "#features/trades/look-ups.ts";
import { acceptedUnits } from "#features/trades/offer-terms.ts";
import type { Trade } from "#features/trades/streams.ts";
import { shortIdOf } from "#features/users/streams.ts";

const tag = "trades";

export function addShipping(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addTerms(routes, deps);
  addLabel(routes, deps);
  addAddress(routes, deps);
  addEnd(routes, deps);
}

/** The trade, for its buyer and admins. Throws 404 `trade_not_found` for others. */
async function requireTrade(deps: RouteDeps, tradeId: string, actor: Actor): Promise<Trade> {
  const trade = await readTrade(deps, tradeId);
  if (trade === null || (!actor.isAdmin && trade.buyerUid !== actor.uid)) {
    throw noTrade();
  }
  return trade;
}

function addTerms(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/trades/terms",
    signedIn,
    documented({ summary: "Show what a trade costs", tag, answer: tradeTermsResponse }),
    readsFrom("balances"),
    async (c) => {
      const { uid } = c.var.person;
      const [terms, shippingAddress] = await Promise.all([
        readTerms(deps, uid),
        deps.tradePapers.lastAddressOf(uid),
      ]);
      return respondFresh(c, { ...terms, shippingAddress });
    },
  );
  routes.get(
    "/trades/:id/shipping",
    signedIn,
    documented({ summary: "Show what a label needs", tag, answer: tradeShippingResponse }),
    pathParams(tradeParams),
    async (c) => {
      const { id } = c.req.valid("param");
      const trade = await requireTrade(deps, id, actorOf(c));
      const { shippingAddress: storeAddress } = await deps.store.details();
      return c.json({
        storeAddress: storeAddress.street === "" ? null : storeAddress,
        shortId: shortIdOf(trade.buyerUid),
        reference: shortTradeId(id),
        shippingAddress: await deps.tradePapers.findAddress(trade.addressId),
        units: acceptedUnits(trade.offers),
        labelOwedBy: trade.providesOwnShipping ? ("buyer" as const) : ("store" as const),
      });
    },
  );
}

const labelForm = z.extend(labelFields, { label: z.file("Please select a label file") });

function addLabel(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/:id/shipping-label",
    rehearsable(signedIn),
    documented({ summary: "Upload a trade's shipping label", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    pdfForm(deps, labelForm),
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const { label, trackingNumber, carrier } = c.req.valid("form");
      const actor = actorOf(c);
      // The label belongs to the buyer, no matter who uploads it, so it is erased with the buyer.
      const { buyerUid: uid } = await requireTrade(deps, tradeId, actor);
      const labelId = deps.newId();
      const bytes = new Uint8Array(await label.arrayBuffer());
      const file = deps.labels.prepare({ id: labelId, ownerUid: uid, bytes });
      const row: RowInSameTransaction = {
        ...file,
        write: async (transaction) => {
          await file.write(transaction);
          await deps.tradePapers.keepTracking(transaction, { id: labelId, uid, trackingNumber });
        },
      };
      const command = { tradeId, actor, labelId, carrier, happenedAt: now(deps) };
      const answer = await runCommand(c, deps.ledger, uploadTradeLabel, command, row);
      const { voidedLabelId, ...changed } = answer;
      await discard(deps, voidedLabelId);
      return c.json({ message: "Shipping label uploaded successfully!", ...changed });
    },
  );
  routes.get(
    "/trades/:id/label",
    signedIn,
    documentedFile({ summary: "Show a trade's label", tag, types: ["application/pdf"] }),
    pathParams(tradeParams),
    async (c) => {
      const { id } = c.req.valid("param");
      const { labelId } = await requireTrade(deps, id, actorOf(c));
      const opened = labelId === null ? null : await deps.labels.open(labelId);
      if (opened === null) {
        throw new HttpError(404, "label_not_found", "This trade has no label");
      }
      return answerPdf(c, `label-${shortTradeId(id)}.pdf`, opened.bytes);
    },
  );
}

function now(deps: RouteDeps): string {
  return deps.clock().toISOString();
}

/** A label that no longer counts cannot be read any more. What a crash leaves behind here is removed later, by its age. */
async function discard({ sql, labels }: RouteDeps, labelId: string | null): Promise<void> {
  if (labelId !== null) {
    await sql.begin((transaction) => labels.discard(transaction, labelId));
  }
}

function addAddress(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/trades/:id/address",
    rehearsable(signedIn),
    documented({ summary: "Change a trade's address", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    jsonBody(changeAddressRequest),
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const actor = actorOf(c);
      const { buyerUid: uid } = await requireTrade(deps, tradeId, actor);
      const addressId = deps.newId();
      const address = { id: addressId, uid, address: c.req.valid("json").shippingAddress };
      const command = { tradeId, actor, addressId, happenedAt: now(deps) };
      const answer = await runCommand(c, deps.ledger, changeTradeAddress, command, {
        id: addressId,
        write: (transaction) => deps.tradePapers.keepAddress(transaction, address),
      });
      const { voidedLabelId, ...changed } = answer;
      await discard(deps, voidedLabelId);
      return c.json({ message: "Shipping address changed", ...changed });
    },
  );
}

function addEnd(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/trades/:id/fulfill",
    rehearsable(admin),
    documented({ summary: "Mark a trade as fulfilled", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    noBody,
    async (c) => {
      const command = { tradeId: c.req.valid("param").id, happenedAt: now(deps) };
      const answer = await runCommand(c, deps.ledger, fulfillTrade, command);
      return c.json({ message: "Trade fulfilled", ...answer });
    },
  );
  routes.post(
    "/trades/:id/confirm",
    rehearsable(signedIn),
    documented({ summary: "Confirm that the goods arrived", tag, answer: tradeChangedResponse }),
    pathParams(tradeParams),
    noBody,
    async (c) => {
      const tradeId = c.req.valid("param").id;
      const command = { tradeId, actorUid: c.var.person.uid, happenedAt: now(deps) };
      const answer = await runCommand(c, deps.ledger, confirmTrade, command);
      return c.json({ message: "Trade completed", ...answer });
    },
  );
}
