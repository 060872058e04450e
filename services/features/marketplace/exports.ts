// The marketplace as lines of a CSV file: what its cards and the request form show about each barcode, without sellers.
import { CSV_MAX_LINES, money, tooManyLines } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { MarketplaceFilters, MarketplaceItem } from "#features/marketplace/contract.ts";
import { readMarketPage } from "#features/marketplace/queries.ts";
import type { MarketReads } from "#features/marketplace/queries.ts";
import { toDollars } from "#ledger/money.ts";

/** Long pages, because each page sorts the whole list again. */
const LIMITS = { lines: CSV_MAX_LINES, page: 2_000 };

export const MARKETPLACE_CSV_HEAD = [
  "Item",
  "Barcode",
  "Units",
  "Consignors",
  "Last traded at",
  "Open requests",
  "Units wanted",
  "Link",
] as const;

function cellsOf(item: MarketplaceItem): readonly Cell[] {
  const { lastTradedPriceCents: last } = item;
  return [
    item.itemName,
    item.barcode1,
    item.totalQuantity,
    item.consignorCount,
    money(last === null ? null : toDollars(last)),
    item.openRequests,
    item.unitsWanted,
    item.link,
  ];
}

/** All that matches in the list's order, in batches. Throws HttpError 400 if it is too much for a file. */
export async function* exportMarketplace(
  reads: MarketReads,
  viewerUid: string,
  filters: MarketplaceFilters,
  limits = LIMITS,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let cursor: string | undefined;
  do {
    const query = { ...filters, cursor, limit: limits.page };
    const { items, matching, nextCursor } = await readMarketPage(reads, viewerUid, query);
    if (cursor === undefined && matching > limits.lines) {
      throw tooManyLines(limits.lines);
    }
    yield items.map(cellsOf);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
