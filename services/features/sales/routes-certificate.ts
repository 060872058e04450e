// The call that erases the number of a customer's tax certificate: from one receipt, or wherever the store has it.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { decidesFrom } from "#http/freshness.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { eraseNotes, MAX_ERASED_NOTES } from "#identity/notes.ts";
import { saleParams } from "#features/sales/contract.ts";
import {
  eraseCertificateRequest,
  eraseCertificateResponse,
} from "#features/sales/contract-commands.ts";
import { eraseCertificate } from "#features/sales/decider-certificate.ts";
import { certificateNotesOf } from "#features/sales/look-ups.ts";
import { findSalesOfReceipt } from "#features/sales/queries-receipt.ts";

export function addCertificateErasure(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/sales/:id/erase-certificate",
    rehearsable(admin),
    documented({
      summary: "Erase the number of the customer's tax certificate",
      tag: "sales",
      answer: eraseCertificateResponse,
    }),
    pathParams(saleParams),
    jsonBody(eraseCertificateRequest),
    decidesFrom("sales"),
    async (c) => {
      const saleId = c.req.valid("param").id;
      const { everywhere } = c.req.valid("json");
      // Of a receipt that is too long some sales may be missing, but never this one.
      const sales = new Set([saleId, ...(await findSalesOfReceipt(deps.reads, saleId))]);
      const found = await certificateNotesOf(deps, [...sales]);
      if (found === undefined) {
        throw notFound("sale_not_found", "There is no such sale");
      }
      const noteIds = await deps.notes.findKept(found, everywhere);
      const now = deps.clock();
      const { numbers } = await runCommand(
        c,
        deps.ledger,
        eraseCertificate,
        { saleId, noteIds, happenedAt: now.toISOString() },
        { id: saleId, write: (transaction) => eraseNotes(transaction, noteIds, now) },
      );
      return c.json({
        message: "Certificate number erased",
        numbers,
        isComplete: numbers < MAX_ERASED_NOTES,
      });
    },
  );
}
