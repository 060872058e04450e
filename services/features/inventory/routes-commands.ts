// The calls that change one item of the store or of a consignor, admins only: each turns a form into a command.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand, type CommandContext } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { requireProfile } from "#http/known-person.ts";
import { keptImages } from "#http/stored-images.ts";
import { jsonBody, noBody, pathParams, queryString } from "#http/validate.ts";
import { consignorItemParam, itemParam } from "#features/inventory/contract-queries.ts";
import {
  addConsignorItemRequest,
  type AddMasterItemOutput,
  addMasterItemRequest,
  archiveQuery,
  type EditItemOutput,
  editItemRequest,
  type ItemChangedResponse,
  itemChangedResponse,
  type RemovalReason,
} from "#features/inventory/contract-commands.ts";
import {
  addItem,
  type AddItem,
  editItem,
  type EditItem,
  type ItemChanged,
} from "#features/inventory/decider.ts";
import { archiveItem, restoreItem } from "#features/inventory/decider-archive.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import type { OwnerUid } from "#features/inventory/streams.ts";

const tag = "inventory";

export function addInventoryCommands(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addMasterItems(routes, deps);
  addConsignorItems(routes, deps);
}

/** Throws HttpError 404 `consignor_not_found` for an owner without a profile; the store itself needs none. */
async function requireOwner(deps: RouteDeps, ownerUid: OwnerUid): Promise<void> {
  if (ownerUid !== null) {
    await requireProfile(deps, ownerUid);
  }
}

/** Commands on one item of any owner. */
function itemCommands(deps: RouteDeps) {
  return (c: CommandContext) => ({
    add: async (ownerUid: OwnerUid, form: AddMasterItemOutput) => {
      await requireOwner(deps, ownerUid);
      const adds = adding(deps, ownerUid, form);
      const kept = await keptImages(deps, [form.imageUrl]);
      const done = await runCommand(c, deps.ledger, addItem, adds, kept);
      return changed("Item added successfully", done);
    },
    edit: async (itemId: string, ownerUid: OwnerUid, form: EditItemOutput) => {
      await requireOwner(deps, ownerUid);
      const edit = editing(deps, itemId, ownerUid, form);
      const kept = await keptImages(deps, [form.imageUrl]);
      const done = await runCommand(c, deps.ledger, editItem, edit, kept);
      return changed("Item updated successfully", done);
    },
    archive: async (itemId: string, ownerUid: OwnerUid, reason: RemovalReason | undefined) => {
      const archiving = { itemId, ownerUid, happenedAt: now(deps) };
      const why = reason === undefined ? {} : { reason };
      const done = await runCommand(c, deps.ledger, archiveItem, { ...archiving, ...why });
      return changed("Item deleted successfully", done);
    },
    restore: async (itemId: string, ownerUid: OwnerUid) => {
      await requireOwner(deps, ownerUid);
      const restoring = { itemId, ownerUid, happenedAt: now(deps) };
      const done = await runCommand(c, deps.ledger, restoreItem, restoring);
      return changed("Item restored successfully", done);
    },
  });
}

function addMasterItems(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const commands = itemCommands(deps);
  const answer = itemChangedResponse;
  routes.post(
    "/inventory/master",
    rehearsable(admin),
    documented({ summary: "Add an item of the store", tag, answer }),
    jsonBody(addMasterItemRequest),
    async (c) => {
      const form = c.req.valid("json");
      refuseOtherOwner(
        form,
        null,
        "The store's own items have no consignor. Add it to the consignor's inventory instead",
      );
      return c.json(await commands(c).add(null, form));
    },
  );
  routes.put(
    "/inventory/master/:id",
    rehearsable(admin),
    documented({ summary: "Edit an item of the store", tag, answer }),
    pathParams(itemParam),
    jsonBody(editItemRequest),
    async (c) => {
      const form = c.req.valid("json");
      refuseOtherOwner(form, null);
      return c.json(await commands(c).edit(c.req.valid("param").id, null, form));
    },
  );
  routes.delete(
    "/inventory/master/:id",
    rehearsable(admin),
    documented({ summary: "Delete an item of the store", tag, answer }),
    pathParams(itemParam),
    queryString(archiveQuery),
    noBody,
    async (c) => {
      const { reason } = c.req.valid("query");
      return c.json(await commands(c).archive(c.req.valid("param").id, null, reason));
    },
  );
  routes.post(
    "/inventory/master/:id/restore",
    rehearsable(admin),
    documented({ summary: "Bring back a deleted item of the store", tag, answer }),
    pathParams(itemParam),
    noBody,
    async (c) => c.json(await commands(c).restore(c.req.valid("param").id, null)),
  );
}

