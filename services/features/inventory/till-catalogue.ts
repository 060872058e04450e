// What a point of sale keeps at hand, so that it sells while nobody answers: all that is in stock, and what changed since.
import type { Hono } from "hono";
import type { Sql } from "#db/connect.ts";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { queryString } from "#http/validate.ts";
import type { Profiles } from "#identity/profiles.ts";
import {
  catalogueChangesQuery,
  catalogueChangesResponse,
  catalogueQuery,
  catalogueResponse,
  type CatalogueItem,
} from "#features/inventory/contract.ts";

const tag = "inventory";

/** So many positions of the log are looked through for one answer at most. */
const changesSpan = 20_000;

/** So many touched items go into one answer at most, save those of one and the same event. */
const changesLimit = 2000;

type CatalogueRow = {
  readonly id: string;
  readonly owner_uid: string | null;
  readonly item_name: string;
  readonly barcode1: string;
  readonly barcode2: string;
  readonly location: string;
  readonly image_url: string;
  readonly quantity: number;
  readonly archived: boolean;
  readonly added_position: number;
};

const columns =
  "id, owner_uid, item_name, barcode1, barcode2, location, image_url, quantity, archived, added_position";

export function addTillCatalogue(routes: Hono<AppEnv>, { sql, profiles }: RouteDeps): void {
  routes.get(
    "/inventory/catalogue",
    admin,
    documented({ summary: "List what is in stock, for a till", tag, answer: catalogueResponse }),
    queryString(catalogueQuery),
    readsFrom("inventory"),
    async (c) => {
      const { before, limit } = c.req.valid("query");
      const rows = await sql.unsafe<CatalogueRow[]>(
        `select ${columns} from read.inventory_items
        where not archived and not out_of_stock and added_position < $1
        order by added_position desc limit $2`,
        [before ?? Number.MAX_SAFE_INTEGER, limit + 1],
        { prepare: true },
      );
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
      const { ids, through } = await touchedSince(sql, since, c.var.freshTo);
      const rows =
        ids.length === 0
          ? []
          : await sql.unsafe<CatalogueRow[]>(
              `select ${columns} from read.inventory_items where id = any ($1::uuid[])
              order by added_position desc`,
              [ids],
              { prepare: true },
            );
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
  sql: Sql,
  since: number,
  reached: number,
): Promise<{ ids: string[]; through: number }> {
  const end = Math.min(reached, since + changesSpan);
  const rows = await sql<{ id: string; position: number }[]>`
    select log.id_of_item_stream(stream_id) as id, position from log.event_streams
    where position > ${since} and position <= ${end} and log.is_item_stream(stream_id)
    order by position limit ${changesLimit + 1}`;
  // An answer ends between two events, never within one.
  const cut = rows.length > changesLimit ? rows.at(-1) : undefined;
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
    archived: row.archived,
  }));
}
