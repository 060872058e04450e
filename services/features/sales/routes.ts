// The calls about sales: admins record, correct and refund them; consignors read their own.
import { Hono } from "hono";
import * as z from "zod/mini";
import { admin, self, signedIn } from "#http/access.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { inStoreDays } from "#http/store-period.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  ownSaleListResponse,
  ownSaleResponse,
  saleExportQuery,
  saleHistoryExportQuery,
  saleHistoryParams,
  saleHistoryQuery,
  saleListQuery,
  saleListResponse,
  saleParams,
  saleResponse,
} from "#features/sales/contract.ts";
import {
  exportSales,
  findSaleById,
  listSales,
  ownCsvHead,
  ownLines,
  ownViewOf,
  saleCsvHead,
} from "#features/sales/queries.ts";
import { addReceipts } from "#features/sales/routes-receipt.ts";
import { addSaleCommands } from "#features/sales/routes-commands.ts";
import { addStory } from "#features/sales/routes-story.ts";
import { addTotals } from "#features/sales/routes-totals.ts";
import { profilesFor } from "#identity/profiles.ts";

const tag = "sales";

export function saleRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addSaleCommands(routes, deps);
  // Before the call of one sale, whose path matches these too.
  addTotals(routes, deps);
  addHistory(routes, deps);
  addAllSales(routes, deps);
  addStory(routes, deps);
  addReceipts(routes, deps);
  return routes;
}

/** One consignor's sales. */
function addHistory(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { searches, profiles } = deps;
  routes.get(
    "/sales/history/:id",
    self("id"),
    documented({
      summary: "List a consignor's sales",
      tag,
      answer: z.union([saleListResponse, ownSaleListResponse]),
    }),
    pathParams(saleHistoryParams),
    queryString(saleHistoryQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveSearch,
    async (c) => {
      const { cursor, limit, ...query } = c.req.valid("query");
      const consignorId = c.req.valid("param").id;
      const { role } = c.var.person;
      const names = profilesFor(role, profiles);
      const paging = { cursor, limit };
      const list = await listSales(searches, names, { ...query, consignorId }, paging);
      const own = { ...list, sales: list.sales.map(ownViewOf) };
      return respondFresh(c, role === "admin" ? list : own);
    },
  );
  routes.get(
    "/sales/history/:id/export",
    self("id"),
    documentedFile({ summary: "Export a consignor's sales", tag, types: ["text/csv"] }),
    pathParams(saleHistoryParams),
    queryString(saleHistoryExportQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveFile,
    async (c) => {
      const consignorId = c.req.valid("param").id;
      const { role } = c.var.person;
      const names = profilesFor(role, profiles);
      const lines = exportSales(searches, names, { ...c.req.valid("query"), consignorId });
      return role === "admin"
        ? answerCsvBatches(c, "sales.csv", saleCsvHead, lines)
        : answerCsvBatches(c, "sales.csv", ownCsvHead, ownLines(lines));
    },
  );
}

/** All sales, and a single one. */
function addAllSales(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { reads, searches, profiles } = deps;
  routes.get(
    "/sales",
    admin,
    documented({ summary: "List all sales", tag, answer: saleListResponse }),
    queryString(saleListQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveSearch,
    async (c) => {
      const { cursor, limit, consignor, ...query } = c.req.valid("query");
      const paging = { cursor, limit };
      return respondFresh(
        c,
        await listSales(searches, profiles, { ...query, consignorId: consignor }, paging),
      );
    },
  );
  routes.get(
    "/sales/export",
    admin,
    documentedFile({ summary: "Export all sales", tag, types: ["text/csv"] }),
    queryString(saleExportQuery),
    inStoreDays(deps),
    readsFrom("sales"),
    expensiveFile,
    async (c) => {
      const { consignor, ...query } = c.req.valid("query");
      const lines = exportSales(searches, profiles, { ...query, consignorId: consignor });
      return answerCsvBatches(c, "sales.csv", saleCsvHead, lines);
    },
  );
  routes.get(
    "/sales/:id",
    signedIn,
    documented({ summary: "Show a sale", tag, answer: z.union([saleResponse, ownSaleResponse]) }),
    pathParams(saleParams),
    readsFrom("sales"),
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "sales", id, "This sale");
      const sale = await findSaleById(reads, profiles, id);
      const { role, uid } = c.var.person;
      // Do not reveal that somebody else's sale exists.
      if (sale === undefined || (role !== "admin" && sale.consignorID !== uid)) {
        throw notFound("sale_not_found", "There is no such sale");
      }
      return respondFresh(c, { sale: role === "admin" ? sale : ownViewOf(sale) });
    },
  );
}
