// From a projection's definition to the SQL of one generation of its tables.
import type { Projection, ProjectionTable } from "#ledger/projection/define.ts";

/** Which row keys a step applies: all, all but quarantined ones, or only some that are folded anew. */
export type KeyFilter = "all" | "except" | "only";

/** `read.balances_g2`, the table behind the view `read.balances` while generation 2 is live. */
export function tableName(table: string, generation: number): string {
  return `read.${table}_g${generation}`;
}

/** Replaces `{table:…}` and `{key:…}`; a filter other than "all" reads its keys from `$3::text[]`. */
export function renderSql(template: string, generation: number, filter: KeyFilter): string {
  return template.replaceAll(/\{(table|key):([^}]+)\}/g, (_match, kind: string, body: string) => {
    if (kind === "table") {
      return tableName(body, generation);
    }
    if (filter === "all") {
      return "true";
    }
    return filter === "only" ? `(${body}) = any ($3::text[])` : `(${body}) <> all ($3::text[])`;
  });
}

/** The step's statements for one generation. */
export function renderStep(
  projection: Projection,
  generation: number,
  filter: KeyFilter,
): readonly string[] {
  return projection.step.map((statement) => renderSql(statement, generation, filter));
}

/** CREATE TABLE with the keys that the step needs. */
export function createTableSql(table: ProjectionTable, generation: number): string {
  const parts = [table.columns, ...table.keys];
  return `create table ${tableName(table.name, generation)} (${parts.join(", ")})`;
}

/** CREATE INDEX for what only queries need; made after a bulk fill. */
export function createIndexSql(table: ProjectionTable, generation: number): readonly string[] {
  return table.indexes.map(
    (body, index) =>
      `create index ${table.name}_g${generation}_${index + 1}_idx on ${tableName(table.name, generation)} ${body}`,
  );
}

/** Points the view at a generation; dropped first, since its columns may differ. */
export function createViewSql(table: ProjectionTable, generation: number): readonly string[] {
  return [
    dropViewSql(table),
    `create view read.${table.name} as select * from ${tableName(table.name, generation)}`,
  ];
}

/** DROP of the view that shows a table. */
export function dropViewSql(table: ProjectionTable): string {
  return `drop view if exists read.${table.name}`;
}

/** DROP of one generation's tables. */
export function dropTableSql(table: ProjectionTable, generation: number): string {
  return `drop table if exists ${tableName(table.name, generation)}`;
}
