// What a test of a projection looks at first: whether its step failed for any row, at which event, and why.
import type { Sql } from "#db/connect.ts";

/** Fails with the reasons if the projection holds back rows. Those of other projections make no difference. */
export async function expectNothingHeld(sql: Sql, projection: string): Promise<void> {
  const held = await sql<{ why: string }[]>`
    select format('row %s is held back at the %s at position %s: %s', q.key, e.type, q.at_position, q.error) as why
    from read.quarantine q
    left join log.events e on e.position = q.at_position
    where q.projection = ${projection}
    order by q.at_position, q.key limit 5`;
  if (held.length > 0) {
    throw new Error(`the step of ${projection} failed: ${held.map(({ why }) => why).join("; ")}`);
  }
}
