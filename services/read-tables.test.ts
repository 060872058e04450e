// Every statement of every projection, prepared against the tables of its columns: a wrong column name fails here.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { columnsOf, type ReadTable } from "#ledger/projection/columns.ts";
import { PLAIN_READING } from "#ledger/projection/sources.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { events, projections } from "./features.ts";

const all = [...projections, jarBook];

let database: TestDatabase;
let generations: ReadonlyMap<string, number>;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  await ensureProjections({ sql, projections: all, events });
  const rows = await readGenerations(sql);
  generations = new Map(rows.map(({ name, generation }) => [name, generation]));
});

afterAll(() => database.close());

/** PostgreSQL's error when it prepares a statement; null if there is none. */
async function objection(statement: string): Promise<string | null> {
  try {
    await database.sql.unsafe(statement).describe();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe.each(all.map((projection) => [projection.name, projection] as const))(
  "the tables of %s",
  (name, projection) => {
    test("have every column that its step names", async () => {
      const generation = generations.get(name) ?? 0;
      for (const filter of ["all", "except", "only"] as const) {
        for (const statement of renderStep(projection, generation, filter, PLAIN_READING)) {
          expect(await objection(statement)).toBeNull();
        }
      }
    });

    test("have every column that is used to find and forget keys", async () => {
      const generation = generations.get(name) ?? 0;
      for (const template of [projection.keysTouched, ...projection.forgetKeys]) {
        expect(await objection(renderSql(template, generation, "all"))).toBeNull();
      }
      const stream = `select ${projection.streamsOfKey} from (values (''::text)) as k (key)`;
      expect(await objection(stream)).toBeNull();
    });

    test("are shown with the declared columns, in their order and with their types", async () => {
      for (const table of projection.tables) {
        const { declared } = table as ReadTable;
        const shown = await database.sql<{ name: string; type: string }[]>`
          select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
          where attrelid = ${`read.${table.name}`}::regclass and attnum > 0 order by attnum`;
        expect(shown.map((column) => column.name)).toEqual(columnsOf(table as ReadTable));
        const declaredTypes = Object.values(declared)
          .map(({ type }) => type.replace(/ default .*$/u, ""))
          .map((type) => (type === "timestamptz" ? "timestamp with time zone" : type));
        expect(shown.map(({ type }) => type)).toEqual(declaredTypes);
      }
    });
  },
);
