// The texts that events about users refer to, for as long as they are not erased.
import type { Sql } from "#db/connect.ts";
import { textArray } from "#ledger/log/encode.ts";

/** What a change was from and to; null where there was nothing. */
export type ChangeText = {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** By id. Ids that are none, or whose texts were erased, are left out. */
export async function findChangeTexts(
  sql: Sql,
  ids: readonly unknown[],
): Promise<ReadonlyMap<string, ChangeText>> {
  const asked = ids.filter((id) => typeof id === "string");
  if (asked.length === 0) {
    return new Map();
  }
  const rows = await sql<(ChangeText & { readonly id: string })[]>`
    select id, field, before, after from identity.user_changes
    where id = any (${textArray(asked)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}
