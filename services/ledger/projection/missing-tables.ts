// What shown tables lack as a whole: then nothing else can be said of them, and only a rebuild helps.
import type { Sql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { tableName } from "#ledger/projection/render.ts";

/** A part that is gone, as a sentence without a full stop. */
export type MissingPart = { readonly projection: string; readonly sentence: string };

/** The names of the tables that each shown generation was made with. */
async function readTableNames(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql<{ name: string; tables: string[] }[]>`
    select p.name, array(
      select t ->> 'name' from jsonb_array_elements(d.definition -> 'tables') t) as tables
    from read.projections p join read.definitions d using (name, generation)
    where p.state = 'live'`;
  return new Map(rows.map(({ name, tables }) => [name, tables]));
}

/** Those of the tables that are not there, or have lost a column. */
async function readGone(
  sql: Sql,
  tables: readonly string[],
): Promise<ReadonlyMap<string, "table" | "column">> {
  const rows = await sql<{ table: string; what: "table" | "column" }[]>`
    select t as "table", case when to_regclass(t) is null then 'table' else 'column' end as what
    from unnest(${textArray(tables)}::text[]) t
    where to_regclass(t) is null or exists (
      select from pg_attribute a where a.attrelid = to_regclass(t) and a.attisdropped)`;
  return new Map(rows.map(({ table, what }) => [table, what]));
}

/** One sentence for each part that is gone, in the order of the projections. */
export async function findMissing(
  sql: Sql,
  projections: readonly Projection[],
): Promise<readonly MissingPart[]> {
  const shown = (await readGenerations(sql)).filter(({ state }) => state === "live");
  const made = await readTableNames(sql);
  const wanted = projections.map((projection) => {
    const live = shown.find(({ name }) => name === projection.name);
    const tables = made.get(projection.name) ?? projection.tables.map(({ name }) => name);
    return {
      projection: projection.name,
      tables:
        live === undefined ? undefined : tables.map((name) => tableName(name, live.generation)),
    };
  });
  const gone = await readGone(
    sql,
    wanted.flatMap(({ tables }) => tables ?? []),
  );
  return wanted.flatMap(({ projection, tables }): MissingPart[] => {
    if (tables === undefined) {
      const sentence = `${projection} has no live row in read.projections, so nothing says which of its tables are shown, and how far they are`;
      return [{ projection, sentence }];
    }
    return tables.flatMap((table): MissingPart[] => {
      const what = gone.get(table);
      if (what === undefined) {
        return [];
      }
      const part = what === "table" ? `The table ${table}` : `A column of the table ${table}`;
      return [{ projection, sentence: `${part}, which ${projection} shows, is missing` }];
    });
  });
}
