// A person's past sales and paid payouts of the old app, read from the log where the migration noted them.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import type { Cents } from "#ledger/money.ts";
import { toDollars } from "#ledger/money.ts";
import type { PastKind, PastResponse } from "#features/migration/contract-past.ts";
import { LegacyPayoutNoted, LegacySaleNoted, UserMigrated } from "#features/migration/events.ts";
import { userStreamId } from "#features/users/streams.ts";

type PastDeps = { readonly reads: Reads; readonly readEvent: ReadEvent };

/** More than all old accounts of a person can have. */
const MOST = 1_000_000;

/** From where to where the log has what was noted of one old account. */
type Noted = { readonly first: number; readonly last: number };

type PastRow = StoredFact & { readonly position: number; readonly happened_at: Date };

const migrationsOf = statement((reads, value: ValueOf<{ readonly stream: string }>) =>
  reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.happened_at"])
    .where("s.stream_id", "=", value("stream"))
    .where("e.type", "=", sql.lit(UserMigrated.type)),
);

/** One append wrote an account's past sales and payouts, right before `UserMigrated`. */
async function notedOf({ reads, readEvent }: PastDeps, uid: string): Promise<readonly Noted[]> {
  const rows = await migrationsOf(reads, { stream: userStreamId(uid) });
  return rows.flatMap((row) => {
    const event = eventOf(row, readEvent);
    if (event === null || !is(UserMigrated, event)) {
      return [];
    }
    const { sales, paidPayouts } = event.data;
    return [{ first: row.position - sales - paidPayouts, last: row.position - 1 }];
  });
}

type PastValues = {
  readonly firsts: string;
  readonly lasts: string;
  readonly type: string;
  readonly before: number;
  readonly limit: number;
};

// The limit inside keeps the planner from walking the whole log backwards for the few entries of a person.
const pastPage = statement((reads, value: ValueOf<PastValues>) =>
  reads
    .selectFrom(
      sql<PastRow>`(
        select e.*
        from unnest(${value("firsts")}::text::bigint[], ${value("lasts")}::text::bigint[]) as r (first, last)
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

type Page = { readonly kind: PastKind; readonly before: number; readonly limit: number };

async function readPage(deps: PastDeps, uid: string, page: Page): Promise<readonly PastRow[]> {
  const noted = await notedOf(deps, uid);
  const { kind, before, limit } = page;
  return noted.length === 0
    ? []
    : pastPage(deps.reads, {
        firsts: `{${noted.map(({ first }) => first).join(",")}}`,
        lasts: `{${noted.map(({ last }) => last).join(",")}}`,
        type: types[kind],
        before,
        limit,
      });
}

const types = { sales: LegacySaleNoted.type, payouts: LegacyPayoutNoted.type } as const;

/** The last first: in an account of the old app they were noted in the order in which they happened. */
export async function readPast(
  deps: PastDeps,
  uid: string,
  query: {
    readonly kind: PastKind;
    readonly cursor: string | undefined;
    readonly limit: number;
  },
): Promise<PastResponse> {
  const { kind, cursor, limit } = query;
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const rows = await readPage(deps, uid, { kind, before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: shown.flatMap((row) => entryOf(row, deps.readEvent) ?? []),
    nextCursor: rows.length > limit && last !== undefined ? String(last.position) : null,
  };
}

/** What was paid to a person in the old app. An account has at most 10,000 payouts. */
export async function readPaidBefore(deps: PastDeps, uid: string): Promise<Cents> {
  const all = { kind: "payouts", before: Number.MAX_SAFE_INTEGER, limit: MOST } as const;
  const rows = await readPage(deps, uid, all);
  return rows.reduce((sum, row) => {
    const event = eventOf(row, deps.readEvent);
    return event !== null && is(LegacyPayoutNoted, event) ? sum + event.data.amountCents : sum;
  }, 0);
}

/** Null for one that cannot be read, which verify reports. */
function eventOf(row: PastRow, readEvent: ReadEvent): AnyEvent | null {
  const fact = readEvent(row);
  return fact.kind === "unreadable"
    ? null
    : { ...fact, postings: [], movements: [], happenedAt: row.happened_at.toISOString() };
}

function entryOf(row: PastRow, readEvent: ReadEvent): PastResponse["entries"][number] | null {
  const event = eventOf(row, readEvent);
  if (event === null) {
    return null;
  }
  const entry = { position: row.position, date: event.happenedAt };
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
