// How far the backfill is, in numbers for operators: metrics and npm run status. Cheap enough to be read every few seconds.
import type { Sql } from "#db/connect.ts";

export type BackfillCounts = {
  readonly state: "running" | "paused" | "finished";
  /** Items that are still to be looked up; 0 once it is finished, also if it ended before the last one. */
  readonly waiting: number;
  readonly failed: number;
  /** Items that got a picture, had one by then, or were gone. */
  readonly done: number;
};

/** Of the newest backfill; null if there was none yet. Reads three indexes, whatever was done already. */
export async function countBackfill(sql: Sql): Promise<BackfillCounts | null> {
  const [row] = await sql<
    { state: BackfillCounts["state"]; total: number; waiting: number; failed: number }[]
  >`
    select b.state,
      coalesce((select max(i.number) from store.image_backfill_items i where i.backfill_id = b.id), 0) as total,
      (select count(*) from store.image_backfill_items i
       where i.backfill_id = b.id and i.outcome is null) as waiting,
      (select count(*) from store.image_backfill_items i
       where i.backfill_id = b.id and i.outcome = 'failed') as failed
    from store.image_backfills b order by b.started_at desc limit 1`;
  if (row === undefined) {
    return null;
  }
  const { state, total, waiting, failed } = row;
  const done = total - waiting - failed;
  return { state, waiting: state === "finished" ? 0 : waiting, failed, done };
}
