// Finds items among a million: how a wish becomes SQL, and which of two ways through the table is taken.
import type { Sql } from "#db/connect.ts";
import { containing, literally, wordsOf } from "#db/like.ts";

/** What to look for; an empty text, null or "all" does not narrow the search. */
export type SearchWish = {
  readonly searchTerm: string;
  /** How the location begins. */
  readonly location: string;
  readonly ownerUid: string | null;
  readonly filter: "all" | "master" | "consignor";
  readonly preset: "zero-stock" | "no-image" | "no-location" | null;
};

/** An item's row as `read.inventory_items` has it. */
export type ItemRow = {
  readonly id: string;
  readonly owner_uid: string | null;
  readonly item_name: string;
  readonly listing_title: string;
  readonly barcode1: string;
  readonly barcode2: string;
  readonly location: string;
  readonly link: string;
  readonly image_url: string;
  readonly asin: string;
  readonly quantity: number;
  readonly version: number;
  readonly archived: boolean;
  readonly added_at: Date;
};

export const itemColumns = `id, owner_uid, item_name, listing_title, barcode1, barcode2, location, link,
  image_url, asin, quantity, version, archived, added_at`;

/**
 * How many of the newest items are looked through before an index is asked. Most wishes fill a page sooner;
 * those that do not are rare enough for the index to hand over all of them at once.
 */
const newestFirst = 10_000;

/** Of so many newest items at least one has any term that is not rare; where none has, the index is asked at once. */
const firstLook = 1000;

/** Items at a place that are few enough to be fetched and sorted. */
const fewAtPlace = 3000;

/** From this length on, a term that is somebody's barcode is taken for a scanned one, which few others contain. */
const scannedLength = 8;

const countCap = 10_000;

/** SQL conditions and the parameters that they name. */
type Conditions = {
  /** Each of these leaves an index in the order of the list. */
  readonly ordered: readonly string[];
  /** The place, for which there is an index in another order. */
  readonly place: readonly string[];
  /** The term's words, for which there is none where they have fewer than three characters. */
  readonly term: readonly string[];
  readonly hasIndexedTerm: boolean;
  readonly parameters: readonly string[];
};

/** A part of a list. */
type Part = { readonly offset: number; readonly limit: number };

const presets = {
  "zero-stock": "out_of_stock",
  "no-image": "image_url = ''",
  "no-location": "location = ''",
} as const;

function conditionsOf(wish: SearchWish): Conditions {
  const parameters: string[] = [];
  const given = (value: string) => `$${parameters.push(value)}::text`;
  const ordered = ["not archived"];
  if (wish.ownerUid !== null) {
    ordered.push(`owner_uid = ${given(wish.ownerUid)}`);
  }
  if (wish.filter !== "all") {
    ordered.push(wish.filter === "master" ? "owner_uid is null" : "owner_uid is not null");
  }
  if (wish.preset !== null) {
    ordered.push(presets[wish.preset]);
  }
  const place =
    wish.location === ""
      ? []
      : [`location_text like lower(${given(`${literally(wish.location)}%`)})`];
  const words = wordsOf(wish.searchTerm);
  const term = words.map((word) => hasWord(word, given));
  return { ordered, place, term, hasIndexedTerm: words.some(hasTrigrams), parameters };
}

function hasTrigrams(term: string): boolean {
  // oxlint-disable-next-line typescript/no-misused-spread -- trigrams are of code points
  return [...term].length >= 3;
}

function hasWord(word: string, given: (value: string) => string): string {
  // No trigram is as short as that: another collation keeps the planner from walking the whole index instead.
  const collation = hasTrigrams(word) ? "" : 'collate "C"';
  const pattern = `lower(${given(containing(word))})`;
  return `search_text ${collation} like ${pattern} ${collation}`;
}

function all(...conditions: readonly string[]): string {
  return conditions.join(" and ");
}

/**
 * Runs a statement with a plan made for these very parameters: one plan for every term would be a bad one
 * for most of them.
 */
function run<Row extends object>(
  sql: Sql,
  statement: string,
  parameters: readonly string[],
): Promise<readonly Row[]> {
  return sql.unsafe<Row[]>(statement, [...parameters], { prepare: false });
}

/**
 * Rows of the list from `offset` on, at most `limit`: items whose barcode is the term come first, then the
 * newest. Archived items are left out.
 */
export async function searchItems(
  sql: Sql,
  wish: SearchWish,
  offset: number,
  limit: number,
): Promise<readonly ItemRow[]> {
  const conditions = conditionsOf(wish);
  if (wish.searchTerm === "") {
    return searchRest(sql, conditions, { offset, limit });
  }
  const { ordered, place, term, hasIndexedTerm } = conditions;
  const isExact = `$${conditions.parameters.length + 1}::text in (barcode1, barcode2)`;
  const parameters = [...conditions.parameters, wish.searchTerm];
  const exact = await run<ItemRow>(
    sql,
    `select ${itemColumns} from read.inventory_items
    where ${all(...ordered, ...place, ...term, isExact)}
    order by added_position desc limit ${offset + limit}`,
    parameters,
  );
  const first = exact.slice(offset);
  if (first.length === limit) {
    return first;
  }
  const rest = {
    ordered,
    place,
    term: [...term, `not ${isExact}`],
    hasIndexedTerm,
    parameters,
  };
  const part = { offset: Math.max(0, offset - exact.length), limit: limit - first.length };
  const isScanned = exact.length > 0 && wish.searchTerm.length >= scannedLength;
  const more = isScanned ? await searchAll(sql, rest, part) : await searchRest(sql, rest, part);
  return [...first, ...more];
}

