// Finds events of a store that are in a history although their explanation says that they never are.
import { explanations } from "../../features.ts";
import type { Sql } from "#db/connect.ts";
import type { Histories } from "#features/histories.ts";
import type { Explanation } from "#ledger/explain.ts";

/** "ItemReserved extends item streams: …", one sentence for each event type and history. */
export async function unexplainedEvents(sql: Sql): Promise<string[]> {
  const rows = await sql<{ type: string; history: string }[]>`
    select distinct e.type, split_part(s.stream_id, '-', 1) as history
    from log.event_streams s join log.events e on e.position = s.position order by 1, 2`;
  return rows.flatMap(({ type, history }) => {
    const explanation: Partial<Explanation<never, Histories>> =
      explanations.get(type)?.explanation ?? {};
    // A null explanation means "never"; streams that no history shows have none.
    return Reflect.get(explanation, history) === null
      ? [`${type} extends ${history} streams: say in explain.ts how it reads there`]
      : [];
  });
}
