// What the inventory knows of scanned barcodes before they are taken in: the owner's own item, or somebody else's.
import { sql } from "kysely";
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { jsonBody } from "#http/validate.ts";
import {
  type KnownBarcode,
  knownBarcodesRequest,
  knownBarcodesResponse,
} from "#features/inventory/contract-commands.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type { OwnerUid } from "#features/inventory/streams.ts";

const tag = "inventory";

export function addKnownBarcodes(routes: Hono<AppEnv>, { reads }: RouteDeps): void {
  routes.post(
    "/inventory/known",
    admin,
    documented({
      summary: "Look up scanned barcodes",
      tag,
      answer: knownBarcodesResponse,
    }),
    jsonBody(knownBarcodesRequest),
    readsFrom("inventory"),
    async (c) => {
      const { consignorID, barcodes } = c.req.valid("json");
      return respondFresh(c, { known: await findKnown(reads, consignorID, barcodes) });
    },
  );
}

type KnownRow = {
  readonly id: string;
  readonly is_own: boolean;
  readonly barcode1: string;
  readonly quantity: number;
  readonly item_name: string;
  readonly listing_title: string;
  readonly link: string;
  readonly image_url: string;
};

/** The owner's own item of each barcode; without one, somebody else's: one with a picture first, then the newest. */
async function findKnown(
  reads: Reads,
  ownerUid: OwnerUid,
  barcodes: readonly string[],
): Promise<KnownBarcode[]> {
  const { rows } = await sql<KnownRow>`
    select i.* from (select distinct code from jsonb_array_elements_text(${JSON.stringify(barcodes)}::text::jsonb) as list (code)) c
    cross join lateral (
      select o.id, o.owner_uid is not distinct from ${ownerUid}::text as is_own, o.barcode1, o.quantity,
        o.item_name, o.listing_title, o.link, o.image_url
      from ${nameOfTable(inventoryItemsTable)} o
      where o.barcode1 = c.code and not o.archived
      order by is_own desc, o.image_url <> '' desc, o.added_position desc
      limit 1) i`.execute(reads);
  return rows.map((row) => ({
    barcode1: row.barcode1,
    own: row.is_own ? { id: row.id, quantity: row.quantity } : null,
    itemName: row.item_name,
    listingTitle: row.listing_title,
    link: row.link,
    imageUrl: row.image_url,
  }));
}
