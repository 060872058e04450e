// What a search finds, in which order, and that all its query plans give the same result.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reads } from "#http/reads.ts";
import { readsOver } from "#http/reads.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { inventoryItemsTable, inventoryProjection } from "#features/inventory/projection.ts";
import { itemSort, type ItemSort } from "#features/inventory/contract.ts";
import { countItems, searchItems } from "#features/inventory/search.ts";
import type { ItemQuery } from "#features/inventory/search-conditions.ts";
import { avery, blake, idOf } from "#testing/shop/stock-room.ts";
import { sized } from "#testing/trial/size.ts";

type Given = {
  readonly name?: string;
  readonly title?: string;
  readonly barcode1?: string;
  readonly barcode2?: string;
  readonly location?: string;
  readonly owner?: string | null;
  readonly quantity?: number;
  readonly imageUrl?: string;
  readonly archived?: boolean;
  /** Days of May 2024. */
  readonly added?: number;
  readonly sold?: number;
};

const everything: ItemQuery = {
  searchTerm: "",
  location: "",
  ownerUids: null,
  filter: "all",
  preset: null,
  unsoldSince: null,
};

function noonOf(day: number): Date {
  return new Date(Date.UTC(2024, 4, day, 12));
}

let database: TestDatabase;
let searches: Reads;

beforeAll(async () => {
  database = await testDatabase();
  ({ searches } = readsOver(database.sql));
  await ensureProjections({
    sql: database.sql,
    projections: [inventoryProjection],
    events: new Map(),
  });
});

afterAll(() => database.close());

/** The columns that count something, all zero: a row below names only what these tests are about. */
const nothingCounted = Object.fromEntries(
  Object.entries(inventoryItemsTable.declared)
    .filter(([, { type, isNullable }]) => type === "bigint" && !isNullable)
    .map(([column]) => [column, 0]),
);

/** Inserts rows into the read table, the last one being the newest; the nth row's barcode is `n` by default. */
async function stock(rows: readonly Given[]): Promise<void> {
  await database.sql`delete from read.inventory_items`;
  const made = rows.map((row, index) => ({
    ...nothingCounted,
    id: idOf(index + 1),
    owner_uid: row.owner ?? null,
    item_name: row.name ?? "Thing",
    listing_title: row.title ?? "",
    barcode1: row.barcode1 ?? `n${index + 1}`,
    barcode2: row.barcode2 ?? "",
    location: row.location ?? "",
    link: "",
    image_url: row.imageUrl ?? "",
    asin: "",
    quantity: row.quantity ?? 1,
    version: 1,
    archived: row.archived ?? false,
    added_position: index + 1,
    updated_position: index + 1,
    added_at: noonOf(row.added ?? 1),
    unsold_since: noonOf(row.sold ?? row.added ?? 1),
  }));
  for (let from = 0; from < made.length; from += 1000) {
    await database.sql`insert into read.inventory_items ${database.sql(made.slice(from, from + 1000))}`;
  }
}

type Sorting = { readonly sort: ItemSort | undefined; readonly order: "asc" | "desc" };

/** The barcodes found, in order. */
async function found(
  query: Partial<ItemQuery> & Partial<Sorting>,
  offset = 0,
  limit = 50,
): Promise<string[]> {
  const { sort, order = "asc", ...narrowed } = query;
  const sorting = { sort, order };
  const rows = await searchItems(searches, { ...everything, ...narrowed }, sorting, {
    offset,
    limit,
  });
  return rows.map(({ barcode1 }) => barcode1);
}

