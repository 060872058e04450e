// Loads what the sentences of events need: names of items, personal texts, and what an event changed for a consignor.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import { consignorStreamId, availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { itemNameIn, textField } from "#features/audit/named-in.ts";
import type { Facts, OwnPart, Said } from "#features/audit/sentence.ts";
import { NO_TEXT, sayToAdmin, sayToConsignor } from "#features/audit/sentence.ts";
import type { EventExplanations } from "#features/histories.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { tradeStreamId } from "#features/trades/streams.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";

/** Who reads: an admin sees everything, a consignor only what touches them. */
export type Reader = { readonly uid: string; readonly isAdmin: boolean };

/** How a seller reads the events of a trade, oldest first; the feature of trades knows it. */
export type SellersLines = (
  events: readonly (AnyEvent | null)[],
  sellerUid: string,
) => readonly {
  readonly words: "usual" | { readonly description: string } | null;
  readonly hasNote: boolean;
}[];

export type AuditDeps = {
  readonly reads: Reads;
  readonly profiles: Profiles;
  readonly readEvent: ReadEvent;
  readonly explanations: EventExplanations;
  readonly sellersLines: SellersLines;
};

export type EventRow = {
  readonly position: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: Fields;
  readonly actor: string;
  readonly happened_at: Date;
  readonly recorded_at: Date;
};

type OwnChange = {
  readonly position: number;
  readonly available: number;
  readonly payouts: number;
};

/**
 * The available balance's change, and that of pending payouts, by a consignor's events. Each is looked up by its
 * position: the empty text keeps the planner from reading a busy account's whole stream.
 */
const readOwnChanges = statement(
  (
    _reads,
    value: ValueOf<{
      readonly positions: string;
      readonly available: string;
      readonly payouts: string;
      readonly stream: string;
    }>,
  ) => {
    const netOf = (name: "available" | "payouts") => sql`(
      select coalesce(sum(case when p.to_account = ${value(name)} then p.cents
        when p.from_account = ${value(name)} then -p.cents end), 0)::bigint
      from log.postings p where p.position = s.position)`;
    return sql<OwnChange>`
      select s.position, ${netOf("available")} as available, ${netOf("payouts")} as payouts
      from unnest(${value("positions")}::bigint[]) as k (position)
      cross join lateral (
        select o.position from log.event_streams o
        where o.position = k.position and o.stream_id || '' = ${value("stream")} limit 1) s`;
  },
);

const inItems = withTables(inventoryItemsTable);

const readItemNames = statement((reads, value: ValueOf<{ readonly ids: string }>) =>
  inItems(reads)
    .selectFrom("read.inventory_items")
    .select(["id", "item_name", "owner_uid"])
    .where("id", "=", sql<string>`any (${value("ids")}::uuid[])`),
);

/** Names and owners of items, also deleted ones. */
export async function itemsById(
  reads: Reads,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly ownerUid: string | null }>> {
  const rows = ids.length === 0 ? [] : await readItemNames(reads, { ids: textArray(ids) });
  return new Map(rows.map((row) => [row.id, { name: row.item_name, ownerUid: row.owner_uid }]));
}

/** The personal texts that events refer to; erased ones are missing. */
export async function textsOf(
  reads: Reads,
  all: readonly Fields[],
): Promise<(fields: Fields) => Facts["text"]> {
  const ids = all.flatMap((fields) => textField(fields, "changeId") ?? []);
  const rows =
    ids.length === 0
      ? []
      : await reads
          .selectFrom("identity.user_changes")
          .select(["id", "before", "after"])
          .where("id", "=", sql<string>`any (${textArray(ids)}::uuid[])`)
          .execute();
  const byId = new Map(rows.map(({ id, before, after }) => [id, { isKept: true, before, after }]));
  return (fields) => {
    const id = textField(fields, "changeId");
    return id === null ? NO_TEXT : (byId.get(id) ?? { isKept: false, before: null, after: null });
  };
}

const readTradeEvents = statement(
  (_reads, value: ValueOf<{ readonly streams: string }>) => sql<
    EventRow & { readonly stream: string }
  >`
    select s.stream_id as stream, e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = any (${value("streams")}::text[]) order by s.stream_id, s.version`,
);

