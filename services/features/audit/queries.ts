// A page of the audit log: the events that match, as lines that the reader may see.
import { sql } from "kysely";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import type {
  AuditEventsResponse,
  AuditLine,
  AuditThing,
  ThingKind,
} from "#features/audit/contract.ts";
import { shortIdOf } from "#features/audit/places.ts";
import { auditEventsTable } from "#features/audit/projection.ts";
import type { AuditDeps, EventRow, Reader } from "#features/audit/queries-words.ts";
import { prepareSentences } from "#features/audit/queries-words.ts";
import type { AuditFilters } from "#features/audit/search-check.ts";
import type { Order } from "#features/audit/search-source.ts";
import type { Bounds } from "#features/audit/search.ts";
import { findPositions } from "#features/audit/search.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { allThingsIn, peopleIn, thingsIn, whomIn } from "#features/audit/named-in.ts";
import { numberArray } from "#ledger/log/encode.ts";
import { toDollars } from "#ledger/money.ts";

const readRows = statement(
  (_reads, value: ValueOf<{ readonly positions: string; readonly account: string }>) => sql<
    EventRow & { readonly cents: number | null }
  >`
    select e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at,
      case when ${value("account")} = '' then a.cents else (
        select sum(case when p.to_account = ${value("account")} then p.cents
          when p.from_account = ${value("account")} then -p.cents end)::bigint
        from log.postings p where p.position = e.position) end as cents
    from log.events e left join ${nameOfTable(auditEventsTable)} a on a.position = e.position
    where e.position = any (${value("positions")}::bigint[])`,
);

/** The other people of a trade are named by what they are, other actors are the store. */
export function actorForConsignor(actor: string, uid: string, fields: Fields): AuditLine["actor"] {
  if (actor === uid) {
    return { uid, name: "You" };
  }
  if (actor.startsWith("system:")) {
    return { uid: null, name: "Store, automatically" };
  }
  const offers = Array.isArray(fields["offers"]) ? (fields["offers"] as readonly Fields[]) : [];
  const isSeller =
    fields["sellerUid"] === actor || offers.some((one) => one["sellerUid"] === actor);
  const name = fields["buyerUid"] === actor ? "Buyer" : isSeller ? "Seller" : "Store";
  return { uid: null, name };
}

const isPerson = (actor: string) => !actor.startsWith("system:");

/** The thing that a row is about first. */
function aboutOf(
  fields: Fields,
  itemName: string | null,
  names: ReadonlyMap<string, string>,
): AuditThing | null {
  const [thing] = thingsIn(fields);
  const whom = whomIn(fields);
  if (thing === undefined) {
    return whom === null || !names.has(whom)
      ? null
      : { kind: "user", id: whom, label: names.get(whom) ?? whom };
  }
  const label = (thing.kind === "item" ? itemName : null) ?? shortIdOf(thing);
  return { ...thing, label };
}

/** A line, and all things and people that the reader knows the event to name. */
export type LineWithThings = {
  readonly line: AuditLine;
  readonly idsOf: (kind: ThingKind) => readonly string[];
  /** For admins only. */
  readonly people: readonly NonNullable<AuditLine["whom"]>[];
  /** The given reason, in identity.notes; null without one, or if the reader may not see it. */
  readonly noteId: string | null;
};

type LineRow = EventRow & { readonly cents: number | null };

/** Rows as lines for this reader, in the order given. */
export async function linesOf(
  deps: AuditDeps,
  reader: Reader,
  rows: readonly LineRow[],
): Promise<AuditLine[]> {
  const all = await linesWithThings(deps, reader, rows);
  return all.map(({ line }) => line);
}

async function linesWithThings(
  deps: AuditDeps,
  reader: Reader,
  rows: readonly LineRow[],
): Promise<LineWithThings[]> {
  const say = await prepareSentences(deps, reader, rows);
  const said = rows.map((row) => ({ row, ...say(row) }));
  const people = said.flatMap(({ row, fields }) => [row.actor, ...peopleIn(fields)]);
  const names = reader.isAdmin
    ? await deps.profiles.displayNames(new Set(people.filter(isPerson)))
    : new Map<string, string>();
  const named = (uid: string) => ({
    uid: isPerson(uid) ? uid : null,
    name: names.get(uid) ?? uid.replace("system:", "System: "),
  });
  return said.map(({ row, said: words, fields, itemName, ownCents }): LineWithThings => {
    const whom = whomIn(fields);
    const cents = reader.isAdmin ? row.cents : ownCents;
    const line = {
      position: row.position,
      type: row.type,
      title: words.title,
      group: words.group,
      about: aboutOf(fields, itemName, names),
      actor: reader.isAdmin ? named(row.actor) : actorForConsignor(row.actor, reader.uid, fields),
      whom: reader.isAdmin && whom !== null ? named(whom) : null,
      amount: cents === null ? null : toDollars(cents),
      happenedAt: row.happened_at.toISOString(),
      recordedAt: row.recorded_at.toISOString(),
    };
    const { noteId } = words;
    if (reader.isAdmin) {
      const concerned = peopleIn(fields).map(named);
      return { line, idsOf: (kind) => allThingsIn(fields, kind), people: concerned, noteId };
    }
    // People who are not admins only see the first one in their line.
    const [first] = thingsIn(fields);
    return { line, idsOf: (kind) => (first?.kind === kind ? [first.id] : []), people: [], noteId };
  });
}

/** Which events, and the account whose change each line names, if there is one. */
export type AskedLines = {
  readonly positions: readonly number[];
  readonly account: string | null;
};

/** The events at these positions as lines, in the order asked for. */
export async function readLines(
  deps: AuditDeps,
  reader: Reader,
  { positions, account }: AskedLines,
  order: Order,
): Promise<LineWithThings[]> {
  if (positions.length === 0) {
    return [];
  }
  const rows = await readRows(deps.reads, {
    positions: numberArray(positions),
    account: account ?? "",
  });
  const sign = order === "newest" ? -1 : 1;
  return linesWithThings(
    deps,
    reader,
    [...rows].sort((a, b) => sign * (a.position - b.position)),
  );
}

/** One page, in the order asked for. */
export async function readAuditPage(
  deps: AuditDeps,
  reader: Reader,
  filters: AuditFilters,
  page: { readonly order: Order; readonly bounds: Bounds; readonly limit: number },
): Promise<Pick<AuditEventsResponse, "events" | "nextCursor">> {
  const { positions, next } = await findPositions(
    deps.reads,
    filters,
    page.order,
    page.bounds,
    page.limit,
  );
  const { account } = filters;
  const lines = await readLines(deps, reader, { positions, account }, page.order);
  return {
    events: lines.map(({ line }) => line),
    nextCursor: next === null ? null : String(next),
  };
}
