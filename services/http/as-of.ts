// Where in the log a time or a position of a request is, for reads that show the past as it was recorded.
import { sql } from "kysely";
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { beginOfDay, dayAfter, type Calendar } from "#http/store-days.ts";
import type { Moment } from "#ledger/fields.ts";

/** A place in the log. */
export type AsOf = {
  /** The last position that counts. */
  readonly position: number;
  /** The time that was asked for; the end of a day; for a position, when it was recorded. Null while the ledger is empty. */
  readonly at: Date | null;
};

/**
 * The position of a moment: for a time, the last one recorded at or before it; for a day, at its end in the store,
 * wherever the reader is; by default the last one that the
 * tables have. Recording times never decrease, so about twenty look-ups by key find it. Throws HttpError 400
 * `position_unknown`.
 */
export async function findAsOf(
  { reads, store }: Calendar,
  moment: Moment | undefined,
  freshTo: number,
): Promise<AsOf> {
  if (moment?.kind === "time" || moment?.kind === "day") {
    const at =
      moment.kind === "time"
        ? new Date(moment.time)
        : new Date((await beginOfDay({ reads, store }, dayAfter(moment.day))).getTime() - 1);
    return { position: await lastPosition(reads, at, "<=", freshTo), at };
  }
  const position = moment?.position ?? freshTo;
  if (position > freshTo) {
    throw badRequest("position_unknown", "The ledger has not come that far", "at");
  }
  const row = await reads
    .selectFrom("log.events")
    .select("recorded_at")
    .where("position", "=", position)
    .executeTakeFirst();
  return { position, at: row?.recorded_at ?? null };
}

/** The last position that was recorded before a time; 0 if there is none. */
export function positionBefore(reads: Reads, time: Date, freshTo: number): Promise<number> {
  return lastPosition(reads, time, "<", freshTo);
}

async function lastPosition(
  reads: Reads,
  time: Date,
  comparison: "<" | "<=",
  freshTo: number,
): Promise<number> {
  const isWithin = sql`e.recorded_at ${sql.raw(comparison)} ${time.toISOString()}::text::timestamptz`;
  const { rows } = await sql<{ readonly position: number }>`
    with recursive halving (low, high) as (
      select 0::bigint, ${freshTo}::bigint
      union all
      select case when ${isWithin} then e.position else s.low end,
        case when ${isWithin} then s.high else e.position - 1 end
      from halving s
      join log.events e on e.position = (s.low + s.high + 1) / 2
      where s.low < s.high)
    select low as position from halving where low = high limit 1`.execute(reads);
  return rows[0]?.position ?? 0;
}
