// The calls that change sales, admins only: each turns a request in dollars into a command for the ledger.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RowInSameTransaction } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { requireProfile } from "#http/known-person.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { newNote } from "#identity/notes.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { saleParams } from "#features/sales/contract.ts";
import {
  correctSaleRequest,
  recordCustomSaleRequest,
  recordMasterSaleRequest,
  recordSaleRequest,
  recordSaleResponse,
  refundSaleRequest,
  saleChangedResponse,
} from "#features/sales/contract-commands.ts";
import type {
  RecordSaleRequest,
  RecordSaleResponse,
  SaleChangedResponse,
} from "#features/sales/contract-commands.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import type { SaleRecordedAnswer, TillFacts } from "#features/sales/decider-record.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import type { SaleChangedAnswer } from "#features/sales/found-sale.ts";
import { noteOnSale } from "#features/sales/note-on-sale.ts";
import { addCertificateErasure } from "#features/sales/routes-certificate.ts";
import { addRefundTenderCorrection, addTenderCorrection } from "#features/sales/routes-tender.ts";

const tag = "sales";

export function addSaleCommands(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addItemSales(routes, deps);
  addCustomSale(routes, deps);
  addCorrection(routes, deps);
  addRefund(routes, deps);
  addTenderCorrection(routes, deps);
  addRefundTenderCorrection(routes, deps);
  addCertificateErasure(routes, deps);
}

function addItemSales(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/sales/record",
    rehearsable(admin),
    documented({
      summary: "Record a sale of a consignor's item",
      tag,
      answer: recordSaleResponse,
    }),
    jsonBody(recordSaleRequest),
    async (c) => {
      const sale = c.req.valid("json");
      await requireProfile(deps, sale.consignorID);
      const { till, note } = tillOf(deps, sale, c.req.header("Idempotency-Key"));
      const command = {
        saleId: deps.newId(),
        consignorId: sale.consignorID,
        itemId: sale.itemUID,
        barcode1: sale.barcode1 ?? null,
        units: sale.quantitySold,
        priceCents: toCents(sale.salePrice),
        shippingCents: toCents(sale.shippingCost),
        salesTaxCents: toCents(sale.salesTax),
        taxRateBasisPoints: sale.taxRateBasisPoints ?? null,
        consignorPercentage: sale.consignorPercentage ?? null,
        channel: sale.channel,
        till,
        happenedAt: soldAt(sale.soldAt, deps.clock()),
      };
      return c.json(recorded(await runCommand(c, deps.ledger, recordSale, command, note)));
    },
  );
  routes.post(
    "/inventory/master/sale",
    rehearsable(admin),
    documented({
      summary: "Record a sale of the store's own item",
      tag,
      answer: recordSaleResponse,
    }),
    jsonBody(recordMasterSaleRequest),
    async (c) => {
      const sale = c.req.valid("json");
      const { till, note } = tillOf(deps, sale, c.req.header("Idempotency-Key"));
      const command = {
        saleId: deps.newId(),
        itemId: sale.masterItemID,
        units: sale.quantitySold,
        priceCents: sale.salePrice === undefined ? null : toCents(sale.salePrice),
        salesTaxCents: toCents(sale.salesTax),
        taxRateBasisPoints: sale.taxRateBasisPoints ?? null,
        channel: sale.channel,
        till,
        happenedAt: soldAt(sale.soldAt, deps.clock()),
      };
      return c.json(recorded(await runCommand(c, deps.ledger, recordMasterSale, command, note)));
    },
  );
}

function addCustomSale(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/sales/custom",
    rehearsable(admin),
    documented({ summary: "Record a sale without an item", tag, answer: recordSaleResponse }),
    jsonBody(recordCustomSaleRequest),
    async (c) => {
      const sale = c.req.valid("json");
      await requireProfile(deps, sale.consignorID);
      const answer = await runCommand(c, deps.ledger, recordCustomSale, {
        saleId: deps.newId(),
        consignorId: sale.consignorID,
        itemName: sale.itemName,
        amountCents: toCents(sale.amount),
        happenedAt: soldAt(sale.soldAt, deps.clock()),
      });
      return c.json(recorded(answer));
    },
  );
}

