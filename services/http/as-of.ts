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
 * The position of a moment: for a time, the last one recorded by the end of its millisecond, because an event's printed
 * time has no microseconds; for a day, the last one before its end in the store, wherever the reader is; by default the
 * last one that the tables have. Throws HttpError 400 `position_unknown`.
 */
export async function findAsOf(
  { reads, store }: Calendar,
  moment: Moment | undefined,
  freshTo: number,
): Promise<AsOf> {
  if (moment?.kind === "time" || moment?.kind === "day") {
    const end =
      moment.kind === "time"
        ? new Date(new Date(moment.time).getTime() + 1)
        : await beginOfDay({ reads, store }, dayAfter(moment.day));
    const position = await positionBefore(reads, end, freshTo);
    return { position, at: new Date(end.getTime() - 1) };
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
  return positionAt(reads, { instant: time.toISOString(), isIncluded: false }, freshTo);
}

/**
 * The same for an instant as text, with microseconds, which may be included. Recording times never decrease, so about
 * twenty look-ups by key find it.
 */
export async function positionAt(
  reads: Reads,
  { instant, isIncluded }: { readonly instant: string; readonly isIncluded: boolean },
  freshTo: number,
): Promise<number> {
  const isWithin = sql`e.recorded_at ${sql.raw(isIncluded ? "<=" : "<")} ${instant}::text::timestamptz`;
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
