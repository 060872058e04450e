// The data for a point of sale's own copy, with which it can sell offline: all items in stock, and later changes.
import type { Hono } from "hono";
import type { SqlBool } from "kysely";
import { sql } from "kysely";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { queryString } from "#http/validate.ts";
import type { Profiles } from "#identity/profiles.ts";
import {
  catalogueChangesQuery,
  catalogueChangesResponse,
  catalogueQuery,
  catalogueResponse,
  type CatalogueItem,
} from "#features/inventory/contract-catalogue.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";

const tag = "inventory";

/** Most positions of the log that one response covers. */
const changesSpan = 20_000;

/** Most changed items in one response, unless a single event changes more. */
const changesLimit = 2000;

const inInventory = withTables(inventoryItemsTable);

function selectItems(reads: Reads) {
  return inInventory(reads)
    .selectFrom("read.inventory_items")
    .select(["id", "owner_uid", "item_name", "barcode1", "barcode2", "location", "image_url"])
    .select(["quantity", "tag_price_cents", "archived", "added_position"])
    .orderBy("added_position", "desc");
}

type CatalogueRow = Awaited<ReturnType<ReturnType<typeof selectItems>["execute"]>>[number];

export function addTillCatalogue(routes: Hono<AppEnv>, { reads, profiles }: RouteDeps): void {
  routes.get(
    "/inventory/catalogue",
    admin,
    documented({
      summary: "List what is in stock, for a point of sale",
      tag,
      answer: catalogueResponse,
    }),
    queryString(catalogueQuery),
    readsFrom("inventory"),
    async (c) => {
      const { before, limit } = c.req.valid("query");
      const rows = await selectItems(reads)
        .where(sql<SqlBool>`not archived and not out_of_stock`)
        .where("added_position", "<", before ?? Number.MAX_SAFE_INTEGER)
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      return respondFresh(c, {
        items: await asItems(profiles, page),
        nextBefore: rows.length > limit ? (page.at(-1)?.added_position ?? null) : null,
      });
    },
  );
  routes.get(
    "/inventory/catalogue/changes",
    admin,
    documented({
      summary: "List the items that changed since a position of the log, as they are now",
      tag,
      answer: catalogueChangesResponse,
    }),
    queryString(catalogueChangesQuery),
    readsFrom("inventory"),
    async (c) => {
      const { since } = c.req.valid("query");
      const { ids, through } = await touchedSince(reads, since, c.var.freshTo);
      const rows =
        ids.length === 0
          ? []
          : await selectItems(reads)
              .where("id", "=", sql<string>`any (${ids}::uuid[])`)
              .execute();
      return respondFresh(c, {
        items: await asItems(profiles, rows),
        through,
        hasMore: through < c.var.freshTo,
      });
    },
  );
}

/** The items that events after `since` touch, up to the position that the read table has reached. */
async function touchedSince(
  reads: Reads,
  since: number,
  reached: number,
): Promise<{ ids: string[]; through: number }> {
  const end = Math.min(reached, since + changesSpan);
  const touched = (to: number) =>
    reads
      .selectFrom("log.event_streams")
      .select([sql<string>`log.id_of_item_stream(stream_id)`.as("id"), "position"])
      .where("position", ">", since)
      .where("position", "<=", to)
      .where(sql<SqlBool>`log.is_item_stream(stream_id)`);
  const rows = await touched(end)
    .orderBy("position")
    .limit(changesLimit + 1)
    .execute();
  // A response ends between two events, never within one.
  const cut = rows.length > changesLimit ? rows.at(-1) : undefined;
  if (cut !== undefined && rows[0]?.position === cut.position) {
    const all = await touched(cut.position).execute();
    return { ids: all.map(({ id }) => id), through: cut.position };
  }
  const through = cut === undefined ? end : cut.position - 1;
  const ids = rows.filter((row) => row.position <= through).map((row) => row.id);
  return { ids: [...new Set(ids)], through };
}

async function asItems(
  profiles: Profiles,
  rows: readonly CatalogueRow[],
): Promise<CatalogueItem[]> {
  const owners = rows.flatMap(({ owner_uid: uid }) => (uid === null ? [] : [uid]));
  const names = await profiles.displayNames(new Set(owners));
  return rows.map((row) => ({
    id: row.id,
    consignorID: row.owner_uid,
    consignorDisplayName: row.owner_uid === null ? null : (names.get(row.owner_uid) ?? null),
    itemName: row.item_name,
    barcode1: row.barcode1,
    barcode2: row.barcode2,
    location: row.location,
    imageUrl: row.image_url,
    quantity: row.quantity,
    tagPriceCents: row.tag_price_cents,
    archived: row.archived,
  }));
}
