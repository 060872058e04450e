// What shown tables lack as a whole: then nothing else can be said of them, and only a rebuild helps.
import type { Sql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { tableName } from "#ledger/projection/render.ts";

type Part = "row" | "table" | "column" | "view";

/** A part that is gone, as a sentence without a full stop. */
export type MissingPart = {
  readonly projection: string;
  readonly part: Part;
  readonly sentence: string;
};

/** The names of the tables that each shown generation was made with. */
async function readTableNames(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql<{ name: string; tables: string[] }[]>`
    select p.name, array(
      select t ->> 'name' from jsonb_array_elements(d.definition -> 'tables') t) as tables
    from read.projections p join read.definitions d using (name, generation)
    where p.state = 'live'`;
  return new Map(rows.map(({ name, tables }) => [name, tables]));
}

/** A table, and the view that shows it. */
type Shown = { readonly table: string; readonly view: string };

/** Those of the tables that are not there, have lost a column, or whose view is not there: without a table, neither is its view. */
async function readGone(
  sql: Sql,
  shown: readonly Shown[],
  views: "with views" | "without views",
): Promise<ReadonlyMap<string, Exclude<Part, "row">>> {
  const tables = textArray(shown.map(({ table }) => table));
  const names = textArray(shown.map(({ view }) => view));
  const rows = await sql<{ table: string; part: Exclude<Part, "row"> }[]>`
    select t as "table", part
    from unnest(${tables}::text[], ${names}::text[]) as s (t, v)
    cross join lateral (select case
      when to_regclass(t) is null then 'table'
      when exists (
        select from pg_attribute a where a.attrelid = to_regclass(t) and a.attisdropped) then 'column'
      when ${views === "with views"} and to_regclass(v) is null then 'view' end as part) gone
    where part is not null`;
  return new Map(rows.map(({ table, part }) => [table, part]));
}

function sentenceOf(
  projection: string,
  { table, view }: Shown,
  part: Exclude<Part, "row">,
): string {
  switch (part) {
    case "table":
      return `The table ${table}, which ${projection} shows, is missing`;
    case "column":
      return `A column of the table ${table}, which ${projection} shows, is missing`;
    case "view":
      return `The view ${view}, through which ${projection} is read, is missing`;
    default:
      return part satisfies never;
  }
}

/**
 * One sentence for each part that is gone, in the order of the projections. Folding and comparing need no views, and
 * verify has a check of its own for them.
 */
export async function findMissing(
  sql: Sql,
  projections: readonly Projection[],
  views: "with views" | "without views",
): Promise<readonly MissingPart[]> {
  const shown = (await readGenerations(sql)).filter(({ state }) => state === "live");
  const made = await readTableNames(sql);
  const wanted = projections.map((projection) => {
    const live = shown.find(({ name }) => name === projection.name);
    const tables = made.get(projection.name) ?? projection.tables.map(({ name }) => name);
    return {
      projection: projection.name,
      tables:
        live === undefined
          ? undefined
          : tables.map((name) => ({
              table: tableName(name, live.generation),
              view: `read.${name}`,
            })),
    };
  });
  const gone = await readGone(
    sql,
    wanted.flatMap(({ tables }) => tables ?? []),
    views,
  );
  return wanted.flatMap(({ projection, tables }): MissingPart[] => {
    if (tables === undefined) {
      const sentence = `${projection} has no live row in read.projections, so nothing says which of its tables are shown, and how far they are`;
      return [{ projection, part: "row", sentence }];
    }
    return tables.flatMap((shownTable): MissingPart[] => {
      const part = gone.get(shownTable.table);
      return part === undefined
        ? []
        : [{ projection, part, sentence: sentenceOf(projection, shownTable, part) }];
    });
  });
}
