// Checks what people read: every view must show all of its projection's live table, unchanged.
import type { Sql } from "postgres";
import type { Projection } from "#ledger/projection/define.ts";
import { tableName } from "#ledger/projection/render.ts";
import { lookAgain } from "#ledger/verify/look-again.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import { readShown } from "#ledger/verify/shown.ts";

type View = {
  readonly kind: string | null;
  /** Whether its definition is `select * from` the live table. */
  readonly whole: boolean | null;
  readonly definition: string | null;
};

const KINDS: Readonly<Record<string, string>> = {
  r: "a table",
  p: "a partitioned table",
  m: "a materialized view",
  f: "a foreign table",
};

/**
 * Compares the definitions, which costs nothing however long the table is: the same text shows the same rows.
 * PostgreSQL 15 writes each column with its table's name, 16 and newer without.
 */
async function readView(sql: Sql, view: string, table: string): Promise<View> {
  const [row] = await sql<View[]>`
    with columns as (
      select string_agg(quote_ident(attname), ', ' order by attnum) as plain,
        string_agg(quote_ident(c.relname) || '.' || quote_ident(attname), ', ' order by attnum) as qualified
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attrelid = to_regclass(${`read.${table}`}) and attnum > 0 and not attisdropped),
    shown as (
      select c.relkind as kind,
        case when c.relkind = 'v'
          then btrim(regexp_replace(pg_get_viewdef(c.oid), '\\s+', ' ', 'g')) end as definition
      from pg_class c where c.oid = to_regclass(${`read.${view}`}))
    select kind, definition, definition in (
      'SELECT ' || plain || ${` FROM read.${table};`}, 'SELECT ' || qualified || ${` FROM read.${table};`}) as whole
    from shown cross join columns`;
  return row ?? { kind: null, whole: null, definition: null };
}

function problemOf(view: string, table: string, found: View): Problem | undefined {
  const problem = (message: string): Problem => ({ check: "views", position: 0, message });
  if (found.kind === null) {
    return problem(`read.${view} is missing: it should show read.${table}`);
  }
  if (found.kind !== "v") {
    const kind = KINDS[found.kind] ?? "no view";
    return problem(`read.${view} is ${kind}, not the view of read.${table}`);
  }
  return found.whole === true
    ? undefined
    : problem(
        `read.${view} does not show read.${table} as it is: ${found.definition ?? "nothing"}`,
      );
}

async function lookOnce(sql: Sql, projection: Projection): Promise<Problem[]> {
  const shown = await readShown(sql, projection);
  if (shown === undefined) {
    return [];
  }
  const problems: Problem[] = [];
  for (const { name } of shown.definition.tables) {
    const table = tableName(name, shown.generation).replace("read.", "");
    const problem = problemOf(name, table, await readView(sql, name, table));
    if (problem !== undefined) {
      problems.push(problem);
    }
  }
  return problems;
}

/** The wrong views of one projection. */
export function checkViews(sql: Sql, projection: Projection): Promise<Problem[]> {
  return lookAgain(() => lookOnce(sql, projection));
}
