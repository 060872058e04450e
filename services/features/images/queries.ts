// Lists the items without a picture whose product the retailer's number or the link tells.
import { sql } from "kysely";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { nameOfTable, type Reads } from "#http/reads.ts";
import type { MissingImagesResponse } from "#features/images/contract.ts";
import { LINKS_TO_PRODUCTS, searchableLinks } from "#features/images/searchable-links.ts";

const LISTED = 200;
/** How many items without a picture are looked at, the newest first: an index has them in this order. */
const LOOKED_AT = 2_000;

type MissingRow = {
  readonly id: string;
  readonly owner_uid: string | null;
  readonly item_name: string;
  readonly barcode1: string;
  readonly link: string;
  readonly asin: string;
  readonly missing: number;
  readonly searchable: number;
};

export async function readMissingImages(
  searches: Reads,
  hosts: ReadonlySet<string>,
): Promise<MissingImagesResponse> {
  const { rows } = await sql<MissingRow>`
    with missing as (
      select id, owner_uid, item_name, barcode1, link, asin, added_position,
        ${sql.raw(LINKS_TO_PRODUCTS)} as is_searchable
      from ${nameOfTable(inventoryItemsTable)}, (select ${searchableLinks(hosts)}::text as pattern) p
      where image_url = '' and not archived
      order by added_position desc limit ${LOOKED_AT + 1}),
    counts as (
      select count(*)::int as missing, count(*) filter (where is_searchable)::int as searchable
      from missing)
    select m.id, m.owner_uid, m.item_name, m.barcode1, m.link, m.asin, c.missing, c.searchable
    from counts c left join (
      select * from missing where is_searchable order by added_position desc limit ${LISTED}) m on true
    order by m.added_position desc`.execute(searches);
  const { missing = 0, searchable = 0 } = rows[0] ?? {};
  return {
    // Without items the counts come alone.
    items: rows
      .filter(({ id }) => id !== null)
      .map((row) => ({
        itemUID: row.id,
        consignorUID: row.owner_uid,
        itemName: row.item_name,
        barcode1: row.barcode1,
        link: row.link,
        asin: row.asin,
      })),
    debug: {
      missingImages: Math.min(missing, LOOKED_AT),
      searchable: Math.min(searchable, LOOKED_AT),
      listed: LISTED,
      capped: missing > LOOKED_AT,
    },
  };
}
