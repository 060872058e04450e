// The calls that correct how a customer paid or got money back, so that the till's day and the receipt are right.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { decidesFrom } from "#http/freshness.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { saleParams } from "#features/sales/contract.ts";
import {
  correctRefundTenderResponse,
  correctTenderRequest,
  correctTenderResponse,
  saleRefundParams,
} from "#features/sales/contract-commands.ts";
import { correctRefundTender, correctTender } from "#features/sales/decider-tender.ts";
import type { SaleTender } from "#features/sales/events.ts";
import { tenderNames } from "#features/sales/explain.ts";
import { noteOnSale } from "#features/sales/note-on-sale.ts";
import { findSalesOfReceipt, refuseTooLong } from "#features/sales/queries-receipt.ts";

const tag = "sales";

/** The message if nothing had to be recorded. */
const already = (tender: SaleTender) => `It is ${tenderNames[tender]} already`;

export function addTenderCorrection(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/sales/:id/tender",
    rehearsable(admin),
    documented({
      summary: "Correct how the customer paid, for all sales of the receipt",
      tag,
      answer: correctTenderResponse,
    }),
    pathParams(saleParams),
    jsonBody(correctTenderRequest),
    decidesFrom("sales"),
    async (c) => {
      const saleId = c.req.valid("param").id;
      const { tender, reason, expectedVersion = null } = c.req.valid("json");
      const saleIds = await findSalesOfReceipt(deps.reads, saleId);
      refuseTooLong(saleIds);
      const note = await noteOnSale(c, deps, reason, saleId);
      const answer = await runCommand(
        c,
        deps.ledger,
        correctTender,
        {
          saleId,
          saleIds,
          tender,
          expectedVersion,
          noteId: note?.id ?? null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json({
        message: answer.sales === 0 ? already(tender) : "Payment updated",
        saleID: answer.saleId,
        version: answer.version,
        sales: answer.sales,
      });
    },
  );
}

export function addRefundTenderCorrection(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/sales/:id/refunds/:refund/tender",
    rehearsable(admin),
    documented({
      summary: "Correct how the money of a refund went back",
      tag,
      answer: correctRefundTenderResponse,
    }),
    pathParams(saleRefundParams),
    jsonBody(correctTenderRequest),
    async (c) => {
      const { id: saleId, refund } = c.req.valid("param");
      const { tender, reason, expectedVersion = null } = c.req.valid("json");
      const note = await noteOnSale(c, deps, reason, saleId);
      const answer = await runCommand(
        c,
        deps.ledger,
        correctRefundTender,
        {
          saleId,
          refund,
          tender,
          expectedVersion,
          noteId: note?.id ?? null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json({
        message: answer.isChanged ? "Refund updated" : already(tender),
        saleID: answer.saleId,
        version: answer.version,
      });
    },
  );
}
