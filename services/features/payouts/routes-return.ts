// The call that says that a paid payout came back, with the reason.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import {
  payoutParams,
  payoutSettledResponse,
  returnPayoutRequest,
} from "#features/payouts/contract.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { toDollars } from "#ledger/money.ts";

export function addReturn(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/payouts/:userId/:payoutId/return",
    rehearsable(admin),
    documented({
      summary: "Say that the transfer of a paid payout came back",
      tag: "payouts",
      answer: payoutSettledResponse,
    }),
    pathParams(payoutParams),
    jsonBody(returnPayoutRequest),
    async (c) => {
      const { userId, payoutId } = c.req.valid("param");
      const note = await noteOf(c, deps, c.req.valid("json").reason, userId);
      const command = {
        payoutId,
        consignorId: userId,
        noteId: note?.id ?? "",
        happenedAt: deps.clock().toISOString(),
      };
      const answer = await runCommand(c, deps.ledger, returnPayout, command, note);
      return c.json({
        message: "Payout marked as returned",
        payoutId: answer.payoutId,
        amount: toDollars(answer.amountCents),
        balance: toDollars(answer.availableCents),
      });
    },
  );
}
