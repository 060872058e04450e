// Every statement of every projection, prepared against the tables of its columns: a wrong column name fails here.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { undoneAfter } from "#db/undone.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { columnsOf, type ReadTable } from "#ledger/projection/columns.ts";
import { PLAIN_READING, renderSources } from "#ledger/projection/sources.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { bookChecks, events, projections } from "./features.ts";

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
      for (const shortcut of (projection.shortcuts ?? []).filter((one) => one !== null)) {
        expect(await objection(renderSql(shortcut.statement, generation, "all"))).toBeNull();
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

test("tables that grow with every event are seldom sampled for statistics", async () => {
  const often = await database.sql<{ name: string; options: string }[]>`
    select c.oid::regclass::text as name, array_to_string(c.reloptions, ', ') as options
    from pg_class c
    where c.relkind = 'r' and (
      c.relnamespace = 'read'::regnamespace and c.relname ~ '_g[0-9]+$'
      or c.relname in ('events', 'streams', 'event_streams', 'postings', 'movements', 'command_keys')
        and c.relnamespace = 'log'::regnamespace)
      and not 'autovacuum_analyze_scale_factor=2' = any (coalesce(c.reloptions, '{}'))`;
  expect(often).toEqual([]);
});

test("nothing is sampled of what no query looks for in the log", async () => {
  const sampled = await database.sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid in ('log.events'::regclass, 'log.streams'::regclass, 'log.command_keys'::regclass)
      and atttypid in ('jsonb'::regtype, 'bytea'::regtype) and not attisdropped
      and attstattarget is distinct from 0`;
  expect(sampled).toEqual([]);
});

/** The read tables that PostgreSQL finds in a statement. */
function tablesIn(statement: string): Promise<readonly string[]> {
  return undoneAfter(database.ownerSql, async (transaction) => {
    await transaction.unsafe(`create temporary view looked_at as ${statement}`);
    const rows = await transaction<{ table: string }[]>`
      select distinct c.relname as "table"
      from pg_rewrite w
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
        and d.refclassid = 'pg_class'::regclass
      join pg_class c on c.oid = d.refobjid and c.relnamespace = 'read'::regnamespace
      where w.ev_class = 'looked_at'::regclass`;
    return rows.map(({ table }) => table);
  });
}

test("every check of the books names the projections whose tables it reads", async () => {
  const compared = [];
  for (const check of bookChecks) {
    if (!("rule" in check || "look" in check)) {
      const text = "sql" in check ? check.sql : check.note;
      const read = new Set(await tablesIn(renderSources(text, PLAIN_READING)));
      const names = projections
        .filter(({ tables }) => tables.some((table) => read.has(table.name)))
        .map(({ name }) => name);
      compared.push({ text, named: [...(check.readsFrom ?? [])].sort(), read: names.sort() });
    }
  }
  expect(compared.filter(({ read }) => read.length > 0).length).toBeGreaterThan(5);
  expect(compared.filter(({ named, read }) => String(named) !== String(read))).toEqual([]);
});
