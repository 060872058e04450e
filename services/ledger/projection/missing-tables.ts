// What the shown tables of a projection lack as a whole: then nothing else can be said of them, and only a rebuild helps.
import type { Sql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readDefinition } from "#ledger/projection/definition.ts";
import { readLive } from "#ledger/projection/generation.ts";
import { tableName } from "#ledger/projection/render.ts";

/** One sentence for each part that is gone. */
export async function findMissing(sql: Sql, projection: Projection): Promise<readonly string[]> {
  const { name } = projection;
  const live = await readLive(sql, name);
  if (live === undefined) {
    return [
      `${name} has no live row in read.projections, so nothing says which of its tables are shown, and how far they are`,
    ];
  }
  const { tables } = (await readDefinition(sql, name, live.generation)) ?? projection;
  const missing = await sql<{ table: string }[]>`
    select t as "table" from unnest(${textArray(tables.map((table) => tableName(table.name, live.generation)))}::text[]) t
    where to_regclass(t) is null`;
  return missing.map(({ table }) => `The table ${table}, which ${name} shows, is missing`);
}
