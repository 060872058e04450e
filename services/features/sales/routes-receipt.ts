// The calls that find a receipt again, on any device: by its number, or by one of its sales.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { saleParams } from "#features/sales/contract.ts";
import {
  receiptResponse,
  receiptsQuery,
  receiptsResponse,
} from "#features/sales/contract-receipt.ts";
import { findReceiptOfSale, findReceipts } from "#features/sales/queries-receipt.ts";
import type { ReceiptParts } from "#features/sales/queries-receipt.ts";

const tag = "receipts";

export function addReceipts(routes: Hono<AppEnv>, { reads, notes, store }: RouteDeps): void {
  const parts: ReceiptParts = { reads, notes, details: store.details };
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
