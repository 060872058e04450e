// The row keys that are held back, with what operators did about them.
import type { Sql } from "#db/connect.ts";
import type { HeldResponse } from "#features/operations/contract.ts";

const LISTED = 200;

type Row = Omit<HeldResponse["keys"][number], "heldSince" | "triedAt"> & {
  readonly heldSince: Date;
  readonly triedAt: Date | null;
};

/** Shown tables first; each key once for each generation that holds it back. */
export async function readHeldNow(sql: Sql): Promise<HeldResponse> {
  const [rows, [all]] = await Promise.all([
    sql<Row[]>`
      select q.projection, q.key, q.at_position as "atPosition", q.error, q.created_at as "heldSince",
        q.tried_at as "triedAt", q.fold_again as "isAsked", p.state
      from read.quarantine q
      join read.projections p on p.name = q.projection and p.generation = q.generation
      order by (p.state = 'live') desc, q.projection, q.generation desc, q.at_position, q.key
      limit ${LISTED}`,
    sql<{ count: number; shownCount: number }[]>`
      select count(*) as count, count(*) filter (where p.state = 'live') as "shownCount"
      from read.quarantine q
      join read.projections p on p.name = q.projection and p.generation = q.generation`,
  ]);
  return {
    count: all?.count ?? 0,
    shownCount: all?.shownCount ?? 0,
    keys: rows.map(({ heldSince, triedAt, ...row }) => ({
      ...row,
      heldSince: heldSince.toISOString(),
      triedAt: triedAt?.toISOString() ?? null,
    })),
  };
}

/** How many generations hold this key back, or any key if it is null. */
export async function countHeldNow(
  sql: Sql,
  projection: string,
  key: string | null,
): Promise<number> {
  const [row] = await sql<{ keys: number }[]>`
    select count(*) as keys from read.quarantine
    where projection = ${projection} and (${key}::text is null or key = ${key})`;
  return row?.keys ?? 0;
}
