// The calls about settled payouts, admins only: their list, and marking a paid one as returned, with the reason.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { noteOf } from "#http/note.ts";
import { inStoreDays } from "#http/store-period.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import {
  payoutParams,
  payoutSettledResponse,
  returnPayoutRequest,
  settledExportQuery,
  settledQuery,
  settledResponse,
} from "#features/payouts/contract.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { exportSettled, readSettled, SETTLED_CSV_HEAD } from "#features/payouts/queries-settled.ts";
import { toDollars } from "#ledger/money.ts";

const tag = "payouts";

export function addSettled(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/payouts/settled",
    admin,
    documented({ summary: "List settled payouts", tag, answer: settledResponse }),
    queryString(settledQuery),
    inStoreDays(deps),
    readsFrom("payouts"),
    expensiveSearch,
    async (c) => {
      const { status, q, method, from, to, cursor, limit } = c.req.valid("query");
      const query = { status, q, method, from, to, cursor, limit };
      return respondFresh(c, await readSettled(deps, deps, query));
    },
  );
  routes.get(
    "/payouts/settled/export",
    admin,
    documentedFile({ summary: "Export settled payouts", tag, types: ["text/csv"] }),
    queryString(settledExportQuery),
    inStoreDays(deps),
    readsFrom("payouts"),
    expensiveFile,
    async (c) => {
      const { status, q, method, from, to } = c.req.valid("query");
      const lines = exportSettled(deps, deps, { status, q, method, from, to });
      return answerCsvBatches(c, `payouts-${status}.csv`, SETTLED_CSV_HEAD, lines);
    },
  );
  routes.post(
    "/payouts/:userId/:payoutId/return",
    rehearsable(admin),
    documented({
      summary: "Mark a paid payout as returned",
      tag,
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
