// The call behind a scan anywhere and behind the command palette: what a code or a few words belong to.
import { Hono } from "hono";
import { admin, signedIn } from "#http/access.ts";
import { dearSearch } from "#http/dear-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { formsOf } from "#features/lookup/code-forms.ts";
import {
  earlierPriceParams,
  earlierPriceResponse,
  lookupQuery,
  lookupResponse,
} from "#features/lookup/contract.ts";
import { thingOf } from "#features/lookup/found-rows.ts";
import { rowsOfCode } from "#features/lookup/queries-code.ts";
import { highestUnitPrice } from "#features/lookup/queries-price.ts";
import { rowsOfText } from "#features/lookup/queries-text.ts";

export function lookupRoutes({ reads, searches, profiles }: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/lookup",
    signedIn,
    documented({
      summary: "Find what a code or a few words belong to",
      tag: "lookup",
      answer: lookupResponse,
    }),
    queryString(lookupQuery),
    readsFrom("inventory", "sales", "trades", "shipments"),
    dearSearch,
    async (c) => {
      const { q, by } = c.req.valid("query");
      const { role, uid } = c.var.person;
      const owner = role === "admin" ? null : uid;
      const found = await Promise.all([
        // Planned for its own code: a general plan would read all items.
        rowsOfCode(searches, q, formsOf(q), owner),
        by === "text" ? rowsOfText(searches, q, owner) : [],
      ]);
      const rows = [...new Map(found.flat().map((row) => [`${row.kind} ${row.id}`, row])).values()];
      if (owner !== null) {
        return respondFresh(c, { things: rows.map((row) => thingOf(row)) });
      }
      const uids = new Set(rows.flatMap((row) => row.uid ?? []));
      const names = await profiles.displayNames(uids);
      return respondFresh(c, {
        things: rows.map((row) => thingOf(row, (one) => names.get(one) ?? one)),
      });
    },
  );
  routes.get(
    "/lookup/earlier-price/:itemID",
    admin,
    documented({
      summary: "Read the highest earlier price of an item",
      tag: "lookup",
      answer: earlierPriceResponse,
    }),
    pathParams(earlierPriceParams),
    readsFrom("inventory", "sales"),
    async (c) => {
      const { itemID } = c.req.valid("param");
      return respondFresh(c, { highestUnitPrice: await highestUnitPrice(reads, itemID) });
    },
  );
  return routes;
}
