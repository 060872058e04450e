// Names of streams, accounts and holdings are the same in SQL as in TypeScript, whatever the id.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isOwnPlace, placeWords } from "#features/audit/places.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { inventoryNames, itemHolding } from "#features/inventory/streams.ts";
import type { NameFamily, NameKind } from "#ledger/names.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { features } from "./features.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

/** The kinds that names can be made of; a family is the common part of several kinds. */
const canMake = (name: NameFamily | NameKind): name is NameKind => "of" in name;

const names: readonly (NameFamily | NameKind)[] = features.flatMap((feature) => feature.names);
const kinds = names.filter(canMake);
const ids = fc.sample(fc.stringMatching(/^[!-9;-~]{1,40}$/u), { numRuns: 200, seed: 14 });

it("an account or a holding says who and what it belongs to", () => {
  expect([availableAccount.of("u"), payoutsAccount.of("u"), itemHolding.of("i")]).toEqual([
    "consignor:u:available",
    "consignor:u:payouts",
    "item:i",
  ]);
});

it("an account or a holding is called something in the audit log", () => {
  const called = new Set(placeWords.map(([{ sqlName }]) => sqlName));
  const places = kinds.filter(({ sqlName }) => /_(?:account|holding)$/u.test(sqlName));
  expect(
    places.map(({ sqlName }) => sqlName).filter((sqlName) => !called.has(sqlName)),
    "say in `placeWords` of features/audit/places.ts what people call them",
  ).toEqual([]);
});

it("the units of an item are its owner's in the audit log, wherever they are", () => {
  const holdings = inventoryNames
    .filter(canMake)
    .filter(({ sqlName }) => sqlName.endsWith("_holding"));
  const own = { uid: "avery", items: new Set(["desk-lamp"]), bought: new Set<string>() };
  expect(
    holdings.filter(({ of }) => !isOwnPlace(of("desk-lamp"), own)).map(({ sqlName }) => sqlName),
    "add these holdings to `holdingsOfItems` of features/audit/places.ts",
  ).toEqual([]);
});

describe.each(names.map((name) => [name.sqlName, name] as const))("%s", (sqlName, name) => {
  it("is the same in SQL as in its declaration, and PostgreSQL can inline it", async () => {
    const found = await database.sql<{ head: string; body: string; rest: string }[]>`
      select p.proname || '(' || pg_get_function_arguments(p.oid) || ')' as head, p.prosrc as body,
        concat_ws(' ', l.lanname, p.provolatile, p.proparallel, p.prosecdef, p.proisstrict, p.proconfig) as rest
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'log'::regnamespace
        and p.proname = any(${[sqlName, `is_${sqlName}`, `id_of_${sqlName}`]})`;
    expect(Object.fromEntries(found.map(({ head, body }) => [head, body.trim()]))).toEqual(
      name.sql,
    );
    expect(new Set(found.map(({ rest }) => rest))).toEqual(new Set(["sql i s f f"]));
  });

  it("is known and read in SQL as in TypeScript", async () => {
    const all = kinds.flatMap((kind) => ids.slice(0, 20).map(kind.of));
    const tried = [...all, ...ids];
    expect(await each(`log.is_${sqlName}(text)`, tried)).toEqual(tried.map(name.is));
    const own = all.filter(name.is);
    expect(own).not.toEqual([]);
    expect(await each(`log.id_of_${sqlName}(text)`, own)).toEqual(own.map(name.idOf));
  });
});

it.each(kinds.map((kind) => [kind.sqlName, kind] as const))(
  "%s is made in SQL as in TypeScript, and read back from any id",
  async (sqlName, kind) => {
    const made = ids.map(kind.of);
    expect(await each(`log.${sqlName}(text)`, ids)).toEqual(made);
    expect(await each(`log.id_of_${sqlName}(text)`, made)).toEqual(ids);
    expect(made.map(kind.idOf)).toEqual(ids);
  },
);

/** An SQL expression over `text`, for each of these. */
async function each(expression: string, texts: readonly string[]): Promise<unknown[]> {
  const rows = await database.sql.unsafe<{ value: unknown }[]>(
    `select ${expression} as value from unnest($1::text[]) with ordinality as t (text, nth) order by nth`,
    [[...texts]],
  );
  return rows.map(({ value }) => value);
}
