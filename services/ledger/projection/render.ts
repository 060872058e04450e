// From a projection's definition to the SQL of one generation of its tables.
import type { ProjectionTable, StoredProjection } from "#ledger/projection/define.ts";
import type { Reading } from "#ledger/projection/sources.ts";
import { PLAIN_READING, renderSources } from "#ledger/projection/sources.ts";

/** Which row keys a step applies to: all, all except quarantined ones, or only some that are folded again. */
export type KeyFilter = "all" | "except" | "only";

/** `read.balances_g2`, the table behind the view `read.balances` while generation 2 is live. */
export function tableName(table: string, generation: number): string {
  return `read.${table}_g${generation}`;
}

/** How to fill in the statements of a definition. */
export type Rendering = {
  /** The table that replaces `{table:name}`. */
  readonly tableOf: (table: string) => string;
  readonly filter: KeyFilter;
  readonly reading: Reading;
};

/** Fills in a statement; a filter other than "all" reads its keys from `$3::text[]`. */
export function render(template: string, { tableOf, filter, reading }: Rendering): string {
  const read = renderSources(template, reading);
  return read.replaceAll(/\{(table|key):([^}]+)\}/g, (_match, kind: string, body: string) => {
    if (kind === "table") {
      return tableOf(body);
    }
    if (filter === "all") {
      return "true";
    }
    return filter === "only" ? `(${body}) = any ($3::text[])` : `(${body}) <> all ($3::text[])`;
  });
}

/** A statement for the tables of one generation. */
export function renderSql(
  template: string,
  generation: number,
  filter: KeyFilter,
  reading: Reading = PLAIN_READING,
): string {
  return render(template, { tableOf: (table) => tableName(table, generation), filter, reading });
}

/** The step's statements for one generation. */
export function renderStep(
  projection: StoredProjection,
  generation: number,
  filter: KeyFilter,
  reading: Reading,
): readonly string[] {
  return projection.step.map((statement) => renderSql(statement, generation, filter, reading));
}

/**
 * Where much is written, PostgreSQL would otherwise read samples of each table for new statistics every few minutes, and
 * steps would take twice as long meanwhile. The rows are of a kind, so there may be three times as many before it does.
 */
const RARE_STATISTICS =
  "autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5";

/** CREATE TABLE with the keys that the step needs, without how its pages are filled and sampled: that makes no rows. */
export function tableSql({ name, columns, keys }: ProjectionTable, generation: number): string {
  return `create table ${tableName(name, generation)} (${[columns, ...keys].join(", ")})`;
}

/** The same as it is run. */
export function createTableSql(table: ProjectionTable, generation: number): string {
  return `${tableSql(table, generation)} with (fillfactor = ${table.fillFactor ?? 100}, ${RARE_STATISTICS})`;
}

/** CREATE INDEX for these bodies, which are some of the table's `indexes`; by default for all of them. */
export function createIndexSql(
  table: ProjectionTable,
  generation: number,
  bodies: readonly string[] = table.indexes,
): readonly string[] {
  return bodies.map((body) => {
    const number = table.indexes.indexOf(body) + 1;
    return `create index ${table.name}_g${generation}_${number}_idx on ${tableName(table.name, generation)} ${body}`;
  });
}

/** Points the view at a generation; the view is dropped first, since its columns may differ. */
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
