// The calls that change a request before it is paid: an admin has it while paying, and a consignor corrects where it goes.
import type { Hono } from "hono";
import { admin, owner, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { bindingHandles } from "#identity/payout-handles.ts";
import {
  claimResponse,
  correctHandleRequest,
  correctHandleResponse,
  looksUsual,
  payoutParams,
  withPrefix,
} from "#features/payouts/contract.ts";
import { claimPayout, releasePayout } from "#features/payouts/decider-claim.ts";
import { correctPayoutHandle } from "#features/payouts/decider-handle.ts";

const tag = "payouts";

export function addChangesOfRequests(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/payouts/:userId/:payoutId/claim",
    rehearsable(admin),
    documented({ summary: "Begin to pay: nobody else should", tag, answer: claimResponse }),
    pathParams(payoutParams),
    noBody,
    async (c) => {
      const { userId: consignorId, payoutId } = c.req.valid("param");
      const adminUid = c.var.person.uid;
      const command = { payoutId, consignorId, adminUid, happenedAt: deps.clock().toISOString() };
      const answer = await runCommand(c, deps.ledger, claimPayout, command);
      return c.json({ message: "You are paying this request", ...answer });
    },
  );
  routes.delete(
    "/payouts/:userId/:payoutId/claim",
    rehearsable(admin),
    documented({ summary: "Say that no money was sent", tag, answer: claimResponse }),
    pathParams(payoutParams),
    noBody,
    async (c) => {
      const { userId: consignorId, payoutId } = c.req.valid("param");
      const adminUid = c.var.person.uid;
      const command = { payoutId, consignorId, adminUid, happenedAt: deps.clock().toISOString() };
      const answer = await runCommand(c, deps.ledger, releasePayout, command);
      return c.json({ message: "Nobody is paying this request", ...answer });
    },
  );
  // Only by the consignor: an admin could lead the money elsewhere in their name.
  routes.put(
    "/payouts/:userId/:payoutId/handle",
    rehearsable(owner("userId")),
    documented({
      summary: "Correct where a requested payout goes",
      tag,
      answer: correctHandleResponse,
    }),
    pathParams(payoutParams),
    jsonBody(correctHandleRequest),
    async (c) => {
      const { userId: consignorId, payoutId } = c.req.valid("param");
      const { method, paymentUsername } = c.req.valid("json");
      const handle = withPrefix(method, paymentUsername);
      const answer = await bindingHandles(async () => {
        const bound = await deps.payoutHandles.bind(consignorId, method, handle, consignorId);
        const command = {
          payoutId,
          consignorId,
          method,
          handleId: bound?.id ?? "",
          handleHash: bound?.hash ?? "",
          happenedAt: deps.clock().toISOString(),
        };
        // Personal, so it is kept outside the log, and written in the same transaction as the event.
        const row = bound === undefined ? null : { id: bound.id, write: bound.keep };
        return runCommand(c, deps.ledger, correctPayoutHandle, command, row);
      });
      return c.json({
        message: "Payout details updated",
        payoutId: answer.payoutId,
        warning: looksUsual(method, handle) ? null : `${handle} looks unusual. Is it right?`,
      });
    },
  );
}
