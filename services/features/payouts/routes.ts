// The calls about payouts: a consignor requests one, an admin marks it as paid or deletes it, and both see its status.
import { Hono } from "hono";
import { admin, rehearsable, self } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import { requireConfirmed } from "#http/confirmed.ts";
import { expensiveFile } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { requireProfile } from "#http/known-person.ts";
import { jsonBody, noBody, pathParams, queryString } from "#http/validate.ts";
import {
  markPaidRequest,
  payoutHistoryExportQuery,
  payoutHistoryParams,
  payoutHistoryQuery,
  payoutHistoryResponse,
  payoutParams,
  payoutSettledResponse,
  payoutUserParams,
  pendingExportQuery,
  pendingQuery,
  pendingResponse,
  requestPayoutRequest,
  requestPayoutResponse,
} from "#features/payouts/contract.ts";
import type { PayoutSettledResponse } from "#features/payouts/contract.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import type { DeletePayout, PayoutAnswer } from "#features/payouts/decider.ts";
import {
  exportHistory,
  exportPending,
  HISTORY_CSV_HEAD,
  PENDING_CSV_HEAD,
  readHistory,
  readPending,
} from "#features/payouts/queries.ts";
import { runWithHandle } from "#features/payouts/named-handle.ts";
import { addPaymentInfo } from "#features/payouts/routes-handles.ts";
import { addChangesOfRequests } from "#features/payouts/routes-requests.ts";
import { addSettled } from "#features/payouts/routes-settled.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { profilesFor } from "#identity/profiles.ts";

const tag = "payouts";

export function payoutRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addRequest(routes, deps);
  addSettlements(routes, deps);
  addChangesOfRequests(routes, deps);
  addSettled(routes, deps);
  addPaymentInfo(routes, deps);
  addReads(routes, deps);
  return routes;
}

function addRequest(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/payouts/:userId/request",
    rehearsable(self("userId")),
    documented({ summary: "Request a payout", tag, answer: requestPayoutResponse }),
    pathParams(payoutUserParams),
    jsonBody(requestPayoutRequest),
    async (c) => {
      const { userId } = c.req.valid("param");
      const { amount, method, paymentUsername } = c.req.valid("json");
      await requireProfile(deps, userId);
      const named = { uid: userId, method, typed: paymentUsername, by: c.var.person.uid };
      const { answer, warning } = await runWithHandle(c, deps, requestPayout, named, (handle) => ({
        payoutId: deps.newId(),
        consignorId: userId,
        amountCents: toCents(amount),
        ...handle,
      }));
      return c.json({
        message: "Payout requested",
        payoutId: answer.payoutId,
        amount: toDollars(answer.amountCents),
        balance: toDollars(answer.availableCents),
        warning,
      });
    },
  );
}

function settled(message: string, answer: PayoutAnswer): PayoutSettledResponse {
  return {
    message,
    payoutId: answer.payoutId,
    amount: toDollars(answer.amountCents),
    balance: toDollars(answer.availableCents),
  };
}

/** Whether paying it asks who it is. A request that is not in the read table yet counts as large. */
async function isLarge(deps: RouteDeps, payoutId: string): Promise<boolean> {
  const most = deps.confirmPayoutsAboveCents;
  if (most === null) {
    return false;
  }
  const [payout] = await deps.sql<{ cents: number }[]>`
    select amount_cents as cents from ${deps.sql(`read.${payoutsTable.name}`)}
    where payout_id = ${payoutId}`;
  return payout === undefined || payout.cents > most;
}

function addSettlements(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.patch(
    "/payouts/:userId/:payoutId/paid",
    rehearsable(admin),
    documented({ summary: "Mark a payout as paid", tag, answer: payoutSettledResponse }),
    pathParams(payoutParams),
    jsonBody(markPaidRequest),
    async (c) => {
      const { userId: consignorId, payoutId } = c.req.valid("param");
      if (await isLarge(deps, payoutId)) {
        await requireConfirmed(c);
      }
      const { reference, handleId } = c.req.valid("json");
      const happenedAt = deps.clock().toISOString();
      const ids = { payoutId, consignorId, handleId };
      const command = { ...ids, reference: reference || null, happenedAt };
      const answer = await runCommand(c, deps.ledger, markPayoutPaid, command);
      return c.json(settled("Payout marked as paid", answer));
    },
  );
  routes.delete(
    "/payouts/:userId/:payoutId",
    rehearsable(self("userId")),
    documented({
      summary: "Delete a payout request; a consignor withdraws their own",
      tag,
      answer: payoutSettledResponse,
    }),
    pathParams(payoutParams),
    noBody,
    async (c) => {
      const { userId: consignorId, payoutId } = c.req.valid("param");
      const { uid: actorUid, role } = c.var.person;
      const by: DeletePayout["by"] = role === "admin" ? "store" : "consignor";
      const happenedAt = deps.clock().toISOString();
      const command = { payoutId, consignorId, actorUid, by, happenedAt };
      const answer = await runCommand(c, deps.ledger, deletePayout, command);
      return c.json(settled("Payout request deleted and balance refunded", answer));
    },
  );
}

function addReads(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/payouts/pending",
    admin,
    documented({ summary: "List pending payouts", tag, answer: pendingResponse }),
    queryString(pendingQuery),
    readsFrom("payouts", "balances"),
    async (c) => {
      const { q, method, consignor, sort, order, cursor, limit } = c.req.valid("query");
      const query = { q, method, consignor, sort, order, cursor, limit };
      const people = { ...deps, readerUid: c.var.person.uid };
      return respondFresh(c, await readPending(deps.reads, people, deps.clock(), query));
    },
  );
  routes.get(
    "/payouts/pending/export",
    admin,
    documentedFile({ summary: "Export pending payouts", tag, types: ["text/csv"] }),
    queryString(pendingExportQuery),
    readsFrom("payouts", "balances"),
    expensiveFile,
    async (c) => {
      const { q, method, consignor } = c.req.valid("query");
      const lines = exportPending(deps.reads, deps, deps.clock(), { q, method, consignor });
      return answerCsvBatches(c, "payout-requests.csv", PENDING_CSV_HEAD, lines);
    },
  );
  routes.get(
    "/sales/payouts/:id",
    self("id"),
    documented({ summary: "List a consignor's payouts", tag, answer: payoutHistoryResponse }),
    pathParams(payoutHistoryParams),
    queryString(payoutHistoryQuery),
    readsFrom("payouts"),
    async (c) => {
      const { status, sort, order, cursor, limit } = c.req.valid("query");
      const { id } = c.req.valid("param");
      const query = { status, sort, order, cursor, limit };
      const { role, uid: readerUid } = c.var.person;
      const profiles = profilesFor(role, deps.profiles);
      const people = { ...deps, profiles, reader: role, readerUid };
      return respondFresh(c, await readHistory(deps.reads, people, id, query));
    },
  );
  routes.get(
    "/sales/payouts/:id/export",
    self("id"),
    documentedFile({ summary: "Export a consignor's payouts", tag, types: ["text/csv"] }),
    pathParams(payoutHistoryParams),
    queryString(payoutHistoryExportQuery),
    readsFrom("payouts"),
    expensiveFile,
    async (c) => {
      const lines = exportHistory(
        deps.reads,
        deps,
        c.req.valid("param").id,
        c.req.valid("query").status,
      );
      return answerCsvBatches(c, "payouts.csv", HISTORY_CSV_HEAD, lines);
    },
  );
}
