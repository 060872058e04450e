// The calls that show items as they were recorded by a time, and where their units came from.
import type { Hono } from "hono";
import { findAsOf } from "#http/as-of.ts";
import { self, signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, Person } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import type { InventoryItem } from "#features/inventory/contract.ts";
import {
  inventoryAsOfQuery,
  inventoryAsOfResponse,
  itemAsOfQuery,
  itemAsOfResponse,
  itemOriginQuery,
  itemOriginResponse,
  ownerParam,
  pastItemParam,
} from "#features/inventory/contract-as-of.ts";
import {
  readInventoryAsOf,
  readItemAsOf,
  readItemOrigin,
} from "#features/inventory/queries-as-of.ts";

const tag = "audit";

/** `visibleItem` throws HttpError 404 for an item that this person may not see. */
export function addPastItems(
  routes: Hono<AppEnv>,
  { reads, readEvent, store }: RouteDeps,
  visibleItem: (id: string, person: Person) => Promise<InventoryItem>,
): void {
  routes.get(
    "/audit/inventory/:uid",
    self("uid"),
    documented({
      summary: "List a person's items as of a time",
      tag,
      answer: inventoryAsOfResponse,
    }),
    pathParams(ownerParam),
    queryString(inventoryAsOfQuery),
    readsFrom("inventory", "item_timeline"),
    expensiveSearch,
    async (c) => {
      const { at, ...page } = c.req.valid("query");
      const asOf = await findAsOf({ reads, store }, at, c.var.freshTo);
      const { uid } = c.req.valid("param");
      return respondFresh(c, await readInventoryAsOf(reads, readEvent, uid, asOf, page));
    },
  );
  routes.get(
    "/audit/items/:id",
    signedIn,
    documented({ summary: "Show an item as of a time", tag, answer: itemAsOfResponse }),
    pathParams(pastItemParam),
    queryString(itemAsOfQuery),
    readsFrom("inventory", "item_timeline"),
    expensiveSearch,
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "inventory", id, "This item");
      await refuseHeld(c, "item_timeline", id, "This item's history");
      await visibleItem(id, c.var.person);
      const asOf = await findAsOf({ reads, store }, c.req.valid("query").at, c.var.freshTo);
      const past = await readItemAsOf(reads, readEvent, id, asOf);
      if (past === undefined) {
        throw notFound("item_not_found", "The item was not there yet");
      }
      return respondFresh(c, past);
    },
  );
  routes.get(
    "/audit/items/:id/origin",
    signedIn,
    documented({
      summary: "Show where an item's units came from and went",
      tag,
      answer: itemOriginResponse,
    }),
    pathParams(pastItemParam),
    queryString(itemOriginQuery),
    readsFrom("inventory", "item_timeline", "shipments"),
    expensiveSearch,
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "inventory", id, "This item");
      await refuseHeld(c, "item_timeline", id, "This item's history");
      const item = await visibleItem(id, c.var.person);
      const { uid, role } = c.var.person;
      const viewer = { uid, isAdmin: role === "admin" };
      return respondFresh(
        c,
        await readItemOrigin(reads, readEvent, item, viewer, c.req.valid("query")),
      );
    },
  );
}