describe("a search", () => {
  test("searches name, listing title and both barcodes, ignoring case", async () => {
    await stock([
      { name: "Red LAMP" },
      { title: "A lamp for the desk" },
      { barcode1: "xlampx" },
      { barcode2: "LAMP-2" },
      { name: "Chair", location: "lamp" },
    ]);
    expect(await found({ searchTerm: "Lamp" })).toEqual(["n4", "xlampx", "n2", "n1"]);
  });

  test("finds items with every word of the term, in any field, but no word that spans two fields", async () => {
    await stock([
      { name: "LEGO 10281 Bonsai Tree" },
      { name: "Desk", title: "Lamp" },
      { name: "Bonsai pot" },
    ]);
    expect(await found({ searchTerm: "lego  bonsai" })).toEqual(["n1"]);
    expect(await found({ searchTerm: "lamp desk" })).toEqual(["n2"]);
    expect(await found({ searchTerm: "desklamp" })).toEqual([]);
  });

  test("puts an exact barcode of the same case first, then the newest", async () => {
    await stock([
      { barcode1: "AB1" },
      { barcode1: "ab1" },
      { barcode1: "AB10" },
      { barcode2: "AB1" },
      { name: "Box of AB1" },
    ]);
    expect(await found({ searchTerm: "AB1" })).toEqual(["n4", "AB1", "n5", "AB10", "ab1"]);
  });

  test("takes wildcards and quotes literally", async () => {
    await stock([{ name: "100% wool" }, { name: "100 wool" }, { name: "a_b" }, { name: "axb" }]);
    expect(await found({ searchTerm: "100%" })).toEqual(["n1"]);
    expect(await found({ searchTerm: "a_b" })).toEqual(["n3"]);
    expect(await found({ searchTerm: "\\" })).toEqual([]);
    expect(await found({ searchTerm: "'; drop table x; --" })).toEqual([]);
    expect(await found({ location: "%" })).toEqual([]);
  });

  test("hides archived items and filters by owner, location and preset", async () => {
    await stock([
      { owner: avery, location: "Shelf A-1", imageUrl: "https://i.example/1" },
      { owner: blake, location: "shelf A-12", quantity: 0 },
      { location: "B-1" },
      { archived: true, location: "Shelf A-1" },
      { quantity: 0, imageUrl: "https://i.example/5" },
    ]);
    expect(await found({})).toEqual(["n5", "n3", "n2", "n1"]);
    expect(await found({ ownerUids: [avery] })).toEqual(["n1"]);
    expect(await found({ filter: "master" })).toEqual(["n5", "n3"]);
    expect(await found({ filter: "consignor" })).toEqual(["n2", "n1"]);
    expect(await found({ filter: "master", ownerUids: [avery] })).toEqual([]);
    expect(await found({ location: "SHELF a-1" })).toEqual(["n2", "n1"]);
    expect(await found({ location: "A-1" })).toEqual([]);
    expect(await found({ preset: "zero-stock" })).toEqual(["n5", "n2"]);
    expect(await found({ preset: "no-image" })).toEqual(["n3", "n2"]);
    expect(await found({ preset: "no-location" })).toEqual(["n5"]);
    expect(await found({ preset: "zero-stock", filter: "consignor", searchTerm: "thing" })).toEqual(
      ["n2"],
    );
  });

  test("counts up to ten thousand", async () => {
    await stock(Array.from({ length: 10_001 }, (_, index) => ({ quantity: index === 7 ? 0 : 1 })));
    const count = (query: Partial<ItemQuery>) => countItems(searches, { ...everything, ...query });
    expect(await count({})).toEqual({ count: 10_000, capped: true });
    expect(await count({ preset: "zero-stock" })).toEqual({ count: 1, capped: false });
    expect(await count({ searchTerm: "N1000" })).toEqual({ count: 3, capped: false });
    await database.sql`delete from read.inventory_items where added_position = 1`;
    expect(await count({})).toEqual({ count: 10_000, capped: false });
  });

  test("finds old items beyond those it scans first", async () => {
    await stock([
      { name: "Zirconium", location: "Z-9", owner: avery },
      ...Array.from({ length: 12_000 }, () => ({ owner: avery, location: "Y-1" })),
    ]);
    expect(await found({ searchTerm: "zirc" })).toEqual(["n1"]);
    expect(await found({ searchTerm: "zi" })).toEqual(["n1"]);
    expect(await found({ searchTerm: "zirc", ownerUids: [avery] })).toEqual(["n1"]);
    expect(await found({ location: "z" })).toEqual(["n1"]);
    expect(await found({ location: "Y", searchTerm: "thing" }, 11_990)).toHaveLength(10);
  });
});

describe("a sorted list", () => {
  test("sorts by the consignors' names, with the store's own items first", async () => {
    await stock([{ owner: avery }, { owner: blake }, {}, { owner: avery }, { owner: "nobody" }]);
    await database.ownerSql`
      insert into identity.profiles (uid, email, display_name, created_at, deactivated_at) values
        (${avery}, null, 'zoe', now(), null), (${blake}, null, 'Yann', now(), null)`;
    const sort = "source";
    expect(await found({ sort })).toEqual(["n3", "n5", "n2", "n1", "n4"]);
    expect(await found({ sort, order: "desc" })).toEqual(["n4", "n1", "n2", "n5", "n3"]);
    expect(await found({ sort, filter: "consignor" }, 1, 2)).toEqual(["n2", "n1"]);
    await database.ownerSql`delete from identity.profiles`;
  });

  test("by quantity is refused for more than ten thousand items, and works if a search finds fewer", async () => {
    await stock(Array.from({ length: 10_001 }, (_, index) => ({ quantity: index % 7 })));
    await expect(found({ sort: "quantity" })).rejects.toMatchObject({
      status: 400,
      code: "too_many_to_sort",
    });
    await database.sql`delete from read.inventory_items where added_position = 2`;
    expect(await found({ sort: "quantity" }, 0, 2)).toEqual(["n1", "n8"]);
    expect(await found({ sort: "quantity", order: "desc", searchTerm: "N1000" })).toEqual([
      "n1000",
      "n10001",
      "n10000",
    ]);
  });

  test("finds items beyond those it scans first", async () => {
    const many = { name: "Thing", location: "B", owner: blake, quantity: 0 };
    const first = { name: "Aardvark", location: "A", owner: avery, barcode1: "a", barcode2: "a" };
    const rows = Array.from({ length: 10_200 }, (_, index) => ({
      ...many,
      barcode1: `m${String(index).padStart(5, "0")}`,
      barcode2: "m",
    }));
    await stock([{ ...first, quantity: 0 }, ...rows, { name: "Zebra", barcode1: "z" }]);
    const preset = "zero-stock";
    for (const sort of ["itemName", "barcode1", "barcode2", "location", "source"] as const) {
      expect([sort, await found({ sort, preset }, 0, 1)]).toEqual([sort, ["a"]]);
      expect(await found({ sort, order: "desc", preset }, 10_195)).toHaveLength(6);
      expect(await found({ sort, order: "desc", searchTerm: "aardvark", preset })).toEqual(["a"]);
    }
  });
});

