// One declaration makes the table, the list of its columns and the types of its rows.
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import type { RowOf, TablesOf } from "#ledger/projection/columns.ts";
import {
  bigint,
  boolean,
  columnsOf,
  defineTable,
  generated,
  insertColumns,
  integer,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
  withDefault,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { hashOfDefinition, makesSameTables } from "#ledger/projection/definition.ts";
import { createTableSql, tableName } from "#ledger/projection/render.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

const shelves = defineTable({
  name: "shelves",
  columns: {
    id: uuid(),
    label: text(),
    state: text<"open" | "full">(),
    units: withDefault(bigint(), "0"),
    level: integer(),
    is_high: generated(boolean(), "level > 3"),
    marked_at: nullable(timestamptz()),
    extra: jsonb<{ readonly colour: string }>(),
  },
  keys: ["primary key (id)"],
  indexes: ["(label)"],
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test("a declaration becomes the DDL, the column names and the list of an insert", () => {
  expect(shelves.columns).toBe(
    "id uuid not null, label text not null, state text not null, units bigint default 0 not null, " +
      "level integer not null, is_high boolean not null generated always as (level > 3) stored, " +
      "marked_at timestamptz, extra jsonb not null",
  );
  expect(columnsOf(shelves, "extra", "units")).toEqual([
    "id",
    "label",
    "state",
    "level",
    "is_high",
    "marked_at",
  ]);
  expect(insertColumns(shelves)).toBe("id, label, state, units, level, marked_at, extra");
});

test("rows have the declared types", async () => {
  type Row = RowOf<typeof shelves>;
  expectTypeOf<Row["state"]>().toEqualTypeOf<"open" | "full">();
  expectTypeOf<Row["marked_at"]>().toEqualTypeOf<Date | null>();
  expectTypeOf<TablesOf<typeof shelves>["read.shelves"]>().toEqualTypeOf<Row>();
  await database.sql.unsafe(createTableSql(shelves, 1));
  const table = database.sql(tableName("shelves", 1));
  const id = "00000000-0000-4000-8000-000000000001";
  await database.sql`
    insert into ${table} (id, label, state, level, extra)
    values (${id}, 'A', 'open', 4, '{"colour": "red"}')`;
  const [row] = await database.sql<Row[]>`select * from ${table}`;
  expect(row).toEqual({
    id,
    label: "A",
    state: "open",
    units: 0,
    level: 4,
    is_high: true,
    marked_at: null,
    extra: { colour: "red" },
  });
});

const projection: Projection = {
  name: "shelves",
  version: 1,
  tables: [shelves],
  step: [],
  keysTouched: "select ''::text as key",
  forgetKeys: [],
  streamsOfKey: "array[key]",
};

test("only the definition is stored, and comments and white space in it do not make the tables different", () => {
  const { name, columns, keys, indexes } = shelves;
  const plain = { ...projection, tables: [{ name, columns, keys, indexes }] };
  expect(hashOfDefinition(projection)).toBe(hashOfDefinition(plain));
  const written = {
    name,
    columns: `\n  ${columns.replaceAll(", ", ",\n  -- null while nobody marked it\n  ").replace("(level", "(\n level")}`,
    keys,
    indexes,
  };
  expect(makesSameTables(projection, { ...projection, tables: [written] })).toBe(true);
  const other = { ...written, columns: columns.replace("label text", "label bigint") };
  expect(makesSameTables(projection, { ...projection, tables: [other] })).toBe(false);
});
