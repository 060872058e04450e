// Proves single row keys: folds them again in temporary tables and compares their rows with the live ones, without a whole replay.
import type { Sql } from "postgres";
import { transactionIn } from "#db/transaction-in.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection, ShownMoney } from "#ledger/projection/define.ts";
import { sharesOf, temporaryName, withTablesBeside } from "#ledger/projection/fold-beside.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { readLive } from "#ledger/projection/generation.ts";
import { keysHeldIn } from "#ledger/projection/held.ts";
import { tableName } from "#ledger/projection/render.ts";
import { PLAIN_READING, renderSources } from "#ledger/projection/sources.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";

/** A projection whose rows can be found by their key. */
export type ProvableProjection = Projection & { readonly money: ShownMoney };

export function isProvable(projection: Projection): projection is ProvableProjection {
  return projection.money !== undefined;
}

/** True for a table whose rows have no row key of their own, as they follow from those of the other tables. */
export function isDerived({ derived }: Projection, table: string): boolean {
  return derived?.tables.includes(table) === true;
}

/** The tables whose rows have a row key, each with its key as SQL. */
function keyedTables(projection: ProvableProjection): { name: string; key: string }[] {
  return projection.tables
    .filter(({ name }) => !isDerived(projection, name))
    .map(({ name }) => {
      const key = projection.money.keyOfRow[name];
      if (key === undefined) {
        throw new Error(`The table ${name} shows money, but its row key is not declared`);
      }
      return { name, key };
    });
}

/** The keys under which the live rows are not those that the fold made. */
async function differingKeys(
  sql: Sql,
  projection: ProvableProjection,
  generation: number,
  keys: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const { name, key } of keyedTables(projection)) {
    const rowsOf = (table: string) =>
      `select (${key}) as row_key, t.* from ${table} t where (${key}) = any ($1::text[])`;
    const [live, folded] = [rowsOf(tableName(name, generation)), rowsOf(temporaryName(name))];
    const rows = await sql.unsafe<{ key: string }[]>(
      `select distinct row_key as key from (
         (${live} except all ${folded}) union all (${folded} except all ${live})) d`,
      [textArray(keys)],
    );
    rows.forEach((row) => found.add(row.key));
  }
  return [...found];
}

/** More keys than anybody looks at one by one. */
const MOST_SUSPECTS = 200;

/**
 * Keys whose rows differ between two generations. They are fed apart from each other, so a key that changes right now
 * may be among them: `proveKeys` says which ones are wrong.
 */
export async function suspectKeys(
  sql: Sql,
  projection: ProvableProjection,
  [one, other]: readonly [number, number],
): Promise<string[]> {
  const found = new Set<string>();
  for (const { name, key } of keyedTables(projection)) {
    const rowsOf = (generation: number) =>
      `select (${key}) as row_key, t.* from ${tableName(name, generation)} t`;
    const rows = await sql.unsafe<{ key: string }[]>(
      `select distinct row_key as key from (
         (${rowsOf(one)} except all ${rowsOf(other)})
         union all (${rowsOf(other)} except all ${rowsOf(one)})) d
       limit ${MOST_SUSPECTS}`,
    );
    rows.forEach((row) => found.add(row.key));
  }
  return [...found];
}

async function compareOnce(
  sql: Sql,
  projection: ProvableProjection,
  { generation }: Generation,
  keys: readonly string[],
  upcasts: Upcasts,
  also: readonly number[],
): Promise<string[]> {
  const shares = (await sharesOf(sql, projection, keys)).map((share) => ({ ...share, also }));
  // Not behind the session's back: the pool is small. If an older event comes meanwhile, the second look is right.
  const live = await readLive(sql, projection.name);
  const older = await upcasts.bringTo(live?.position ?? 0, undefined);
  return withTablesBeside(
    sql,
    { projection, generation, shares },
    async ({ session, foldTo, foldNear }) => {
      await foldNear(
        async () => (await readLive(session, projection.name))?.position ?? 0,
        () => Promise.resolve(older),
      );
      return transactionIn(session, "isolation level repeatable read", async () => {
        const [at] = await session<{ position: number }[]>`
        select position from read.projections
        where name = ${projection.name} and generation = ${generation} and state = 'live'`;
        if (at === undefined) {
          return [];
        }
        await foldTo(at.position, older);
        return differingKeys(session, projection, generation, keys);
      });
    },
  );
}

/** The positions of events that count in these keys' rows, whatever streams they extend. */
async function readPositions(
  sql: Sql,
  { money: { positionsOfKeys } }: ProvableProjection,
  keys: readonly string[],
): Promise<readonly number[]> {
  if (positionsOfKeys === undefined || keys.length === 0) {
    return [];
  }
  const rows = await sql.unsafe<{ position: number }[]>(
    renderSources(positionsOfKeys, PLAIN_READING),
    [textArray(keys)],
  );
  return rows.map(({ position }) => position);
}

export type ProvedKeys = {
  /** The position of the live tables. */
  readonly position: number;
  /** The keys that were compared. */
  readonly proved: readonly string[];
  /** Those whose live rows differ from the log. */
  readonly drifted: readonly string[];
};

/**
 * Compares the live rows of these keys with a fold of their streams, the rows and the last events in one snapshot, and changes nothing. A
 * difference counts if two looks find it; the second one also folds events outside their streams that count in the rows, as
 * a replay does, since a rebuild could not help against those. Keys that are held back are left out, and so is everything while the live
 * tables are of another version than the program's.
 */
export async function proveKeys(
  sql: Sql,
  projection: ProvableProjection,
  keys: readonly string[],
  upcasts: Upcasts,
): Promise<ProvedKeys> {
  const live = await readLive(sql, projection.name);
  if (live === undefined || live.version !== projection.version) {
    return { position: 0, proved: [], drifted: [] };
  }
  const held = new Set(await keysHeldIn(sql, projection.name, live.generation));
  const proved = keys.filter((key) => !held.has(key));
  const look = (suspects: readonly string[], also: readonly number[]) =>
    suspects.length === 0 ? [] : compareOnce(sql, projection, live, suspects, upcasts, also);
  const differing = await look(proved, []);
  const drifted = await look(differing, await readPositions(sql, projection, differing));
  return { position: live.position, proved, drifted };
}