const word = fc.constantFrom("ab", "abc", "abcd", "b", "x");
const row = fc.record({
  name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
  barcode2: fc.option(word, { nil: "" }),
  location: fc.constantFrom("", "A-1", "A-12", "B"),
  owner: fc.constantFrom(null, avery, blake),
  quantity: fc.nat({ max: 2 }),
  archived: fc.boolean(),
  added: fc.integer({ min: 1, max: 3 }),
  sold: fc.integer({ min: 3, max: 5 }),
});
const query = fc.record({
  searchTerm: fc.constantFrom("", "b", "ab", "abc", "bc", "x", "n1", "zzz", "b n1", "abc x"),
  location: fc.constantFrom("", "a", "A-1", "c"),
  ownerUids: fc.constantFrom(null, [], [avery], [avery, blake]),
  filter: fc.constantFrom("all" as const, "master" as const, "consignor" as const),
  preset: fc.constantFrom(null, "zero-stock" as const, "no-location" as const),
  unsoldSince: fc.constantFrom(null, null, noonOf(2), noonOf(4)),
  sort: fc.constantFrom(undefined, ...itemSort.options),
  order: fc.constantFrom("asc" as const, "desc" as const),
});

test("all pages together are the whole list, in the order of a plain TypeScript sort", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 40 }),
      fc.array(query, { minLength: 3, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, queries, size) => {
        await stock(rows);
        for (const one of queries) {
          const expected = expectedOrder(rows, one);
          const paged: string[] = [];
          for (let offset = 0; offset <= expected.length; offset += size) {
            paged.push(...(await found(one, offset, size)));
          }
          expect(paged).toEqual(expected);
          expect((await countItems(searches, one)).count).toBe(expected.length);
        }
      },
    ),
    { numRuns: sized(8, 25) },
  );
}, 240_000);

/** The same search in plain TypeScript. */
function expectedOrder(rows: readonly Given[], one: ItemQuery & Sorting): string[] {
  const words = one.searchTerm.toLowerCase().split(/\s+/u);
  const since = one.unsoldSince;
  const kept = rows
    .map((given, index) => ({ ...given, barcode1: `n${index + 1}`, index }))
    .filter(({ archived }) => archived === false)
    .filter(
      ({ owner = null }) =>
        one.ownerUids === null || (owner !== null && one.ownerUids.includes(owner)),
    )
    .filter(({ owner }) => one.filter === "all" || (owner === null) === (one.filter === "master"))
    .filter(({ quantity }) => one.preset !== "zero-stock" || quantity === 0)
    .filter(({ location }) => one.preset !== "no-location" || location === "")
    .filter(
      ({ quantity, added = 1, sold = added }) =>
        since === null || (quantity !== 0 && noonOf(sold) <= since),
    )
    .filter(({ location = "" }) => location.toLowerCase().startsWith(one.location.toLowerCase()))
    .filter(({ name = "", barcode1, barcode2 = "" }) =>
      words.every((word) =>
        [name, barcode1, barcode2].some((field) => field.toLowerCase().includes(word)),
      ),
    );
  const isExact = ({ barcode1, barcode2 }: Given) =>
    one.searchTerm !== "" && [barcode1, barcode2].includes(one.searchTerm);
  const { sort } = one;
  const byAge = (a: Given, b: Given) => (since === null ? 0 : compare(a.added ?? 1, b.added ?? 1));
  if (sort !== undefined) {
    const direction = one.order === "asc" ? 1 : -1;
    const byKey = (a: Given, b: Given) =>
      sort === "added" ? byAge(a, b) : compare(keyOf(a, sort), keyOf(b, sort));
    return kept
      .sort((a, b) => direction * (byKey(a, b) || a.index - b.index))
      .map(({ barcode1 }) => barcode1);
  }
  const direction = since === null ? -1 : 1;
  return kept
    .sort(
      (a, b) =>
        Number(isExact(b)) - Number(isExact(a)) || byAge(a, b) || direction * (a.index - b.index),
    )
    .map(({ barcode1 }) => barcode1);
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
}

/** The value an item is sorted by. Nobody has a profile here, so an owner's name is the uid. */
function keyOf(given: Given, sort: ItemSort): string | number {
  const { name = "", barcode1 = "", barcode2 = "", location = "", owner, quantity = 1 } = given;
  const keys = {
    added: 0,
    itemName: name.toLowerCase(),
    barcode1,
    barcode2,
    location: location.toLowerCase(),
    source: owner ?? "",
    quantity,
  };
  return keys[sort];
}
