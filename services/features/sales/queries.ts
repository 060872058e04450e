// The reads of sales: current sales with people's names, as pages and as CSV files.
import { sql } from "kysely";
import { CSV_MAX_LINES, money, tooManyLines } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable, withTables } from "#http/reads.ts";
import { statement } from "#http/statement.ts";
import type { ValueOf } from "#http/statement.ts";
import type { Profiles } from "#identity/profiles.ts";
import { textArray } from "#ledger/log/encode.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import type {
  OwnSaleView,
  SaleListResponse,
  SaleSort,
  SaleView,
} from "#features/sales/contract.ts";
import { receiptNumberOf } from "#features/sales/contract-receipt.ts";
import { saleRecord } from "#features/sales/sale-record.ts";
import { conditionsOf, saleColumns } from "#features/sales/search-conditions.ts";
import { countSales, cursorAfter, searchSales } from "#features/sales/search.ts";
import { sortedSaleIds } from "#features/sales/search-sorted.ts";
import type { SaleQuery, SaleRow } from "#features/sales/search-conditions.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { salesTable } from "#features/sales/projection.ts";

const inSales = withTables(salesTable);

/** Other requests wait while one batch is made, so it takes a few milliseconds. */
const EXPORT_BATCH = 200;
/** The most sales that a screen counts. */
const COUNT_CAP = 10_000;