function addCorrection(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/sales/:id",
    rehearsable(admin),
    documented({ summary: "Correct a sale", tag, answer: saleChangedResponse }),
    pathParams(saleParams),
    jsonBody(correctSaleRequest),
    async (c) => {
      const saleId = c.req.valid("param").id;
      const body = c.req.valid("json");
      const note = await noteOnSale(c, deps, body.reason, saleId);
      const answer = await runCommand(
        c,
        deps.ledger,
        correctSale,
        {
          saleId,
          changes: {
            itemName: body.itemName ?? null,
            units: body.soldQuantity ?? null,
            priceCents: body.salePrice === null ? "none" : centsOrNull(body.salePrice),
            shippingCents: centsOrNull(body.shippingCost),
            salesTaxCents: centsOrNull(body.salesTax),
            consignorPercentage: body.consignorPercentage ?? null,
            payoutCents: centsOrNull(body.payoutAmount),
          },
          expectedVersion: body.expectedVersion ?? null,
          noteId: note?.id ?? null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json(changed(answer, "Sale updated"));
    },
  );
}

function addRefund(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/sales/:id/refund",
    rehearsable(admin),
    documented({ summary: "Refund a sale, all or a part of it", tag, answer: saleChangedResponse }),
    pathParams(saleParams),
    jsonBody(refundSaleRequest),
    async (c) => {
      const saleId = c.req.valid("param").id;
      const refund = c.req.valid("json");
      const note = await noteOnSale(c, deps, refund.reason, saleId);
      const answer = await runCommand(
        c,
        deps.ledger,
        refundSale,
        {
          saleId,
          units: refund.quantity,
          amountCents: centsOrNull(refund.amount),
          restock: refund.restock,
          ...(refund.tender === undefined ? {} : { tender: refund.tender }),
          expectedVersion: refund.expectedVersion ?? null,
          noteId: note?.id ?? null,
          happenedAt: deps.clock().toISOString(),
        },
        note,
      );
      return c.json(changed(answer, "Refund recorded"));
    },
  );
}

/** The key of a line of the till's queue, which begins with its cart. */
const LINE_KEY =
  /^posSale:([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}):/u;

/**
 * What the till said about the cart, and the note with the certificate's number. Lines that an older till queued name
 * no receipt, and are sent as they were; their keys name the cart, so that its sales are on one receipt all the same.
 */
function tillOf(
  deps: Pick<RouteDeps, "notes">,
  said: Pick<RecordSaleRequest, "receiptID" | "tender" | "taxExempt">,
  key: string | undefined,
): { readonly till: TillFacts; readonly note: RowInSameTransaction | null } {
  const { receiptID = LINE_KEY.exec(key ?? "")?.[1], tender, taxExempt } = said;
  const number = taxExempt?.certificate ?? "";
  const note = number === "" ? null : certificateNote(deps, number);
  return {
    till: {
      ...(receiptID === undefined ? {} : { receiptId: receiptID }),
      ...(tender === undefined ? {} : { tender }),
      ...(taxExempt === undefined ? {} : { taxExemption: { noteId: note?.id ?? null } }),
    },
    note,
  };
}

/** The customer is nobody that the store knows, and the number has to outlast the admin who typed it. */
function certificateNote(deps: Pick<RouteDeps, "notes">, text: string): RowInSameTransaction {
  const note = newNote(text, null);
  return { id: note.id, write: (transaction) => deps.notes.write(transaction, note) };
}

/** The clock of a point of sale may be ahead by this much; its sales then count as sold now. */
const CLOCK_TOLERANCE_MS = 30_000;

/** When a sale happened. Throws HttpError 400 for the future. */
function soldAt(given: string | undefined, now: Date): string {
  if (given === undefined) {
    return now.toISOString();
  }
  const instantMs = Date.parse(given);
  if (instantMs > now.getTime() + CLOCK_TOLERANCE_MS) {
    throw badRequest("sold_in_future", "A sale cannot be in the future", "soldAt");
  }
  return new Date(Math.min(instantMs, now.getTime())).toISOString();
}

function centsOrNull(dollars: number | undefined): number | null {
  return dollars === undefined ? null : toCents(dollars);
}

function recorded(answer: SaleRecordedAnswer): RecordSaleResponse {
  return {
    message: "Sale recorded successfully",
    saleID: answer.saleId,
    payoutAmount: toDollars(answer.payoutCents),
    remainingQuantity: answer.remainingUnits,
  };
}

function changed(answer: SaleChangedAnswer, message: string): SaleChangedResponse {
  return {
    message,
    saleID: answer.saleId,
    version: answer.version,
    payoutAmount: toDollars(answer.payoutCents),
    refundedAmount: toDollars(answer.refundedCents),
    refundedTax: toDollars(answer.refundedTaxCents),
    refundedPayout: toDollars(answer.refundedPayoutCents),
  };
}
