// Checks which positions of an audit page match the filters that did not choose them.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statements } from "#http/statement.ts";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { auditEventsTable, auditPeopleTable } from "#features/audit/projection.ts";
import type { Order } from "#features/audit/search-source.ts";

/** What free text was resolved to; an event that has any of it matches. */
export type Sought = {
  readonly streams: readonly string[];
  readonly uids: readonly string[];
  readonly cents: readonly number[];
  readonly positions: readonly number[];
};

/** All must match. */
export type AuditFilters = {
  /** Only events that touch this person. */
  readonly person: string | null;
  /** An event must extend each of these. */
  readonly streams: readonly string[];
  /** Empty for all. */
  readonly types: readonly string[];
  readonly actor: string | null;
  /** Only events that post to this account. */
  readonly account: string | null;
  /** Only what admins entered on their own accounts. */
  readonly ownEntries: boolean;
  /** Null without free text. */
  readonly sought: Sought | null;
  /** True if amounts are sought only among the person's own postings. */
  readonly isOwn: boolean;
};

export type CheckShape = {
  readonly person: boolean;
  readonly streams: boolean;
  readonly types: boolean;
  readonly actor: boolean;
  readonly account: boolean;
  readonly ownEntries: boolean;
  readonly sought: boolean;
  readonly isOwn: boolean;
  readonly order: Order;
};

type CheckValues = {
  readonly candidates: string;
  readonly person: string;
  readonly streams: string;
  readonly streamCount: number;
  readonly types: string;
  readonly actor: string;
  readonly account: string;
  readonly soughtStreams: string;
  readonly soughtUids: string;
  readonly soughtCents: string;
  readonly soughtPositions: string;
  readonly accounts: string;
};

/**
 * Which of the candidates match. Each condition is a subquery with a limit, so that it looks up the candidate in an
 * index: a plan that reads everything of a busy account or item would be a hundred times slower.
 */
const check = statements((_reads: Reads, value: ValueOf<CheckValues>, shape: CheckShape) => {
  const people = nameOfTable(auditPeopleTable);
  const cents = value("soughtCents");
  const found = (from: RawBuilder<unknown>) => sql`(select true ${from} limit 1)`;
  const hasAmount = shape.isOwn
    ? found(sql`from log.postings o where o.position = a.position and o.cents = any (${cents}::bigint[])
        and (o.from_account = any (${value("accounts")}::text[]) or o.to_account = any (${value("accounts")}::text[]))`)
    : sql`a.cents = any (${cents}::bigint[]) or a.share_cents = any (${cents}::bigint[])`;
  // The empty text keeps the planner from the index of streams.
  const streamsAt = sql`from log.event_streams s where s.position = a.position and s.stream_id || ''`;
  const conditions = {
    person: found(
      sql`from ${people} p where p.uid = ${value("person")} and p.position = a.position`,
    ),
    streams: sql`(select count(*) ${streamsAt} = any (${value("streams")}::text[])) = ${value("streamCount")}::bigint`,
    types: sql`a.type = any (${value("types")}::text[])`,
    actor: sql`a.actor = ${value("actor")}`,
    account: found(sql`from log.postings o where o.position = a.position
      and (o.from_account = ${value("account")} or o.to_account = ${value("account")})`),
    ownEntries: sql`a.own_entry`,
    sought: sql`(a.position = any (${value("soughtPositions")}::bigint[]) or ${hasAmount}
      or ${found(sql`${streamsAt} = any (${value("soughtStreams")}::text[])`)}
      or ${found(sql`from ${people} p where p.position = a.position and p.uid = any (${value("soughtUids")}::text[])`)})`,
  };
  const wanted = [
    sql`true`,
    ...(shape.person ? [conditions.person] : []),
    ...(shape.types ? [conditions.types] : []),
    ...(shape.actor ? [conditions.actor] : []),
    ...(shape.account ? [conditions.account] : []),
    ...(shape.ownEntries ? [conditions.ownEntries] : []),
    ...(shape.streams ? [conditions.streams] : []),
    ...(shape.sought ? [conditions.sought] : []),
  ];
  const direction = shape.order === "newest" ? sql`desc` : sql`asc`;
  return sql<{ readonly position: number }>`
    select a.position from ${nameOfTable(auditEventsTable)} a
    where a.position = any (${value("candidates")}::bigint[]) and ${sql.join(wanted, sql` and `)}
    order by a.position ${direction}`;
});

function valuesOf(filters: AuditFilters, candidates: readonly number[]): CheckValues {
  const { person, streams, types, actor, account, sought } = filters;
  const own = person === null ? [] : [availableAccount.of(person), payoutsAccount.of(person)];
  return {
    candidates: numberArray(candidates),
    person: person ?? "",
    streams: textArray(streams),
    streamCount: streams.length,
    types: textArray(types),
    actor: actor ?? "",
    account: account ?? "",
    soughtStreams: textArray(sought?.streams ?? []),
    soughtUids: textArray(sought?.uids ?? []),
    soughtCents: numberArray(sought?.cents ?? []),
    soughtPositions: numberArray(sought?.positions ?? []),
    accounts: textArray(own),
  };
}

/** Those of the candidates that match, in the order. */
export async function matchingOf(
  reads: Reads,
  shape: CheckShape,
  filters: AuditFilters,
  candidates: readonly number[],
): Promise<readonly number[]> {
  const rows = await check(reads, shape, valuesOf(filters, candidates));
  return rows.map(({ position }) => position);
}
