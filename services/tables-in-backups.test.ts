// Every table of the store is declared as log, backed up, rebuilt or disposable: a new one must be, before it is used.
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTables, TABLES, treatmentOf } from "#db/backup/tables.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { projections } from "./features.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await readableDatabase();
});

afterAll(() => database.close());

/** Tables of projections: `<table>_<generation>`, made and filled by the rebuild. */
const isOfProjection = (schema: string, table: string): boolean =>
  schema === "read" &&
  projections.some(({ tables }) =>
    tables.some(({ name }) => table.startsWith(`${name}_`) && /^\w*?\d+$/.test(table)),
  );

it("no table of any schema is undeclared", async () => {
  const undeclared = (await readTables(database.ownerSql)).filter(
    ({ schema, table }) =>
      treatmentOf(schema, table) === undefined && !isOfProjection(schema, table),
  );
  expect(undeclared.map(({ schema, table }) => `${schema}.${table}`)).toEqual([]);
});

it("no table that is declared is missing", async () => {
  const found = new Set(
    (await readTables(database.ownerSql)).map(({ schema, table }) => `${schema}.${table}`),
  );
  expect([...TABLES.keys()].filter((name) => !found.has(name))).toEqual([]);
});

it("no table that is backed up counts with a sequence, whose position a restore would not know", async () => {
  expect(
    await database.ownerSql`
      select n.nspname || '.' || c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'S' and n.nspname not in ('read', 'pgboss')`,
  ).toEqual([]);
});

it("a table that nobody declared would be found", async () => {
  await database.ownerSql`create table store.coupons (id uuid)`;
  const coupons = (await readTables(database.ownerSql)).find(({ table }) => table === "coupons");
  await database.ownerSql`drop table store.coupons`;
  expect(coupons).toMatchObject({ schema: "store", columns: ["id"] });
  expect(treatmentOf("store", "coupons")).toBeUndefined();
});
