// Finds things by words in their names, a few of each kind: the newest if the words are common, else by an index.
import { sql, type RawBuilder } from "kysely";
import { asSearched, containing, literally, wordsOf } from "#db/like.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { asThing, type ThingRow } from "#features/lookup/found-rows.ts";
import { salesTable } from "#features/sales/projection.ts";
import { tradesTable } from "#features/trades/projection.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";

/** How many of each kind are shown. */
const FEW = 6;
/** How many of the newest are compared first. Words that none of them has are rare enough for an index. */
const NEWEST = 1000;
/** More matches than this are not sorted. */
const MOST_SORTED = 200;

type Source = {
  readonly columns: RawBuilder<unknown>;
  readonly table: RawBuilder<unknown>;
  readonly isListed: RawBuilder<unknown>;
  /** Newest first. */
  readonly order: RawBuilder<unknown>;
  /** The same as a number. */
  readonly age: RawBuilder<unknown>;
  readonly text: RawBuilder<unknown>;
};

function itemsOf(owner: string | null): Source {
  return {
    columns: asThing.item,
    table: sql`${nameOfTable(inventoryItemsTable)} i`,
    isListed: owner === null ? sql`not i.archived` : sql`not i.archived and i.owner_uid = ${owner}`,
    order: sql`i.added_position desc`,
    age: sql`i.added_position`,
    text: sql`i.search_text`,
  };
}

function salesOf(owner: string | null): Source {
  return {
    columns: asThing.sale,
    table: sql`${nameOfTable(salesTable)} s`,
    isListed: owner === null ? sql`true` : sql`s.consignor_id = ${owner}`,
    order: sql`s.sold_at desc, s.position desc`,
    age: sql`extract(epoch from s.sold_at)`,
    text: sql`s.search_text`,
  };
}

/** Trades have no index of words: a person's newest, and for admins those that wait for the store. */
function tradesOf(owner: string | null): Source {
  return {
    columns: asThing.trade,
    table: sql`${nameOfTable(tradesTable)} t`,
    isListed:
      owner === null
        ? sql`t.status in ('awaiting_shipping', 'shipping_uploaded')`
        : sql`t.buyer_uid = ${owner}`,
    order: owner === null ? sql`t.status_since desc, t.position desc` : sql`t.position desc`,
    age: sql`t.position`,
    text: sql`log.searchable(t.item_name || ' ' || t.barcode1)`,
  };
}

function has(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    words.map((word) => sql`${text} like ${containing(word)}`),
    sql` and `,
  );
}

async function amongNewest(
  searches: Reads,
  { columns, table, isListed, order, text }: Source,
  words: readonly string[],
): Promise<readonly ThingRow[]> {
  const { rows } = await sql<ThingRow>`
    with newest as (
      select ${columns}, ${text} as words from ${table} where ${isListed} order by ${order} limit ${sql.lit(NEWEST)})
    select kind, id, name, code, place, units, cents, at, uid from newest
    where ${has(sql`words`, words)} limit ${sql.lit(FEW)}`.execute(searches);
  return rows;
}

async function amongAll(
  searches: Reads,
  { columns, table, isListed, age, text }: Source,
  words: readonly string[],
): Promise<readonly ThingRow[]> {
  const { rows } = await sql<ThingRow>`
    with matching as materialized (
      select ${columns}, ${age} as age
      from ${table} where ${isListed} and ${has(text, words)} limit ${sql.lit(MOST_SORTED)})
    select kind, id, name, code, place, units, cents, at, uid from matching
    order by age desc, id limit ${sql.lit(FEW)}`.execute(searches);
  return rows;
}

async function named(
  searches: Reads,
  source: Source,
  words: readonly string[],
): Promise<readonly ThingRow[]> {
  const newest = await amongNewest(searches, source, words);
  // Trigrams: shorter words would compare everything.
  const isIndexed = words.some((word) => word.length > 2);
  return newest.length === FEW || !isIndexed ? newest : amongAll(searches, source, words);
}

/** People by name, username and email, those that begin with it first. */
async function peopleNamed(searches: Reads, text: string): Promise<readonly ThingRow[]> {
  const wanted = asSearched(text);
  const beginning = `${literally(wanted)}%`;
  const { rows } = await sql<ThingRow>`
    select ${asThing.consignor} from identity.profiles p
    where p.deactivated_at is null and ${sql.raw(wordsOfPerson("p"))} like ${containing(wanted)}
    order by (log.searchable(p.display_name) like ${beginning} or p.username like ${beginning}
        or log.searchable(p.email) like ${beginning}) is true desc,
      lower(coalesce(p.display_name, p.username, p.email)), p.uid
    limit ${sql.lit(FEW)}`.execute(searches);
  return rows;
}

/** Things with these words in their names; of one owner only, if one is given. */
export async function rowsOfText(
  searches: Reads,
  text: string,
  owner: string | null,
): Promise<readonly ThingRow[]> {
  const words = wordsOf(text.toLowerCase());
  // One letter is in nearly every name.
  if (text.length < 2 || words.length === 0) {
    return [];
  }
  const found = await Promise.all([
    named(searches, itemsOf(owner), words),
    owner === null ? peopleNamed(searches, text) : [],
    named(searches, salesOf(owner), words),
    amongNewest(searches, tradesOf(owner), words),
  ]);
  return found.flat();
}
