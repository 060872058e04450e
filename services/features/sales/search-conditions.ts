// What a query of sales means in SQL: its conditions, and which of them an index in the list's order can check.
import type { Expression, SqlBool } from "kysely";
import { expressionBuilder, sql } from "kysely";
import { containing, wordsOf } from "#db/like.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { columnsOf } from "#ledger/projection/columns.ts";
import type { SaleSort } from "#features/sales/contract.ts";
import type { SaleTender } from "#features/sales/events.ts";
import { salesTable } from "#features/sales/projection.ts";

/** Builds conditions on a row of `read.sales`. */
export const saleRow = expressionBuilder<{ sale: RowOf<typeof salesTable> }, "sale">();

/** The columns that lists need. */
export type SaleRow = Omit<
  RowOf<typeof salesTable>,
  "search_text" | "updated_position" | "unpriced"
>;
export const saleColumns = columnsOf(salesTable, "search_text", "updated_position", "unpriced");

/** Filters; undefined matches everything. */
export type SaleQuery = {
  /** A part of the item's name, ignoring case, or its exact barcode. */
  readonly searchTerm?: string | undefined;
  readonly consignorId?: string | undefined;
  readonly kind?: SaleRow["kind"] | undefined;
  readonly channel?: "online" | "pos" | undefined;
  /** `unpriced`: of any status, without a price. */
  readonly status?: SaleRow["status"] | "unpriced" | undefined;
  /** `unsaid`: sold at the till, and nobody said how it was paid. */
  readonly paidBy?: SaleTender | "unsaid" | undefined;
  /** Sold at or after, ISO 8601. */
  readonly from?: string | undefined;
  /** Sold before. */
  readonly to?: string | undefined;
  /** Without it, newest first, regardless of `order`. */
  readonly sort?: SaleSort | undefined;
  readonly order?: "asc" | "desc";
};

/**
 * How many sales are scanned in the list's order before the other indexes are used. Most queries fill a page sooner;
 * if one does not, its matches are rare enough to fetch all of them from an index.
 */
export const FIRST_WALK = 10_000;

export type Conditions = {
  /** Conditions with an index in the list's order. */
  readonly ordered: readonly Expression<SqlBool>[];
  /** Conditions that are checked row by row. */
  readonly looked: readonly Expression<SqlBool>[];
};

/** True if the query searches for a text. */
export function isSearched({ searchTerm }: SaleQuery): boolean {
  return searchTerm !== undefined && searchTerm.trim() !== "";
}

export function conditionsOf(query: SaleQuery): Conditions {
  const ordered: Expression<SqlBool>[] = [];
  const looked: Expression<SqlBool>[] = [];
  const { consignorId, from, to, status, kind, channel, paidBy, searchTerm } = query;
  if (consignorId !== undefined) {
    ordered.push(saleRow("consignor_id", "=", consignorId));
  }
  if (from !== undefined) {
    ordered.push(saleRow("sold_at", ">=", sql<Date>`${from}::text::timestamptz`));
  }
  if (to !== undefined) {
    ordered.push(saleRow("sold_at", "<", sql<Date>`${to}::text::timestamptz`));
  }
  if (status === "unpriced") {
    ordered.push(saleRow("price_cents", "is", null));
  } else if (status !== undefined) {
    (status === "sold" ? looked : ordered).push(saleRow("status", "=", status));
  }
  if (kind !== undefined) {
    (kind === "consignor" ? looked : ordered).push(saleRow("kind", "=", kind));
  }
  if (channel !== undefined) {
    looked.push(saleRow("channel", "=", channel));
  }
  if (paidBy !== undefined) {
    looked.push(saleRow("price_cents", "is not", null));
    looked.push(
      paidBy === "unsaid"
        ? saleRow.and([saleRow("channel", "=", "pos"), saleRow("tender", "is", null)])
        : saleRow("tender", "=", paidBy),
    );
  }
  if (searchTerm !== undefined && isSearched({ searchTerm })) {
    const hasEveryWord = wordsOf(searchTerm).map(
      (word) => sql<SqlBool>`search_text like lower(${containing(word)}::text)`,
    );
    looked.push(saleRow.or([saleRow.and(hasEveryWord), saleRow("barcode1", "=", searchTerm)]));
  }
  return { ordered, looked };
}

/** The sale after which a page begins. */
export type After = { readonly soldAt: Date; readonly position: number };