/** One page of the matching sales, and how many there are. */
export async function listSales(
  searches: Reads,
  profiles: Profiles,
  query: SaleQuery,
  paging: { readonly cursor: string | undefined; readonly limit: number },
): Promise<SaleListResponse> {
  const rows = await searchSales(searches, query, paging.cursor, paging.limit + 1);
  const shown = rows.slice(0, paging.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > shown.length;
  const isAll = paging.cursor === undefined && !hasMore;
  const count = isAll
    ? { value: shown.length, capped: false }
    : await countSales(searches, query, COUNT_CAP);
  return {
    sales: await withPictures(searches, await viewsOf(profiles, shown)),
    nextCursor: hasMore && last !== undefined ? cursorAfter(last) : null,
    hasMore,
    count,
  };
}

/** A sale as it is now; undefined if there is none. */
export async function findSaleById(
  reads: Reads,
  profiles: Profiles,
  saleId: string,
): Promise<SaleView | undefined> {
  const rows = await inSales(reads)
    .selectFrom("read.sales")
    .select(saleColumns)
    .where("sale_id", "=", saleId)
    .execute();
  const [view] = await withPictures(reads, await viewsOf(profiles, rows));
  return view;
}

const readPictures = statement(
  (_reads, value: ValueOf<{ readonly ids: string }>) =>
    sql<{ readonly id: string; readonly image_url: string }>`
    select id, image_url from ${nameOfTable(inventoryItemsTable)}
    where id = any (${value("ids")}::uuid[]) and image_url <> ''`,
);

/** One more read for the whole page. */
async function withPictures(reads: Reads, views: readonly SaleView[]): Promise<SaleView[]> {
  const ids = [...new Set(views.flatMap(({ itemUID }) => itemUID ?? []))];
  if (ids.length === 0) {
    return [...views];
  }
  const rows = await readPictures(reads, { ids: `{${ids.join(",")}}` });
  const pictures = new Map(rows.map(({ id, image_url: address }) => [id, address]));
  return views.map((view) => {
    const imageUrl = pictures.get(view.itemUID ?? "");
    return imageUrl === undefined ? view : { ...view, imageUrl };
  });
}

async function viewsOf(profiles: Profiles, rows: readonly SaleRow[]): Promise<SaleView[]> {
  const uids = rows.flatMap(({ consignor_id: uid }) => (uid === null ? [] : [uid]));
  const names = await profiles.displayNames(new Set(uids));
  return rows.map((row) => viewOf(row, names));
}

function viewOf(row: SaleRow, names: ReadonlyMap<string, string>): SaleView {
  return {
    saleID: row.sale_id,
    kind: row.kind,
    consignorID: row.consignor_id,
    consignorDisplayName: row.consignor_id === null ? null : (names.get(row.consignor_id) ?? null),
    itemUID: row.item_id,
    barcode1: row.barcode1,
    itemName: row.item_name,
    soldQuantity: row.units,
    salePrice: row.price_cents === null ? null : toDollars(row.price_cents),
    shippingCost: toDollars(row.shipping_cents),
    salesTax: toDollars(row.sales_tax_cents),
    taxRate:
      row.tax_rate_basis_points === null
        ? null
        : { basisPoints: row.tax_rate_basis_points, outdated: row.tax_rate_outdated },
    consignorPercentage: row.consignor_percentage,
    payoutAmount: toDollars(row.payout_cents),
    storeAmount: toDollars(row.store_cents),
    saleRecord: saleRecord({
      kind: row.kind,
      priceCents: row.price_cents,
      shippingCents: row.shipping_cents,
      consignorPercentage: row.consignor_percentage,
      payoutCents: row.payout_cents,
    }),
    dateSold: row.sold_at.toISOString(),
    timestamp: row.sold_at.getTime(),
    channel: row.channel,
    receiptID: row.receipt_id,
    tender: row.tender,
    taxExempt: row.tax_exempt,
    status: row.status,
    refundedQuantity: row.refunded_units,
    refundedAmount: toDollars(row.refunded_price_cents),
    refundedTax: toDollars(row.refunded_tax_cents),
    refundedPayout: toDollars(row.refunded_payout_cents),
    corrections: row.corrections,
    version: row.version,
  };
}

/** The sale without what only admins read. */
export function ownViewOf(view: SaleView): OwnSaleView {
  const {
    salesTax: _tax,
    refundedTax: _refunded,
    taxRate: _rate,
    taxExempt: _exempt,
    ...untaxed
  } = view;
  const { storeAmount: _store, receiptID: _receipt, tender: _tender, ...own } = untaxed;
  return own;
}

/** In each line, sale price − refunded price − shipping = payout + store. */
export const saleCsvHead = [
  "Sale ID",
  "Date sold",
  "Kind",
  "Consignor",
  "Consignor ID",
  "Item",
  "Barcode",
  "Quantity",
  "Sale price",
  "Shipping",
  "Sales tax",
  "Consignor %",
  "Payout after refunds",
  "Store after refunds",
  "Channel",
  "Status",
  "Refunded quantity",
  "Refunded price",
  "Refunded tax",
  "Refunded payout",
  "Tax rate",
  "Tender",
  "Receipt",
  "Tax exempt",
] as const;

/** The columns that only admins read, as `ownViewOf` leaves them out. */
const adminColumns: ReadonlySet<string> = new Set<(typeof saleCsvHead)[number]>([
  "Sales tax",
  "Store after refunds",
  "Refunded tax",
  "Tax rate",
  "Tender",
  "Receipt",
]);

const isOwnCell = (_cell: Cell, index: number) => !adminColumns.has(saleCsvHead[index] ?? "");

export const ownCsvHead = saleCsvHead.filter(isOwnCell);

/** The lines of `exportSales`, below `ownCsvHead`. */
export async function* ownLines(batches: AsyncGenerator<Cell[][]>): AsyncGenerator<Cell[][]> {
  for await (const lines of batches) {
    yield lines.map((line) => line.filter(isOwnCell));
  }
}

/** All matching sales in the list's order, as lines below `saleCsvHead`. Throws HttpError 400 if there are too many for a file. */
export async function* exportSales(
  searches: Reads,
  profiles: Profiles,
  query: SaleQuery,
  maxLines = CSV_MAX_LINES,
): AsyncGenerator<Cell[][]> {
  if ((await countSales(searches, query, maxLines)).capped) {
    throw tooManyLines(maxLines);
  }
  const batches =
    query.sort === undefined || query.sort === "date"
      ? batchesByDate(searches, query)
      : batchesSorted(searches, query, query.sort, maxLines);
  for await (const rows of batches) {
    const views = await viewsOf(profiles, rows);
    yield views.map(csvOf);
  }
}

async function* batchesByDate(
  searches: Reads,
  query: SaleQuery,
): AsyncGenerator<readonly SaleRow[]> {
  for (let cursor: string | undefined, more = true; more;) {
    const rows = await searchSales(searches, query, cursor, EXPORT_BATCH);
    const last = rows.at(-1);
    more = rows.length === EXPORT_BATCH && last !== undefined;
    cursor = last === undefined ? cursor : cursorAfter(last);
    yield rows;
  }
}

/** Sorts once, and not again for each batch. */
async function* batchesSorted(
  searches: Reads,
  query: SaleQuery,
  sort: Exclude<SaleSort, "date">,
  maxLines: number,
): AsyncGenerator<readonly SaleRow[]> {
  const sorting = { sort, order: query.order ?? "asc" };
  const ids = await sortedSaleIds(searches, conditionsOf(query), sorting, maxLines);
  for (let from = 0; from < ids.length; from += EXPORT_BATCH) {
    const batch = ids.slice(from, from + EXPORT_BATCH);
    const rows = await inSales(searches)
      .selectFrom("read.sales")
      .select(saleColumns)
      .where("sale_id", "=", sql<string>`any (${textArray(batch)}::uuid[])`)
      .execute();
    const byId = new Map(rows.map((row) => [row.sale_id, row]));
    yield batch.flatMap((id) => byId.get(id) ?? []);
  }
}

/** "8.25%"; "8.25% (outdated)" where the store had another rate by then. */
function taxRateCell({ taxRate }: SaleView): string | null {
  return taxRate === null
    ? null
    : `${taxRate.basisPoints / 100}%${taxRate.outdated ? " (outdated)" : ""}`;
}

function csvOf(sale: SaleView): Cell[] {
  return [
    sale.saleID,
    sale.dateSold,
    sale.kind,
    sale.consignorDisplayName,
    sale.consignorID,
    sale.itemName,
    sale.barcode1,
    sale.soldQuantity,
    money(sale.salePrice),
    money(sale.shippingCost),
    money(sale.salesTax),
    sale.consignorPercentage,
    money(toDollars(toCents(sale.payoutAmount) - toCents(sale.refundedPayout))),
    money(sale.storeAmount),
    sale.channel,
    sale.status,
    sale.refundedQuantity,
    money(sale.refundedAmount),
    money(sale.refundedTax),
    money(sale.refundedPayout),
    taxRateCell(sale),
    sale.tender,
    sale.receiptID === null ? null : receiptNumberOf(sale.receiptID),
    sale.taxExempt ? "yes" : null,
  ];
}
