// Names of streams, accounts and holdings are the same in SQL as in TypeScript, whatever the id.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { itemHolding } from "#features/inventory/streams.ts";
import type { NameFamily, NameKind } from "#ledger/names.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { features } from "./features.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

/** The kinds of which names can be made; a family is what several of them have in common. */
const canMake = (name: NameFamily | NameKind): name is NameKind => "of" in name;

const names: readonly (NameFamily | NameKind)[] = features.flatMap((feature) => feature.names);
const id = fc.stringMatching(/^[!-9;-~]{1,40}$/u);

it("an account or a holding says whom and what it belongs to", () => {
  expect([availableAccount.of("u"), payoutsAccount.of("u"), itemHolding.of("i")]).toEqual([
    "consignor:u:available",
    "consignor:u:payouts",
    "item:i",
  ]);
});

describe.each(names.map((name) => [name.sqlName, name] as const))("%s", (sqlName, name) => {
  it("is in SQL what its declaration says, and PostgreSQL puts it into the query itself", async () => {
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

  it("makes, knows and reads the same names in SQL and in TypeScript", async () => {
    const ids = fc.sample(id, { numRuns: 200, seed: 14 });
    const all = names.filter(canMake).flatMap((kind) => ids.slice(0, 20).map(kind.of));
    const own = canMake(name) ? ids.map(name.of) : all.filter(name.is);
    const known = await database.sql.unsafe<{ name: string; is: boolean }[]>(
      `select name, log.is_${sqlName}(name) as is from unnest($1::text[]) as n (name)`,
      [[...all, ...ids]],
    );
    expect(known.map((row) => row.is)).toEqual(known.map((row) => name.is(row.name)));
    const read = await database.sql.unsafe<{ id: string }[]>(
      `select log.id_of_${sqlName}(name) as id from unnest($1::text[]) with ordinality as n (name, nth) order by nth`,
      [own],
    );
    expect(read.map((row) => row.id)).toEqual(own.map(name.idOf));
    if (canMake(name)) {
      const made = await database.sql.unsafe<{ name: string }[]>(
        `select log.${sqlName}(id) as name from unnest($1::text[]) with ordinality as n (id, nth) order by nth`,
        [ids],
      );
      expect(made.map((row) => row.name)).toEqual(own);
      expect(own.map(name.idOf)).toEqual(ids);
    }
  });
});
