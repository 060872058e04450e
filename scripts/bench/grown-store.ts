// A store with a long log and all read tables, on which commands go on: for benchmarks of a whole service.
import { events, projections } from "../../services/features.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { dropGeneration, readGenerations } from "#ledger/projection/generation.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { openHistory } from "./history.ts";
import type { BenchDatabase } from "./server.ts";

export type Growth = {
  /** Written by commands; the rest are copies of them. */
  readonly stretchEvents: number;
  readonly events: number;
  readonly progress: (line: string) => void;
};

/** Returns the number of events. Stream rows of copied events are brought to their last version. */
export async function growStore(
  database: BenchDatabase,
  sql: Sql,
  { stretchEvents, events: wanted, progress }: Growth,
): Promise<number> {
  await ensureProjections({ sql, projections, events });
  progress("writing the log");
  const history = await openHistory(database, stretchEvents);
  const count = await history.growTo(wanted);
  await history.close();
  const owner = connect(database.superuserUrl, { applicationName: "bench", maxConnections: 1 });
  await owner.unsafe(`
    set session_replication_role = replica;
    update log.streams s set version = m.version
    from (select stream_id, max(version) as version from log.event_streams group by 1) m
    where m.stream_id = s.id and s.version <> m.version`);
  await owner.end();
  progress("making the read tables");
  for (const projection of projections) {
    await rebuildProjection(sql, projection, { events });
    // The empty tables from before: feeding them with the whole log would be measured too.
    for (const { name, generation, state } of await readGenerations(sql)) {
      if (name === projection.name && state === "previous") {
        await dropGeneration(sql, projection, generation);
      }
    }
  }
  return count;
}