/** The matching items from the newest on, by whichever way is short. */
async function searchRest(
  sql: Sql,
  conditions: Conditions,
  part: Part,
): Promise<readonly ItemRow[]> {
  const { ordered, place, term } = conditions;
  if (place.length === 0 && term.length === 0) {
    return searchNewest(sql, conditions, part, null);
  }
  if (place.length > 0) {
    const atPlace = ["not archived", ...place];
    if (part.offset > 0 && !(await hasMore(sql, conditions, atPlace, part.offset))) {
      return [];
    }
    if (part.offset > fewAtPlace || !(await hasMore(sql, conditions, atPlace, fewAtPlace))) {
      return searchAll(sql, conditions, part);
    }
  }
  const isNarrow = ordered.length > 1;
  const far = Math.max(newestFirst, 4 * (part.offset + part.limit));
  const looks = [far, 4 * far];
  if (conditions.hasIndexedTerm && part.offset === 0) {
    looks.unshift(firstLook);
  }
  for (const newest of looks) {
    const found = await searchNewest(sql, conditions, part, newest);
    if (
      found.length === part.limit ||
      (isNarrow && !(await hasMore(sql, conditions, ordered, newest)))
    ) {
      return found;
    }
    // A page that was nearly full is full after a longer walk; an index would have too much to hand over.
    const isRare = newest === firstLook ? found.length === 0 : found.length * 4 < part.limit;
    if (isRare) {
      break;
    }
  }
  return searchAll(sql, conditions, part);
}

/** Whether more than so many items meet conditions that an index answers alone. */
async function hasMore(
  sql: Sql,
  { parameters }: Conditions,
  indexed: readonly string[],
  count: number,
): Promise<boolean> {
  // Every parameter has to be named, so the ones that other conditions need are named here too.
  const named = parameters.map((_, index) => `$${index + 1}::text is not null`);
  const rows = await run(
    sql,
    `select from read.inventory_items where ${all(...indexed, ...named)} offset ${count} limit 1`,
    parameters,
  );
  return rows.length > 0;
}

/** Walks the newest items in the order of the list, and no further than a page needs. */
function searchNewest(
  sql: Sql,
  { ordered, place, term, parameters }: Conditions,
  { offset, limit }: Part,
  newest: number | null,
): Promise<readonly ItemRow[]> {
  return run<ItemRow>(
    sql,
    `select ${itemColumns} from (
      select * from read.inventory_items where ${all(...ordered)}
      order by added_position desc limit ${newest ?? "all"}) newest
    where ${all("true", ...place, ...term)}
    order by added_position desc offset ${offset} limit ${limit}`,
    parameters,
  );
}

/** Lets the indexes find all that matches, and sorts it. */
function searchAll(
  sql: Sql,
  { ordered, place, term, parameters }: Conditions,
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  // Materialized, so that the order of the page does not tempt the planner to walk the whole table.
  return run<ItemRow>(
    sql,
    `with matching as materialized (
      select id, added_position from read.inventory_items
      where ${all(...ordered, ...place, ...term)}),
    page as (
      select id from matching order by added_position desc offset ${offset} limit ${limit})
    select ${itemColumns} from page join read.inventory_items using (id)
    order by added_position desc`,
    parameters,
  );
}

/** How many items match, up to a limit; `capped` says that there are more. */
export async function countItems(
  sql: Sql,
  wish: SearchWish,
): Promise<{ readonly count: number; readonly capped: boolean }> {
  const { ordered, place, term, parameters } = conditionsOf(wish);
  const [row] = await run<{ count: number }>(
    sql,
    `select count(*) as count from (
      select from read.inventory_items
      where ${all(...ordered, ...place, ...term)} limit ${countCap + 1}) matching`,
    parameters,
  );
  const count = row?.count ?? 0;
  return { count: Math.min(count, countCap), capped: count > countCap };
}

/** An item on its way into a file, with its place in the order. */
export type ExportedRow = ItemRow & { readonly added_position: number };

/** The next items that match, newest first, added before a position; at most `limit`. */
export function exportItems(
  sql: Sql,
  wish: SearchWish,
  before: number,
  limit: number,
): Promise<readonly ExportedRow[]> {
  const { ordered, place, term, parameters } = conditionsOf(wish);
  return run<ExportedRow>(
    sql,
    `select ${itemColumns}, added_position from read.inventory_items
    where ${all(...ordered, ...place, ...term)} and added_position < ${before}
    order by added_position desc limit ${limit}`,
    parameters,
  );
}
