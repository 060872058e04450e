// What the routes of trades look up on the primary before a command is decided: who has an item, and the current trade.
import type { Sql } from "#db/connect.ts";
import type { HttpError } from "#http/errors.ts";
import { notFound } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";
import type { TradeTermsResponse } from "#features/trades/contract-reads.ts";
import type { PossibleSeller } from "#features/trades/decider-request.ts";
import type { Trade } from "#features/trades/streams.ts";
import { tradeStream, tradeStreamId } from "#features/trades/streams.ts";

/** Everybody who has an item in stock, and what it is called. */
export type FoundItem = {
  readonly itemName: string;
  readonly itemLink: string;
  readonly imageUrl: string;
  readonly sellers: readonly PossibleSeller[];
};

/** A trade's offers are one state, which every command about it writes: more would make that too large. */
const MAX_SELLERS = 1_000;

type SellerRow = {
  readonly owner_uid: string;
  readonly ids: string[];
  readonly stock: number;
  readonly names: string[];
  readonly links: string[];
  readonly images: string[];
};

/**
 * The consignors with stock under this barcode, except the buyer; the oldest item comes first. Name, link and image
 * are the requested ones only if a seller's item has them: a request cannot give an item another name.
 */
export async function findSellers(
  sql: Sql,
  buyerUid: string,
  asked: {
    readonly itemBarcode: string;
    readonly itemName: string;
    readonly itemLink?: string | undefined;
    readonly imageUrl?: string | undefined;
  },
): Promise<FoundItem> {
  const rows = await sql<SellerRow[]>`
    select owner_uid, array_agg(id::text order by added_position) as ids, sum(quantity)::int as stock,
      array_agg(item_name order by added_position) as names,
      array_agg(link order by added_position) as links,
      array_agg(image_url order by added_position) as images
    from ${sql(`read.${inventoryItemsTable.name}`)}
    where barcode1 = ${asked.itemBarcode} and owner_uid is not null and owner_uid <> ${buyerUid}
      and not archived and quantity > 0
    group by owner_uid order by min(added_position) limit ${MAX_SELLERS}`;
  return {
    itemName:
      chosen(
        asked.itemName,
        rows.flatMap(({ names }) => names),
      ) || asked.itemName,
    itemLink: chosen(
      asked.itemLink,
      rows.flatMap(({ links }) => links),
    ),
    imageUrl: chosen(
      asked.imageUrl,
      rows.flatMap(({ images }) => images),
    ),
    sellers: rows.map(({ owner_uid: uid, ids: itemIds, stock }) => ({ uid, itemIds, stock })),
  };
}

/** What was asked for if it is one of these; otherwise the first that is not empty. */
function chosen(asked: string | undefined, known: readonly string[]): string {
  const said = known.filter((text) => text !== "");
  return said.find((text) => text === asked) ?? said[0] ?? "";
}

type Parts = { readonly sql: Sql; readonly readEvent: ReadEvent };

/** 404: there is none, or none that concerns this person. */
export function noTrade(): HttpError {
  return notFound("trade_not_found", "There is no such trade");
}

/** The current trade, without what it holds; null for an unknown one. */
export async function readTrade(parts: Parts, tradeId: string): Promise<Trade | null> {
  return (await readState(parts, tradeStream, tradeStreamId(tradeId))).trade;
}

const inBalances = withTables(balancesTable);

/** The rates that would apply to a request of this person now, and the person's balance. */
export async function readTerms(
  parts: Parts & { readonly reads: Reads },
  uid: string,
): Promise<Omit<TradeTermsResponse, "shippingAddress">> {
  const [{ rates }, row] = await Promise.all([
    readState(parts, settingsStream, STORE_SETTINGS),
    inBalances(parts.reads)
      .selectFrom("read.balances")
      .select("balance_cents")
      .where("account", "=", availableAccount.of(uid))
      .executeTakeFirst(),
  ]);
  return {
    commissionPercentage: rates.tradeCommissionPercentage,
    shippingFee: rates.tradeShippingFeeCents,
    availableCents: row?.balance_cents ?? 0,
  };
}
