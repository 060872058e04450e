// What the security log has about somebody, among their own data: without who of the store acted, and from where.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";

export async function readOwnNotes(
  reads: Reads,
  uid: string,
  limit: number,
): Promise<readonly { readonly row: string }[]> {
  const { rows } = await sql<{ row: string }>`
    select jsonb_build_object('what', kind, 'outcome', outcome, 'count', count, 'firstAt', noted_at,
      'lastAt', last_at, 'byStore', by_uid is not null,
      'file', case when by_uid is null and kind = 'exported' then split_part(detail, ' · ', 1) end,
      'address', case when by_uid is null then address end,
      'userAgent', case when by_uid is null then user_agent end)::text as row
    from security.log where uid = ${uid} order by noted_at, id limit ${limit}`.execute(reads);
  return rows;
}
