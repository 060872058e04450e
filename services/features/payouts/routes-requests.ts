// The calls that change a request before it is paid: an admin has it while paying, and a consignor corrects where it goes.
import type { Hono } from "hono";
import type * as z from "zod/mini";
import { admin, owner, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { CommandContext } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import {
  claimResponse,
  correctHandleRequest,
  correctHandleResponse,
  payoutParams,
} from "#features/payouts/contract.ts";
import type { ClaimAnswer } from "#features/payouts/decider-claim.ts";
import { claimPayout, releasePayout } from "#features/payouts/decider-claim.ts";
import { correctPayoutHandle } from "#features/payouts/decider-handle.ts";
import { runWithHandle } from "#features/payouts/named-handle.ts";

const tag = "payouts";

export function addChangesOfRequests(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addClaims(routes, deps);
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
      const { method, paymentUsername: typed } = c.req.valid("json");
      const named = { uid: consignorId, method, typed, by: consignorId };
      const { answer, warning } = await runWithHandle(
        c,
        deps,
        correctPayoutHandle,
        named,
        (handle) => ({ payoutId, consignorId, ...handle }),
      );
      return c.json({ message: "Payout details updated", payoutId: answer.payoutId, warning });
    },
  );
}

function addClaims(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const path = "/payouts/:userId/:payoutId/claim";
  const decide = async (
    c: CommandContext,
    decider: typeof claimPayout,
    { userId: consignorId, payoutId }: z.infer<typeof payoutParams>,
  ): Promise<ClaimAnswer> => {
    const happenedAt = deps.clock().toISOString();
    const command = { payoutId, consignorId, adminUid: c.var.person.uid, happenedAt };
    return runCommand(c, deps.ledger, decider, command);
  };
  routes.post(
    path,
    rehearsable(admin),
    documented({ summary: "Begin to pay: nobody else should", tag, answer: claimResponse }),
    pathParams(payoutParams),
    noBody,
    async (c) => {
      const answer = await decide(c, claimPayout, c.req.valid("param"));
      return c.json({ message: "You are paying this request", ...answer });
    },
  );
  routes.delete(
    path,
    rehearsable(admin),
    documented({ summary: "Say that no money was sent", tag, answer: claimResponse }),
    pathParams(payoutParams),
    noBody,
    async (c) => {
      const answer = await decide(c, releasePayout, c.req.valid("param"));
      return c.json({ message: "Nobody is paying this request", ...answer });
    },
  );
}
