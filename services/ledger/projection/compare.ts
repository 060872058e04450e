// Compares two generations row by row in one snapshot, at the same position: what would a flip change?
import { randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { undoneAfter } from "#db/undone.ts";
import type { Projection, ProjectionTable } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { textArray } from "#ledger/log/encode.ts";
import { renderSql, tableName } from "#ledger/projection/render.ts";
import { NeverTogether } from "#ledger/projection/stuck-tables.ts";

/** The differences in one table: how many rows, and the first of them in both versions. */
export type Difference = {
  readonly table: string;
  readonly rows: number;
  /** The earliest position in a differing row; 0 if no row has one. */
  readonly firstPosition: number;
  /** Columns that only one of the two versions has; they are not compared. */
  readonly otherColumns: readonly string[];
  readonly samples: readonly {
    readonly side: "live" | "rebuilt";
    readonly row: Record<string, unknown>;
  }[];
  /** How many row keys differ, and the first ones: those that only the shown tables have, then by amount. */
  readonly keyCount: number;
  readonly keys: readonly KeyDifference[];
};

/** What differs under one row key: the first column of the table's primary key. */
export type KeyDifference = {
  readonly key: string;
  /** Only the new tables have it, only the shown ones do, or both with other values. */
  readonly kind: "added" | "removed" | "changed";
  readonly rows: number;
  readonly firstPosition: number;
  /** By how much each column of cents changes: its sum, or for a running balance its last value. */
  readonly cents: Readonly<Record<string, number>>;
};

/** The most keys that a comparison lists. */
const KEYS_LISTED = 50;

export async function columnsOf(sql: Sql | TransactionSql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attname`;
  return rows.map((row) => row.name);
}

/** The column with the position of the event that a row came from, if its table has one. */
function positionColumn(columns: readonly string[]): string | undefined {
  return (
    columns.find((name) => name === "position") ?? columns.find((name) => name.endsWith("position"))
  );
}

/** The first column of the primary key; undefined for a table without one. */
async function keyColumnOf(sql: TransactionSql, table: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = ${table}::regclass and i.indisprimary`;
  return row?.name;
}

/** SQL of the change of one column of cents within a group of differing rows. */
function changeOf(column: string, position: string | undefined): string {
  const of = (side: string) =>
    column.endsWith("_after_cents") && position !== undefined
      ? `(array_agg("${column}" order by "${position}" desc) filter (where side = '${side}'))[1]`
      : `sum("${column}") filter (where side = '${side}')`;
  return `coalesce(${of("rebuilt")}, 0)::bigint - coalesce(${of("live")}, 0)::bigint`;
}

/** SQL that sums differing rows by row key, as rows of KeyDifference in JSON. */
function keysOf(
  columns: readonly string[],
  key: string | undefined,
  position: string | undefined,
): { readonly count: string; readonly list: string } {
  if (key === undefined || !columns.includes(key)) {
    return { count: "0", list: "'[]'::jsonb" };
  }
  const cents = columns.filter((name) => name.endsWith("_cents"));
  const changes = cents.map((name) => `'${name}', ${changeOf(name, position)}`).join(", ");
  const grouped = `
    select "${key}"::text as key, count(*) as rows,
      coalesce(${position === undefined ? "0" : `min("${position}")`}, 0) as first,
      case when bool_and(side = 'rebuilt') then 'added' when bool_and(side = 'live') then 'removed'
        else 'changed' end as kind,
      jsonb_build_object(${changes}) as cents
    from differing group by 1`;
  return {
    count: `(select count(distinct "${key}") from differing)`,
    list: `(select coalesce(jsonb_agg(jsonb_build_object('key', k.key, 'kind', k.kind, 'rows', k.rows,
        'firstPosition', k.first, 'cents', k.cents)), '[]')
      from (select g.* from (${grouped}) g
        order by g.kind = 'removed' desc, (select coalesce(max(abs(c.value::bigint)), 0) from jsonb_each_text(g.cents) c) desc, g.key
        limit ${KEYS_LISTED}) k)`,
  };
}

/** A number that nobody knows beforehand. */
export function newSeed(): string {
  return randomBytes(8).readBigInt64BE().toString();
}

/**
 * SQL: whether two tables have the same rows, by their number and the sum of their hashes. Because the seed `$1` is new,
 * other rows have the same sum once in 2^64 comparisons.
 */
export function haveSameRowsSql(
  tables: readonly [string, string],
  columns: string,
  where = "true",
): string {
  const [one, other] = tables.map(
    (table) => `
      select row(count(*), sum(hash_record_extended(d, $1::bigint)))
      from (select ${columns} from ${table} where ${where}) d`,
  );
  return `(${one}) is not distinct from (${other})`;
}

/** For a million rows that are the same, this takes 0.6 s instead of 2.7 s. */
async function haveSameRows(
  sql: TransactionSql,
  tables: readonly [string, string],
  columns: string,
): Promise<boolean> {
  const rows = await sql.unsafe<{ same: boolean }[]>(
    `select ${haveSameRowsSql(tables, columns)} as same`,
    [newSeed()],
  );
  return rows[0]?.same === true;
}

async function compareTable(
  sql: TransactionSql,
  table: ProjectionTable,
  live: number,
  rebuilt: number,
): Promise<Difference> {
  const [liveTable, rebuiltTable] = [tableName(table.name, live), tableName(table.name, rebuilt)];
  const [liveColumns, rebuiltColumns] = [
    await columnsOf(sql, liveTable),
    await columnsOf(sql, rebuiltTable),
  ];
  const shared = liveColumns.filter((name) => rebuiltColumns.includes(name));
  const otherColumns = [...new Set([...liveColumns, ...rebuiltColumns])].filter(
    (name) => !shared.includes(name),
  );
  const list = shared.map((name) => `"${name}"`).join(", ");
  if (await haveSameRows(sql, [liveTable, rebuiltTable], list)) {
    return {
      table: table.name,
      rows: 0,
      firstPosition: 0,
      otherColumns,
      samples: [],
      keyCount: 0,
      keys: [],
    };
  }
  const differing = `
    (select 'live' as side, d.* from
      (select ${list} from ${liveTable} except all select ${list} from ${rebuiltTable}) d)
    union all
    (select 'rebuilt' as side, d.* from
      (select ${list} from ${rebuiltTable} except all select ${list} from ${liveTable}) d)`;
  const position = positionColumn(shared);
  const first = position === undefined ? "" : `"${position}", `;
  const keys = keysOf(shared, await keyColumnOf(sql, rebuiltTable), position);
  const rows = await sql.unsafe<Omit<Difference, "table" | "otherColumns">[]>(`
    with differing as materialized (${differing})
    select (select count(*) from differing) as rows,
      ${position === undefined ? "0" : `coalesce((select min("${position}") from differing), 0)`} as "firstPosition",
      coalesce((select jsonb_agg(jsonb_build_object('side', s.side, 'row', to_jsonb(s) - 'side'))
        from (select * from differing order by ${first}2, 3, 1 limit 20) s), '[]') as samples,
      ${keys.count} as "keyCount", ${keys.list} as keys`);
  const [row] = rows;
  return {
    table: table.name,
    rows: row?.rows ?? 0,
    firstPosition: row?.firstPosition ?? 0,
    otherColumns,
    samples: row?.samples ?? [],
    keyCount: row?.keyCount ?? 0,
    keys: row?.keys ?? [],
  };
}

/**
 * Runs `body` in one snapshot from which the rows of these keys are deleted in both generations. The deletion is
 * rolled back, and nobody else sees it: nobody changes rows of a key that is held back.
 */
async function inSnapshotWithout<Result>(
  sql: Sql,
  projection: Projection,
  generations: readonly number[],
  keys: readonly string[],
  body: (snapshot: TransactionSql) => Promise<Result>,
): Promise<Result> {
  if (keys.length === 0) {
    return sql.begin("isolation level repeatable read read only", body) as Promise<Result>;
  }
  const withoutKeys = async (snapshot: TransactionSql): Promise<Result> => {
    for (const generation of generations) {
      for (const statement of projection.forgetKeys) {
        await snapshot.unsafe(renderSql(statement, generation, "all"), [textArray(keys)]);
      }
    }
    return body(snapshot);
  };
  return undoneAfter(sql, withoutKeys, "isolation level repeatable read");
}

/**
 * Waits for a snapshot in which both are at the same position, then compares every table in it, without the rows of
 * the keys in `without`.
 */
export async function compareGenerations(
  sql: Sql,
  projection: Projection,
  live: Generation,
  rebuilt: number,
  without: readonly string[] = [],
): Promise<Difference[]> {
  const both = [live.generation, rebuilt];
  for (let tries = 1; tries <= 200; tries += 1) {
    const compared = await inSnapshotWithout(sql, projection, both, without, async (snapshot) => {
      const positions = await snapshot<{ position: number }[]>`
        select distinct position from read.projections
        where name = ${projection.name} and generation in (${live.generation}, ${rebuilt})`;
      if (positions.length !== 1) {
        return undefined;
      }
      const differences: Difference[] = [];
      for (const table of projection.tables) {
        const difference = await compareTable(snapshot, table, live.generation, rebuilt);
        if (difference.rows > 0 || difference.otherColumns.length > 0) {
          differences.push(difference);
        }
      }
      return differences;
    });
    if (compared !== undefined) {
      return compared;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
  throw new NeverTogether(projection.name);
}
