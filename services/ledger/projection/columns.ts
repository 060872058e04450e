// A read table's columns, declared once in TypeScript: its DDL, its row type and its column names come from here.
import type { ProjectionTable } from "#ledger/projection/define.ts";

/** Exists only in types: the type of the column's values in JavaScript. */
declare const value: unique symbol;

export type Column<Value = unknown> = {
  /** The type after the column's name in CREATE TABLE, without NOT NULL. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The expression that PostgreSQL computes the column from; null for a column that the step writes. */
  readonly generatedAs: string | null;
  readonly [value]?: Value;
};

type Columns = Readonly<Record<string, Column>>;

type ValueOf<OneColumn> = OneColumn extends Column<infer Value> ? Value : never;

/** A read table with the declaration that made it. */
export type ReadTable<
  Name extends string = string,
  TableColumns extends Columns = Columns,
> = ProjectionTable & {
  readonly name: Name;
  readonly declared: TableColumns;
};

/** A row as returned by a select of every column. */
export type RowOf<Table extends ReadTable> = {
  readonly [Name in keyof Table["declared"]]: ValueOf<Table["declared"][Name]>;
};

/** The tables as Kysely knows them: `{ "read.sales": … }`. */
export type TablesOf<Tables extends ReadTable> = {
  [Table in Tables as `read.${Table["name"]}`]: RowOf<Table>;
};

type ColumnName<Table extends ReadTable> = keyof Table["declared"] & string;

function column<Value>(type: string): Column<Value> {
  return { type, isNullable: false, generatedAs: null };
}

export const uuid = (): Column<string> => column("uuid");
/** Optionally limited to some literals: `text<"paid" | "deleted">()`. PostgreSQL does not check them. */
export const text = <Literal extends string = string>(): Column<Literal> => column("text");
/** Reading a value beyond the safe integers is an error. */
export const bigint = (): Column<number> => column("bigint");
export const integer = (): Column<number> => column("integer");
export const boolean = (): Column<boolean> => column("boolean");
export const timestamptz = (): Column<Date> => column("timestamptz");
export const jsonb = <Value>(): Column<Value> => column("jsonb");

export function nullable<Value>(of: Column<Value>): Column<Value | null> {
  return { ...of, isNullable: true };
}

/** A column that PostgreSQL computes from others of its row. */
export function generated<Value>(of: Column<Value>, expression: string): Column<Value> {
  return { ...of, generatedAs: expression };
}

/** A column with a default value, as an SQL expression. */
export function withDefault<Value>(of: Column<Value>, expression: string): Column<Value> {
  return { ...of, type: `${of.type} default ${expression}` };
}

function ddlOf(name: string, { type, isNullable, generatedAs }: Column): string {
  const rule = isNullable ? "" : " not null";
  return `${name} ${type}${rule}${generatedAs === null ? "" : ` generated always as (${generatedAs}) stored`}`;
}

/** A read table. `keys` and `indexes` are SQL, as `ProjectionTable` says. */
export function defineTable<const Name extends string, const TableColumns extends Columns>(table: {
  readonly name: Name;
  readonly columns: TableColumns;
  readonly keys: readonly string[];
  readonly indexes: readonly string[];
  readonly stepIndexes?: readonly string[];
  readonly fillFactor?: number;
}): ReadTable<Name, TableColumns> {
  const { name, columns, keys, indexes, stepIndexes = [], fillFactor = 100 } = table;
  const ddl = Object.entries(columns).map(([columnName, of]) => ddlOf(columnName, of));
  return {
    name,
    columns: ddl.join(", "),
    keys,
    indexes,
    stepIndexes,
    fillFactor,
    declared: columns,
  };
}

/** The names of all columns except those left out, in the order of the declaration. */
export function columnsOf<Table extends ReadTable, Left extends ColumnName<Table> = never>(
  { declared }: Table,
  ...left: readonly Left[]
): readonly Exclude<ColumnName<Table>, Left>[] {
  const isWanted = (name: string): name is Exclude<ColumnName<Table>, Left> =>
    Object.hasOwn(declared, name) && !left.some((other) => other === name);
  return Object.keys(declared).filter(isWanted);
}

/** The columns that a step writes, as the list of an INSERT. */
export function insertColumns({ declared }: ReadTable): string {
  return Object.entries(declared)
    .flatMap(([name, { generatedAs }]) => (generatedAs === null ? [name] : []))
    .join(", ");
}
