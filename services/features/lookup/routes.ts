// The call behind a scan anywhere and behind the command palette: what a code or a few words belong to.
import { Hono } from "hono";
import type { MiddlewareHandler } from "hono";
import { admin, signedIn } from "#http/access.ts";
import { expensiveLookup, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, SignedInEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { formsOf } from "#features/lookup/code-forms.ts";
import {
  earlierPriceParams,
  earlierPriceResponse,
  lookupQuery,
  lookupResponse,
} from "#features/lookup/contract.ts";
import { firstOfEachKind, thingOf } from "#features/lookup/found-rows.ts";
import { rowsOfCode } from "#features/lookup/queries-code.ts";
import { payoutsOfText } from "#features/lookup/queries-payouts.ts";
import { highestUnitPrice } from "#features/lookup/queries-price.ts";
import { rowsOfText } from "#features/lookup/queries-text.ts";

/** Scans come in bursts, and each is an index look-up. */
const inTurn: MiddlewareHandler<SignedInEnv> = (c, next) =>
  (c.req.query("by") === "text" ? expensiveSearch : expensiveLookup)(c, next);

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
    readsFrom("inventory", "sales", "trades", "shipments", "payouts"),
    inTurn,
    async (c) => {
      const { q, by } = c.req.valid("query");
      const { role, uid } = c.var.person;
      const owner = role === "admin" ? null : uid;
      const isText = by === "text";
      const [coded, named, payouts] = await Promise.all([
        // Planned for its own code: a general plan would read all items.
        rowsOfCode(searches, q, formsOf(q), owner),
        isText ? rowsOfText(searches, q, owner) : [],
        // Not for a scan: people choose their handles and type references, which could be a barcode's digits.
        isText ? payoutsOfText(searches, q.trim(), owner) : [],
      ]);
      const { shown, hasMore } = firstOfEachKind(coded);
      const byId = new Map(
        [...shown, ...named, ...payouts].map((row) => [`${row.kind} ${row.id}`, row]),
      );
      const rows = [...byId.values()];
      if (owner !== null) {
        return respondFresh(c, { things: rows.map((row) => thingOf(row)), hasMore });
      }
      const uids = new Set(rows.flatMap((row) => row.uid ?? []));
      const names = await profiles.displayNames(uids);
      return respondFresh(c, {
        things: rows.map((row) => thingOf(row, (one) => names.get(one) ?? one)),
        hasMore,
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