function addConsignorItems(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const commands = itemCommands(deps);
  const answer = itemChangedResponse;
  routes.post(
    "/inventory/consignor",
    rehearsable(admin),
    documented({ summary: "Add an item of a consignor", tag, answer }),
    jsonBody(addConsignorItemRequest),
    async (c) => {
      const { consignorID, ...form } = c.req.valid("json");
      return c.json(await commands(c).add(consignorID, form));
    },
  );
  routes.put(
    "/inventory/consignor/:consignorId/:itemId",
    rehearsable(admin),
    documented({ summary: "Edit an item of a consignor", tag, answer }),
    pathParams(consignorItemParam),
    jsonBody(editItemRequest),
    async (c) => {
      const { consignorId, itemId } = c.req.valid("param");
      const form = c.req.valid("json");
      refuseOtherOwner(form, consignorId);
      return c.json(await commands(c).edit(itemId, consignorId, form));
    },
  );
  routes.delete(
    "/inventory/consignor/:consignorId/:itemId",
    rehearsable(admin),
    documented({ summary: "Delete an item of a consignor", tag, answer }),
    pathParams(consignorItemParam),
    queryString(archiveQuery),
    noBody,
    async (c) => {
      const { consignorId, itemId } = c.req.valid("param");
      const { reason } = c.req.valid("query");
      return c.json(await commands(c).archive(itemId, consignorId, reason));
    },
  );
  routes.post(
    "/inventory/consignor/:consignorId/:itemId/restore",
    rehearsable(admin),
    documented({ summary: "Bring back a deleted item of a consignor", tag, answer }),
    pathParams(consignorItemParam),
    noBody,
    async (c) => {
      const { consignorId, itemId } = c.req.valid("param");
      return c.json(await commands(c).restore(itemId, consignorId));
    },
  );
}

function now(deps: RouteDeps): string {
  return deps.clock().toISOString();
}

function changed(message: string, answer: ItemChanged): ItemChangedResponse {
  return { message, ...answer };
}

/** Throws HttpError 400: an item can be copied or allocated, but an edit never changes its owner. */
function refuseOtherOwner(
  { consignorID }: Pick<EditItemOutput, "consignorID">,
  ownerUid: OwnerUid,
  message = "An edit cannot move an item to another owner. Allocate or copy units of it instead",
): void {
  if (consignorID && consignorID !== ownerUid) {
    throw badRequest("owner_differs", message, "consignorID");
  }
}

function adding(deps: RouteDeps, ownerUid: OwnerUid, form: AddMasterItemOutput): AddItem {
  const { itemName, barcode1, quantity } = form;
  const details: ItemDetails = {
    itemName,
    barcode1,
    listingTitle: form.listingTitle ?? "",
    barcode2: form.barcode2 ?? "",
    location: form.location ?? "",
    link: form.link ?? "",
    imageUrl: form.imageUrl ?? "",
    asin: form.asin ?? "",
  };
  const { tagPriceCents = null } = form;
  const added = { itemId: deps.newId(), ownerUid, details, quantity, tagPriceCents };
  return { ...added, source: "manual", happenedAt: now(deps) };
}

function editing(
  deps: RouteDeps,
  itemId: string,
  ownerUid: OwnerUid,
  form: EditItemOutput,
): EditItem {
  const { itemName, barcode1, listingTitle, barcode2, location, link, imageUrl, asin } = form;
  return {
    itemId,
    ownerUid,
    changes: {
      itemName,
      barcode1,
      ...(listingTitle === undefined ? {} : { listingTitle }),
      ...(barcode2 === undefined ? {} : { barcode2 }),
      ...(location === undefined ? {} : { location }),
      ...(link === undefined ? {} : { link }),
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(asin === undefined ? {} : { asin }),
    },
    ...(form.tagPriceCents === undefined ? {} : { tagPriceCents: form.tagPriceCents }),
    quantity: form.quantity,
    reason: form.reason === undefined || form.reason === "" ? null : form.reason,
    expectedVersion: form.expectedVersion ?? null,
    happenedAt: now(deps),
  };
}