/** How a seller reads the trades' events among these, by position. */
export async function wordsForSeller(
  { reads, readEvent, sellersLines }: AuditDeps,
  uid: string,
  all: readonly Fields[],
): Promise<ReadonlyMap<number, NonNullable<OwnPart["sellersWords"]>>> {
  const trades = new Set(
    all.flatMap((fields) =>
      fields["buyerUid"] === uid ? [] : (textField(fields, "tradeId") ?? []),
    ),
  );
  if (trades.size === 0) {
    return new Map();
  }
  const rows = await readTradeEvents(reads, { streams: textArray([...trades].map(tradeStreamId)) });
  return new Map(
    [...Map.groupBy(rows, ({ stream }) => stream).values()].flatMap((events) => {
      const lines = sellersLines(
        events.map((row) => {
          const fact = readEvent(row);
          const happenedAt = row.happened_at.toISOString();
          return fact.kind === "unreadable"
            ? null
            : { ...fact, postings: [], movements: [], happenedAt };
        }),
        uid,
      );
      return events.flatMap(({ position }, index) => {
        const { words, hasNote } = lines[index] ?? { words: null, hasNote: false };
        return words === null
          ? []
          : [
              [
                position,
                { description: words === "usual" ? null : words.description, hasNote },
              ] as const,
            ];
      });
    }),
  );
}

/** Puts rows into words for one reader. */
export type Sayer = (row: EventRow) => {
  readonly said: Said;
  readonly fields: Fields;
  readonly itemName: string | null;
  /** What the event changed of the reader's own available balance; null for an admin, or if it moved none of their money. */
  readonly ownCents: number | null;
};

/** Loads what the sentences of these rows need. */
export async function prepareSentences(
  deps: AuditDeps,
  reader: Reader,
  rows: readonly EventRow[],
): Promise<Sayer> {
  const { reads, readEvent, explanations } = deps;
  const fieldsAt = new Map(rows.map((row) => [row.position, fieldsOf(readEvent(row))]));
  const all = [...fieldsAt.values()];
  const nameless = all.flatMap((fields) =>
    itemNameIn(fields) === null ? (textField(fields, "itemId") ?? []) : [],
  );
  const [items, textOf, own, sellers] = await Promise.all([
    itemsById(reads, nameless),
    reader.isAdmin ? textsOf(reads, all) : () => NO_TEXT,
    reader.isAdmin ? [] : ownChanges(reads, reader.uid, rows),
    reader.isAdmin ? new Map<number, never>() : wordsForSeller(deps, reader.uid, all),
  ]);
  const ownAt = new Map(own.map((change) => [change.position, change]));
  return (row) => {
    const fields = fieldsAt.get(row.position) ?? {};
    const itemName =
      itemNameIn(fields) ?? items.get(textField(fields, "itemId") ?? "")?.name ?? null;
    const event = { type: row.type, schemaVersion: row.schema_version, data: row.data };
    const facts: Facts = { fields, itemName, text: textOf(fields) };
    if (reader.isAdmin) {
      return { said: sayToAdmin(explanations, event, facts), fields, itemName, ownCents: null };
    }
    const change = ownAt.get(row.position);
    const part: OwnPart = {
      uid: reader.uid,
      isLedgerLine: change !== undefined,
      isBuyer: fields["buyerUid"] === reader.uid,
      sellersWords: sellers.get(row.position) ?? null,
    };
    return {
      said: sayToConsignor(explanations, event, facts, part),
      fields,
      itemName,
      ownCents: change === undefined ? null : ownCentsOf(change),
    };
  };
}

/** A payment of what was requested moves their money, but not their balance: that is a change of 0. */
function ownCentsOf({ available, payouts }: OwnChange): number | null {
  return available === 0 && payouts === 0 ? null : available;
}

function ownChanges(reads: Reads, uid: string, rows: readonly EventRow[]) {
  return readOwnChanges(reads, {
    positions: numberArray(rows.map(({ position }) => position)),
    available: availableAccount.of(uid),
    payouts: payoutsAccount.of(uid),
    stream: consignorStreamId(uid),
  });
}
