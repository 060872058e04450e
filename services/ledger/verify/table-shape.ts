// Compares the read tables with what their definition makes: constraints, indexes and triggers can change what is shown.
import type { Sql, TransactionSql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection, StoredProjection } from "#ledger/projection/define.ts";
import { tableName } from "#ledger/projection/render.ts";
import { inTrialTables } from "#ledger/projection/trial-tables.ts";
import { lookAgain } from "#ledger/verify/look-again.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import { readShown } from "#ledger/verify/shown.ts";

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

function shapeMade(sql: Sql, { tables }: StoredProjection): Promise<readonly string[]> {
  return inTrialTables(sql, tables, (transaction, nameOf) =>
    shapeOf(transaction, tables.map(nameOf)),
  );
}

async function lookOnce(sql: Sql, projection: Projection): Promise<Problem[]> {
  const shown = await readShown(sql, projection);
  if (shown === undefined) {
    return [];
  }
  const { generation, definition } = shown;
  const names = definition.tables.map(({ name }) => tableName(name, generation));
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
