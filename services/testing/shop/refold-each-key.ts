// Folds keys of a projection again from their own streams, one at a time, as the repair of a held key does.
import type { Sql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { renderSql } from "#ledger/projection/render.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";

/** Folds every key that events after `after` touch. Returns the number of keys, and the tables' position. */
export async function refoldEachKey(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
  after: number,
): Promise<{ readonly keys: number; readonly through: number }> {
  const live = (await readGenerations(sql)).find(
    ({ name, state }) => name === projection.name && state === "live",
  );
  if (live === undefined) {
    throw new Error(`${projection.name} is not live`);
  }
  const rows = await sql.unsafe<{ key: string }[]>(renderSql(projection.keysTouched, 0, "all"), [
    String(after),
    String(live.position),
  ]);
  const upcasts = createUpcasts(sql, events);
  for (const { key } of rows) {
    await refoldKeys(sql, projection, live, [key], upcasts);
  }
  return { keys: rows.length, through: live.position };
}
