// Finds what is shown of a projection, for the checks that look at tables and views.
import type { Sql } from "postgres";
import type { Projection, StoredProjection } from "#ledger/projection/define.ts";
import { readDefinition } from "#ledger/projection/definition.ts";
import { readLive } from "#ledger/projection/generation.ts";

export type Shown = { readonly generation: number; readonly definition: StoredProjection };

/**
 * The shown generation and the definition that lists its tables, which may be of another version. Undefined if nothing
 * is shown, or if the definition is not known.
 */
export async function readShown(sql: Sql, projection: Projection): Promise<Shown | undefined> {
  const live = await readLive(sql, projection.name);
  if (live === undefined) {
    return undefined;
  }
  const made = await readDefinition(sql, live.name, live.generation);
  const own = live.version === projection.version ? projection : undefined;
  const definition = made ?? own;
  return definition && { generation: live.generation, definition };
}
