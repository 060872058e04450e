// The calls that read the inventory: admins see everything, consignors their own items and history.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv, Person } from "#http/env.ts";
import { badRequest, notFound } from "#http/errors.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  type InventoryItem,
  itemResponse,
  searchCountResponse,
  searchResponse,
  timelineResponse,
} from "#features/inventory/contract.ts";
import {
  itemParam,
  type SearchCountQuery,
  searchCountQuery,
  searchQuery,
  timelineQuery,
} from "#features/inventory/contract-queries.ts";
import {
  exportInventory,
  itemCsvHead,
  findItemById,
  findItems,
  readTimeline,
} from "#features/inventory/queries.ts";
import type { EventExplanations } from "#features/histories.ts";
import { addInventoryCommands } from "#features/inventory/routes-commands.ts";
import { addFilling } from "#features/inventory/routes-filling.ts";
import { addKnownBarcodes } from "#features/inventory/known-barcodes.ts";
import { addPastItems } from "#features/inventory/routes-as-of.ts";
import { countItems } from "#features/inventory/search.ts";
import type { ItemQuery } from "#features/inventory/search-conditions.ts";
import { addStockCommands } from "#features/inventory/routes-stock.ts";
import { addTillCatalogue } from "#features/inventory/till-catalogue.ts";
import { profilesFor } from "#identity/profiles.ts";
import { findUidsOf } from "#identity/users.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const tag = "inventory";

/** A uid of ours needs no search for people. */
const OWN_UID = /^[A-Za-z0-9]{28}$/u;

/** `explanations` say how the events of every feature read in an item's history. */
export function inventoryRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addInventoryCommands(routes, deps);
  addFilling(routes, deps);
  addStockCommands(routes, deps);
  addKnownBarcodes(routes, deps);
  addSearch(routes, deps);
  addExport(routes, deps);
  addItem(routes, deps, explanations);
  addTillCatalogue(routes, deps);
  return routes;
}

function addSearch(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/inventory/search",
    signedIn,
    documented({ summary: "Search items", tag, answer: searchResponse }),
    queryString(searchQuery),
    readsFrom("inventory", "trades"),
    expensiveSearch,
    async (c) => {
      const { page, limit, sort, order, ...asked } = c.req.valid("query");
      const query = await queryOf(deps, asked, c.var.person);
      const profiles = profilesFor(c.var.person.role, deps.profiles);
      const paging = { page, limit, sort, order };
      return respondFresh(c, await findItems({ ...deps, profiles }, query, paging));
    },
  );
  routes.get(
    "/inventory/search/count",
    signedIn,
    documented({ summary: "Count the items of a search", tag, answer: searchCountResponse }),
    queryString(searchCountQuery),
    readsFrom("inventory"),
    expensiveSearch,
    async (c) => {
      const query = await queryOf(deps, c.req.valid("query"), c.var.person);
      return respondFresh(c, await countItems(deps.searches, query));
    },
  );
}

/** The same search as a file: exactly the filtered items, newest first. */
function addExport(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/inventory/search/export",
    signedIn,
    documentedFile({ summary: "Save the items of a search", tag, types: ["text/csv"] }),
    queryString(searchCountQuery),
    readsFrom("inventory", "trades"),
    expensiveFile,
    async (c) => {
      const query = await queryOf(deps, c.req.valid("query"), c.var.person);
      const lines = exportInventory(deps, query);
      return answerCsvBatches(c, "inventory.csv", itemCsvHead, lines);
    },
  );
}

/** The search's filters. Anyone who is not an admin searches only their own items. */
async function queryOf(
  { sql, clock }: RouteDeps,
  query: SearchCountQuery,
  person: Person,
): Promise<ItemQuery> {
  const { searchTerm = "", location = "", consignor = "", filter = "all", preset = null } = query;
  const { unsoldDays } = query;
  const unsoldSince =
    unsoldDays === undefined ? null : new Date(clock().getTime() - unsoldDays * DAY_MS);
  const ownerUids = person.role === "admin" ? await ownersOf(sql, consignor) : [person.uid];
  return { searchTerm, location, ownerUids, filter, preset, unsoldSince };
}

/** Whose items are searched; null for everybody's. Throws HttpError 400 if the text is part of too many names. */
async function ownersOf(sql: RouteDeps["sql"], consignor: string): Promise<ItemQuery["ownerUids"]> {
  if (consignor === "" || OWN_UID.test(consignor)) {
    return consignor === "" ? null : [consignor];
  }
  const uids = await findUidsOf(sql, consignor);
  if (uids === "too-many") {
    throw badRequest("too_many_consignors", "Type more of the consignor's name", "consignor");
  }
  return uids;
}

function addItem(routes: Hono<AppEnv>, deps: RouteDeps, explanations: EventExplanations): void {
  const { reads, profiles } = deps;
  const visibleItem = async (id: string, person: Person): Promise<InventoryItem> => {
    const item = await findItemById(reads, profilesFor(person.role, profiles), id);
    // Do not reveal that somebody else has such an item.
    if (item === undefined || (person.role !== "admin" && item.consignorID !== person.uid)) {
      throw notFound("item_not_found", "Item not found");
    }
    return item;
  };
  routes.get(
    "/inventory/items/:id",
    signedIn,
    documented({ summary: "Show an item, also a deleted one", tag, answer: itemResponse }),
    pathParams(itemParam),
    readsFrom("inventory", "trades"),
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "inventory", id, "This item");
      const item = await visibleItem(id, c.var.person);
      return respondFresh(c, { item });
    },
  );
  routes.get(
    "/inventory/items/:id/timeline",
    signedIn,
    documented({ summary: "List an item's history", tag, answer: timelineResponse }),
    pathParams(itemParam),
    queryString(timelineQuery),
    readsFrom("inventory", "item_timeline"),
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "inventory", id, "This item");
      await refuseHeld(c, "item_timeline", id, "This item's history");
      await visibleItem(id, c.var.person);
      const isAdmin = c.var.person.role === "admin";
      const paging = { ...c.req.valid("query"), isAdmin };
      return respondFresh(c, await readTimeline(reads, { ...deps, explanations }, id, paging));
    },
  );
  addPastItems(routes, deps, visibleItem);
}
