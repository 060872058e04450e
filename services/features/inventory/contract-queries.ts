// The requests of the calls that read the inventory. Apart from the responses, because the first screen needs only those.
import * as z from "zod/mini";
import { consignorId, maxNameLength, text, uuid } from "#features/inventory/contract-fields.ts";
import { itemSort } from "#features/inventory/contract.ts";

export const ownerFilter = z.enum(["all", "master", "consignor"]);
export const searchPreset = z.enum(["zero-stock", "no-image", "no-location"]);

const searchFilters = {
  /** Part of a name, listing title or barcode, ignoring case; an exact barcode comes first. */
  searchTerm: z.optional(text(maxNameLength)),
  /** The beginning of the location, ignoring case. */
  location: z.optional(text(maxNameLength)),
  /**
   * A consignor's uid, or part of the name, username or email of one or several; empty for all. Without admin rights
   * it is always the caller's own.
   */
  consignor: z.optional(text(maxNameLength)),
  filter: z.optional(ownerFilter),
  preset: z.optional(searchPreset),
  /** Items in stock of which no unit came in or was sold for at least this many days. */
  unsoldDays: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(3650))),
};

/** A number in a query string; an empty one is read as 0 and is therefore out of range. */
export function queryNumber(max: number, absent: number) {
  // oxlint-disable-next-line no-underscore-dangle -- this is what zod/mini calls a default
  return z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(max)), absent);
}

export const maxSearchLimit = 200;
export const defaultSearchLimit = 50;

const paging = {
  limit: queryNumber(maxSearchLimit, defaultSearchLimit),
  page: queryNumber(20_000, 1),
};

/** More matching items than this cannot be sorted by quantity: 400 `too_many_to_sort`. */
export const MOST_SORTED_BY_QUANTITY = 10_000;

/** GET /inventory/search */
export const searchQuery = z.strictObject({
  ...searchFilters,
  /**
   * Without it, an item whose barcode is the term comes first, then the newest, regardless of `order`; with
   * `unsoldDays`, the oldest come first.
   */
  sort: z.optional(itemSort),
  // oxlint-disable-next-line no-underscore-dangle -- this is what zod/mini calls a default
  order: z._default(z.enum(["asc", "desc"]), "asc"),
  ...paging,
});

/** GET /inventory/search/count, and GET /inventory/search/export, which returns a CSV file. */
export const searchCountQuery = z.strictObject(searchFilters);

/** GET /inventory/items/{id}/timeline: newest first. */
export const timelineQuery = z.strictObject(paging);

export const itemParam = z.strictObject({ id: uuid });
export const consignorItemParam = z.strictObject({ consignorId, itemId: uuid });

export type SearchQuery = z.output<typeof searchQuery>;
export type SearchCountQuery = z.output<typeof searchCountQuery>;
