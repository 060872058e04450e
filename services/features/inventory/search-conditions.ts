// The conditions of an inventory search, shared by its SQL statements.
import type { Expression, SqlBool } from "kysely";
import { expressionBuilder, sql } from "kysely";
import { containing, literally, wordsOf } from "#db/like.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { columnsOf } from "#ledger/projection/columns.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";

/** What to look for; an empty text, null or "all" does not narrow the search. */
export type ItemQuery = {
  readonly searchTerm: string;
  /** The beginning of the location. */
  readonly location: string;
  /** Items of any of these people; null for all. */
  readonly ownerUids: readonly string[] | null;
  readonly filter: "all" | "master" | "consignor";
  readonly preset: "zero-stock" | "no-image" | "no-location" | null;
  /** In stock, and no unit came in or was sold since; null for all. */
  readonly unsoldSince: Date | null;
};

const inner = [
  "added_position",
  "updated_position",
  "out_of_stock",
  "location_text",
  "search_text",
] as const;

/** The columns that lists need. */
export type ItemRow = Omit<RowOf<typeof inventoryItemsTable>, (typeof inner)[number]>;
export const itemColumns = columnsOf(inventoryItemsTable, ...inner);

/** Each is true of an item's row. */
export type Conditions = {
  /** Conditions with an index in the list's order, newest first. */
  readonly ordered: readonly Expression<SqlBool>[];
  /** The location, which has an index in another order. */
  readonly place: readonly Expression<SqlBool>[];
  /** The term's words, of which those with fewer than three characters have no index; and several owners. */
  readonly term: readonly Expression<SqlBool>[];
  readonly hasIndexedTerm: boolean;
  /** The list is in the order of intake, oldest first, which has an index for what lies unsold. */
  readonly isUnsold: boolean;
  /** Whose items can match, according to `ordered`. */
  readonly owners: ItemQuery["filter"];
};

/** A part of a list. */
export type Part = { readonly offset: number; readonly limit: number };

const row = expressionBuilder<{ item: RowOf<typeof inventoryItemsTable> }, "item">();

export const notArchived = sql<SqlBool>`not archived`;

// As literals, so that the partial indexes on them can be used.
const presets = {
  "zero-stock": sql<SqlBool>`out_of_stock`,
  "no-image": sql<SqlBool>`image_url = ''`,
  "no-location": sql<SqlBool>`location = ''`,
} as const;

export function conditionsOf(query: ItemQuery): Conditions {
  const { ownerUids, filter, preset, location, searchTerm, unsoldSince } = query;
  const ordered: Expression<SqlBool>[] = [notArchived];
  const [ownerUid, another] = ownerUids ?? [];
  if (ownerUids !== null && another === undefined) {
    ordered.push(ownerUid === undefined ? sql<SqlBool>`false` : row("owner_uid", "=", ownerUid));
  }
  if (filter !== "all") {
    ordered.push(row("owner_uid", filter === "master" ? "is" : "is not", null));
  }
  if (preset !== null) {
    ordered.push(presets[preset]);
  }
  if (unsoldSince !== null) {
    const since = unsoldSince.toISOString();
    ordered.push(
      sql<SqlBool>`not out_of_stock`,
      // Nothing is sold before it was added: this is what the index finds.
      sql<SqlBool>`added_at <= ${since}::timestamptz`,
      sql<SqlBool>`unsold_since <= ${since}::timestamptz`,
    );
  }
  const place =
    location === ""
      ? []
      : [sql<SqlBool>`location_text like lower(${`${literally(location)}%`}::text)`];
  const words = wordsOf(searchTerm);
  return {
    ordered,
    place,
    // Several owners have no common index in the list's order.
    term: [
      ...(another === undefined ? [] : [sql<SqlBool>`owner_uid = any(${ownerUids}::text[])`]),
      ...words.map(hasWord),
    ],
    hasIndexedTerm: words.some(hasTrigrams),
    isUnsold: unsoldSince !== null,
    owners: ownerUids === null ? filter : "consignor",
  };
}

function hasTrigrams(term: string): boolean {
  // oxlint-disable-next-line typescript/no-misused-spread -- trigrams are of code points
  return [...term].length >= 3;
}

function hasWord(word: string): Expression<SqlBool> {
  // A trigram index cannot help with so short a word. Another collation keeps the planner from scanning all of it anyway.
  const collation = hasTrigrams(word) ? sql`` : sql`collate "C"`;
  return sql`search_text ${collation} like lower(${containing(word)}::text) ${collation}`;
}

export function all(...conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return row.and(conditions);
}
