// Compares two generations piece by piece: a comparison at once would keep every old version of the rows that steps update.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";
import { columnsOf, haveSameRowsSql, newSeed } from "#ledger/projection/compare.ts";
import type { Projection, ProjectionTable } from "#ledger/projection/define.ts";
import type { Pace } from "#ledger/projection/pace.ts";
import { tableName } from "#ledger/projection/render.ts";
import { settingsSql } from "#ledger/projection/step.ts";
import { NeverTogether } from "#ledger/projection/stuck-tables.ts";

/** 3 ms of a machine that does nothing else. It reads much memory, so that steps beside it are slower. */
const PIECE_ROWS = 1_000;

/**
 * How much longer it rests than filling does: steps beside it feed both tables. With 1, half of the maximum rate and sales
 * compared, sales were seen up to 102 ms late (p99).
 */
const REST_FACTOR = 2;

const TRIES = 200;

/** How to compare beside a shop that is open. */
export type Gently = {
  readonly pace: Pace;
  /** Stops between two pieces. */
  readonly signal?: AbortSignal | undefined;
  /** Awaited after each piece but the last; if it throws, the comparison ends there. */
  readonly onPiece?: (() => Promise<void>) | undefined;
};

type Comparison = Gently & {
  readonly projection: Projection;
  readonly live: number;
  readonly rebuilt: number;
  readonly pieceRows: number;
};

type KeyColumn = { readonly name: string; readonly type: string };

/** The columns of the table's primary key, in its order. */
async function primaryKeyOf(sql: Sql, table: string): Promise<readonly KeyColumn[]> {
  return sql<KeyColumn[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i
    cross join unnest(i.indkey::smallint[]) with ordinality as part (number, nth)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.number
    where i.indrelid = ${table}::regclass and i.indisprimary
    order by part.nth`;
}

/** SQL of one bound of a piece: its values are parameters from number `first` on. */
function boundSql(key: readonly KeyColumn[], operator: ">" | "<=", first: number): string {
  const values = key.map(({ type }, index) => `$${first + index}::text::${type}`);
  return `(${key.map(({ name }) => `"${name}"`).join(", ")}) ${operator} (${values.join(", ")})`;
}

/** The last key of the piece after the key `from`; undefined for the last piece, which goes to the table's end. */
async function endOfPiece(
  sql: TransactionSql,
  table: string,
  key: readonly KeyColumn[],
  { from, rows }: { readonly from: readonly string[]; readonly rows: number },
): Promise<readonly string[] | undefined> {
  const names = key.map(({ name }) => `"${name}"`).join(", ");
  const [row] = await sql.unsafe<{ values: string[] }[]>(
    `select array[${key.map(({ name }) => `"${name}"::text`).join(", ")}] as values
    from ${table} where ${from.length === 0 ? "true" : boundSql(key, ">", 1)}
    order by ${names} offset ${rows - 1} limit 1`,
    [...from],
  );
  return row?.values;
}

/** A piece that was compared while both were at one position; undefined while they are not. */
type Piece = { readonly isSame: boolean; readonly end: readonly string[] | undefined };

/** Compares the rows of a table after the key `from`. */
async function comparePiece(
  sql: Sql,
  { projection, live, rebuilt, pieceRows: rows }: Comparison,
  { tables, columns, key }: Form,
  from: readonly string[],
): Promise<Piece | undefined> {
  return sql.begin(async (transaction) => {
    // PostgreSQL takes a range of a key of two columns for a range of the first one, and would read the whole table.
    const plans = settingsSql({ enable_seqscan: "off", enable_bitmapscan: "off" });
    await transaction.unsafe(`select ${plans}`);
    const end = await endOfPiece(transaction, tables[0], key, { from, rows });
    const bounds = [
      ...(from.length === 0 ? [] : [boundSql(key, ">", 2)]),
      ...(end === undefined ? [] : [boundSql(key, "<=", 2 + from.length)]),
    ];
    const [row] = await transaction.unsafe<{ isTogether: boolean; isSame: boolean }[]>(
      `select ${haveSameRowsSql(tables, columns, ["true", ...bounds].join(" and "))} as "isSame", (
        select count(distinct position) = 1 from read.projections
        where name = '${projection.name}' and generation in (${live}, ${rebuilt})) as "isTogether"`,
      [newSeed(), ...from, ...(end ?? [])],
    );
    return row?.isTogether === true ? { isSame: row.isSame, end } : undefined;
  });
}

async function comparePieceTogether(
  sql: Sql,
  comparison: Comparison,
  form: Form,
  from: readonly string[],
): Promise<Piece> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const piece = await comparePiece(sql, comparison, form, from);
    if (piece !== undefined) {
      return piece;
    }
    await delay(25);
  }
  throw new NeverTogether(comparison.projection.name);
}

/** Two tables with the same columns, as SQL, and their key. */
type Form = {
  readonly tables: readonly [string, string];
  readonly columns: string;
  readonly key: readonly KeyColumn[];
};

/** Undefined if the tables are not of one form. */
async function formOf(
  sql: Sql,
  { live, rebuilt }: Comparison,
  { name }: ProjectionTable,
): Promise<Form | undefined> {
  const tables = [tableName(name, live), tableName(name, rebuilt)] as const;
  const [columns, otherColumns] = await Promise.all(tables.map((table) => columnsOf(sql, table)));
  const key = await primaryKeyOf(sql, tables[1]);
  const isOneForm = columns !== undefined && columns.join() === otherColumns?.join();
  return isOneForm && key.length > 0
    ? { tables, columns: columns.map((column) => `"${column}"`).join(", "), key }
    : undefined;
}

async function isSameTable(
  sql: Sql,
  comparison: Comparison,
  table: ProjectionTable,
): Promise<boolean> {
  const form = await formOf(sql, comparison, table);
  if (form === undefined) {
    return false;
  }
  const { pace, pieceRows, signal, onPiece } = comparison;
  let from: readonly string[] = [];
  for (;;) {
    const startedAt = performance.now();
    const { isSame, end } = await comparePieceTogether(sql, comparison, form, from);
    if (!isSame || end === undefined) {
      return isSame;
    }
    signal?.throwIfAborted();
    await onPiece?.();
    from = end;
    const ms = REST_FACTOR * (performance.now() - startedAt);
    await pace.rest(sql, { events: pieceRows, ms });
  }
}

/**
 * Whether both generations have the same rows. Each piece is compared in a snapshot of its own, with the pace's rests
 * between them, so each row is compared at a position of its own; what is written meanwhile is applied to both by the
 * same steps. False also if the tables are not of one form: what differs is for `compareGenerations` to say.
 */
export async function areSameInPieces(
  sql: Sql,
  given: Omit<Comparison, "pieceRows"> & { readonly pieceRows?: number },
): Promise<boolean> {
  for (const table of given.projection.tables) {
    if (!(await isSameTable(sql, { pieceRows: PIECE_ROWS, ...given }, table))) {
      return false;
    }
  }
  return true;
}
