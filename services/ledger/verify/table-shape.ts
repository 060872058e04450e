// Compares the read tables with what their definition makes: constraints, indexes and triggers can change what is shown.
import type { Sql, TransactionSql } from "postgres";
import { undoneAfter } from "#db/undone.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection, StoredProjection } from "#ledger/projection/define.ts";
import { readDefinition } from "#ledger/projection/definition.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { createIndexSql, createTableSql, tableName } from "#ledger/projection/render.ts";
import { lookAgain } from "#ledger/verify/look-again.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** No generation has this number: its tables are created, described, and rolled back. */
const TRIAL = 0;

/** One line for each thing that belongs to a table; generations are left out of the names. */
async function shapeOf(
  sql: Sql | TransactionSql,
  tables: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ line: string }[]>`
    with tables as (select to_regclass(t) as oid, t as name from unnest(${textArray(tables)}::text[]) t)
    select regexp_replace(name || ' has ' || thing, '_g[0-9]+', '_g', 'g') as line
    from tables, lateral (
      select 'constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
        || case when c.convalidated then '' else ', not validated' end
      from pg_constraint c where c.conrelid = tables.oid
      union all
      select 'index ' || pg_get_indexdef(i.indexrelid)
        || case when i.indisvalid and i.indisready and i.indislive then '' else ', switched off' end
      from pg_index i where i.indrelid = tables.oid
      union all
      select 'trigger ' || pg_get_triggerdef(g.oid) from pg_trigger g where g.tgrelid = tables.oid and not g.tgisinternal
      union all
      select 'rule ' || pg_get_ruledef(r.oid) from pg_rewrite r where r.ev_class = tables.oid
      union all
      select 'column ' || a.attname || ' with ' || pg_get_expr(d.adbin, d.adrelid)
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where d.adrelid = tables.oid
      union all
      select 'row security' from pg_class c
      where c.oid = tables.oid and (c.relrowsecurity or c.relforcerowsecurity)
      union all
      select 'policy ' || p.polname from pg_policy p where p.polrelid = tables.oid
      union all
      select 'other tables that inherit from it' from pg_inherits h where h.inhparent = tables.oid
    ) of_table (thing)`;
  return rows.map(({ line }) => line).sort();
}

function shapeMade(sql: Sql, projection: StoredProjection): Promise<readonly string[]> {
  return undoneAfter(sql, async (transaction) => {
    for (const table of projection.tables) {
      await transaction.unsafe(createTableSql(table, TRIAL));
      for (const statement of createIndexSql(table, TRIAL)) {
        await transaction.unsafe(statement);
      }
    }
    const names = projection.tables.map(({ name }) => tableName(name, TRIAL));
    return shapeOf(transaction, names);
  });
}

async function lookOnce(sql: Sql, projection: Projection): Promise<Problem[]> {
  const live = (await readGenerations(sql)).find(
    (entry) => entry.name === projection.name && entry.state === "live",
  );
  if (live === undefined) {
    return [];
  }
  const made = await readDefinition(sql, live.name, live.generation);
  const own = live.version === projection.version ? projection : undefined;
  const definition = made ?? own;
  if (definition === undefined) {
    return [];
  }
  const names = definition.tables.map(({ name }) => tableName(name, live.generation));
  const [actual, wanted] = [await shapeOf(sql, names), await shapeMade(sql, definition)];
  const problem = (message: string): Problem => ({ check: "projection", position: 0, message });
  return [
    ...actual
      .filter((line) => !wanted.includes(line))
      .map((line) => problem(`${line}, which its definition does not make`)),
    ...wanted
      .filter((line) => !actual.includes(line))
      .map((line) => problem(`${line.replace(" has ", " lacks ")}, which its definition makes`)),
  ];
}

/** Things on the shown tables of one projection that should not be there, or that are missing. */
export function checkTableShape(sql: Sql, projection: Projection): Promise<Problem[]> {
  return lookAgain(() => lookOnce(sql, projection));
}
