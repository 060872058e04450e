// What a counted day of the till may say, whoever wrote it: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows } from "#ledger/verify/stream-rules.ts";
import { refuseMoreLeft } from "#features/till/decider.ts";
import { TillDayClosed } from "#features/till/events.ts";
import type { TillDayState } from "#features/till/streams.ts";
import { tillStream, tillStreamId } from "#features/till/streams.ts";

/** A day that is not in its own stream would count as never counted. */
const ofDay: Subject<{ readonly day: string }, TillDayState> = {
  check: "till",
  definition: tillStream,
  streamOf: ({ day }) => tillStreamId(day),
};

export const tillFollows: readonly BookCheck[] = [
  follows(TillDayClosed, ofDay, (data) => refuseMoreLeft(data)?.message ?? null),
];
