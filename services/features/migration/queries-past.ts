// A person's past sales and paid payouts of the old app, read from the log where the migration noted them.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import { is } from "#ledger/event.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";
import type { PastKind, PastResponse } from "#features/migration/contract-past.ts";
import { LegacyPayoutNoted, LegacySaleNoted } from "#features/migration/events.ts";
import { NOTED_OF_USER } from "#features/migration/streams.ts";
import { userStreamId } from "#features/users/streams.ts";

type PastValues = {
  readonly stream: string;
  readonly type: string;
  readonly before: number;
  readonly limit: number;
};

type PastRow = {
  readonly position: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly happened_at: Date;
};

// The limit inside keeps the planner from walking the whole log backwards for the few entries of a person.
const pastPage = statement((reads, value: ValueOf<PastValues>) =>
  reads
    .selectFrom(
      sql<PastRow>`(
        select e.* from (${sql.raw(NOTED_OF_USER)} ${value("stream")}) r
        cross join lateral (
          select e.position, e.type, e.schema_version, e.data, e.happened_at
          from log.events e
          where e.position between r.first and r.last and e.type = ${value("type")}
            and e.position < ${value("before")}::bigint
          order by e.position desc limit ${value("limit")}::bigint
        ) e)`.as("p"),
    )
    .selectAll()
    .orderBy("position", "desc")
    .limit(value("limit")),
);

const types = { sales: LegacySaleNoted.type, payouts: LegacyPayoutNoted.type } as const;

/** The last first: in an account of the old app they were noted in the order in which they happened. */
export async function readPast(
  { reads, readEvent }: { readonly reads: Reads; readonly readEvent: ReadEvent },
  uid: string,
  query: {
    readonly kind: PastKind;
    readonly cursor: string | undefined;
    readonly limit: number;
  },
): Promise<PastResponse> {
  const { kind, cursor, limit } = query;
  const rows = await pastPage(reads, {
    stream: userStreamId(uid),
    type: types[kind],
    before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor),
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: shown.flatMap((row) => entryOf(row, readEvent) ?? []),
    nextCursor: rows.length > limit && last !== undefined ? String(last.position) : null,
  };
}

/** Null for an event that cannot be read, which verify reports. */
function entryOf(row: PastRow, readEvent: ReadEvent): PastResponse["entries"][number] | null {
  const fact = readEvent(row);
  if (fact.kind === "unreadable") {
    return null;
  }
  const happenedAt = row.happened_at.toISOString();
  const event = { ...fact, postings: [], movements: [], happenedAt };
  const entry = { position: row.position, date: happenedAt };
  if (is(LegacySaleNoted, event)) {
    const { itemName, units, priceCents, shippingCents, payoutCents } = event.data;
    return {
      ...entry,
      kind: "sale",
      itemName,
      soldQuantity: units,
      salePrice: toDollars(priceCents),
      shippingCost: toDollars(shippingCents),
      payoutAmount: toDollars(payoutCents),
    };
  }
  if (is(LegacyPayoutNoted, event)) {
    const { amountCents, method } = event.data;
    return { ...entry, kind: "payout", amount: toDollars(amountCents), method };
  }
  return null;
}
