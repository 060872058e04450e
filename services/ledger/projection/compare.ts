// Compares two generations row by row in one snapshot, at the same position: what would a flip change?
import type { Sql, TransactionSql } from "postgres";
import { undoneAfter } from "#db/undone.ts";
import type { Projection, ProjectionTable } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { textArray } from "#ledger/log/encode.ts";
import { renderSql, tableName } from "#ledger/projection/render.ts";

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
};

async function columnsOf(sql: TransactionSql, table: string): Promise<string[]> {
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
  const differing = `
    (select 'live' as side, d.* from
      (select ${list} from ${liveTable} except all select ${list} from ${rebuiltTable}) d)
    union all
    (select 'rebuilt' as side, d.* from
      (select ${list} from ${rebuiltTable} except all select ${list} from ${liveTable}) d)`;
  const position = positionColumn(shared);
  const first = position === undefined ? "" : `"${position}", `;
  const rows = await sql.unsafe<Pick<Difference, "rows" | "firstPosition" | "samples">[]>(`
    with differing as materialized (${differing})
    select (select count(*) from differing) as rows,
      ${position === undefined ? "0" : `coalesce((select min("${position}") from differing), 0)`} as "firstPosition",
      coalesce((select jsonb_agg(jsonb_build_object('side', s.side, 'row', to_jsonb(s) - 'side'))
        from (select * from differing order by ${first}2, 3, 1 limit 20) s), '[]') as samples`);
  const [row] = rows;
  return {
    table: table.name,
    rows: row?.rows ?? 0,
    firstPosition: row?.firstPosition ?? 0,
    otherColumns,
    samples: row?.samples ?? [],
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
  throw new Error(
    `The generations of ${projection.name} were never at the same position: is a worker running?`,
  );
}
