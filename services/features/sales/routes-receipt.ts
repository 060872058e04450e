// The calls that find a receipt again, on any device: by its number, or by one of its sales; and that send it.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError, notFound } from "#http/errors.ts";
import { decidesFrom, readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { sendLetter } from "#http/send-letter.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import { normalEmail } from "#identity/accounts.ts";
import { receiptLetter } from "#features/sales/receipt-letter.ts";
import { saleParams } from "#features/sales/contract.ts";
import {
  emailReceiptRequest,
  emailReceiptResponse,
  receiptParams,
  receiptRefusals,
  receiptResponse,
  receiptsQuery,
  receiptsResponse,
} from "#features/sales/contract-receipt.ts";
import { findReceipt, findReceiptOfSale, findReceipts } from "#features/sales/queries-receipt.ts";
import type { ReceiptParts } from "#features/sales/queries-receipt.ts";

const tag = "receipts";

const LETTERS_BY_ADMIN = { attempts: 120, perSeconds: 3_600 };
const LETTERS_OF_RECEIPT = { attempts: 5, perSeconds: 3_600 };
const LETTERS_TO_ADDRESS = { attempts: 5, perSeconds: 3_600 };

export function addReceipts(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { reads, notes, store } = deps;
  const parts: ReceiptParts = { reads, notes, details: store.details };
  addLetter(routes, deps, parts);
  routes.get(
    "/receipts",
    admin,
    documented({ summary: "Find receipts by their number", tag, answer: receiptsResponse }),
    queryString(receiptsQuery),
    readsFrom("sales"),
    async (c) =>
      respondFresh(c, { receipts: await findReceipts(parts, c.req.valid("query").number) }),
  );
  routes.get(
    "/sales/:id/receipt",
    admin,
    documented({ summary: "Show the receipt of a sale", tag, answer: receiptResponse }),
    pathParams(saleParams),
    readsFrom("sales"),
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "sales", id, "This sale");
      const receipt = await findReceiptOfSale(parts, id);
      if (receipt === undefined) {
        throw notFound("sale_not_found", "There is no such sale");
      }
      return respondFresh(c, { receipt });
    },
  );
}

function addLetter(routes: Hono<AppEnv>, deps: RouteDeps, parts: ReceiptParts): void {
  const { store, site, identity } = deps;
  const limits = createRateLimits(deps.sql, deps.clock);
  const byAdmin = limits("receipts-admin", LETTERS_BY_ADMIN);
  const ofReceipt = limits("receipts-receipt", LETTERS_OF_RECEIPT);
  const toAddress = limits("receipts-address", LETTERS_TO_ADDRESS);
  routes.post(
    "/receipts/:id/email",
    admin,
    documented({ summary: "Send a receipt by email", tag, answer: emailReceiptResponse }),
    pathParams(receiptParams),
    jsonBody(emailReceiptRequest),
    keepsAnswer,
    decidesFrom("sales"),
    async (c) => {
      const { id } = c.req.valid("param");
      const { email } = c.req.valid("json");
      const to = normalEmail(email);
      const { uid } = c.var.person;
      const receipt = await findReceipt(parts, id);
      if (receipt === undefined) {
        throw refused("receipt_not_found");
      }
      await ofReceipt.consume(id);
      await toAddress.consume(to);
      await byAdmin.consume(uid);
      const [name, timeZone] = await Promise.all([store.name(), store.timeZone()]);
      const letter = receiptLetter(receipt, { name, timeZone, url: site.url() });
      if (!(await sendLetter(identity.parts, c, { ...letter, to: email }))) {
        throw refused("mail_unavailable");
      }
      // Without the address: the store does not know who the customer is.
      await c.var.security.note({ kind: "receipt-sent", outcome: "ok", about: { uid } });
      return c.json({ message: "Receipt sent" });
    },
  );
}

function refused(code: keyof typeof receiptRefusals): HttpError {
  const { status, message } = receiptRefusals[code];
  return new HttpError(status, code, message);
}
