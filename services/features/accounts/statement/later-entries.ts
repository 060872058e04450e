// What was recorded for an account after a statement and touches its period, and whether the log is still the one it names.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Sql } from "#db/connect.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type {
  StatementProof,
  VerifyStatementResponse,
} from "#features/accounts/contract-statement-proof.ts";
import { linesUntil } from "#features/accounts/ledger-lines.ts";
import type { EventExplanations } from "#features/histories.ts";
import { typesOfKind } from "#ledger/explain.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { foldState } from "#ledger/log/read-state.ts";
import { readPeriod } from "#features/accounts/statement/statement.ts";
import { MONTHS, monthsStream } from "#features/months/streams.ts";
import { reportLinesTable } from "#features/reports/projection-lines.ts";
import { toDollars } from "#ledger/money.ts";

type Later = NonNullable<VerifyStatementResponse["later"]>;
type LogDeps = {
  readonly sql: Sql;
  readonly reads: Reads;
  readonly explanations: EventExplanations;
  readonly readEvent: ReadEvent;
};
type What = Exclude<keyof Later, "through">;

/** What the log says about a statement; `through` is how far the accounts' lines are. */
export async function compareWithLog(
  { sql: pool, reads, explanations, readEvent }: LogDeps,
  proof: StatementProof,
  through: number,
): Promise<VerifyStatementResponse> {
  const head = await compareHead(pool, proof);
  if (head !== "same") {
    return { head, closing: null, later: null };
  }
  const period = await findPeriod({ sql: pool, reads, readEvent }, proof);
  return period === null
    ? { head, closing: "differs", later: null }
    : {
        head,
        closing: "same",
        later: await readLaterEntries(reads, explanations, proof, period, through),
      };
}

/** Compares the head that a statement names with the log. */
async function compareHead(
  pool: Sql,
  { position, head }: Pick<StatementProof, "position" | "head">,
): Promise<VerifyStatementResponse["head"]> {
  if (position === 0 && head === null) {
    return "same";
  }
  const [event] = await pool<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from log.events where position = ${position}`;
  if (event === undefined) {
    return "missing";
  }
  return event.hash === head ? "same" : "differs";
}

type Period = Awaited<ReturnType<typeof readPeriod>>;

/**
 * The statement's period whose closing balances the log has; null if it has others. Months that were closed when it was
 * issued have the bounds of their closing; an older program made it with those of its time zone.
 */
async function findPeriod(
  { sql: pool, reads, readEvent }: Pick<LogDeps, "sql" | "reads" | "readEvent">,
  proof: StatementProof,
): Promise<Period | null> {
  const closings = await foldState({ sql: pool, readEvent }, monthsStream, MONTHS, proof.position);
  const none = { closed: [] };
  for (const known of closings.closed.length === 0 ? [none] : [closings, none]) {
    const period = await readPeriod(reads, { ...proof, closings: known });
    if (await hasClosing(reads, proof, period)) {
      return period;
    }
  }
  return null;
}

/**
 * Compares the closing balances with those of the log, because a stolen key can sign any. A retired one too: the time
 * of signing is part of what is signed. They are summed from the postings themselves: whoever can change a row of the
 * history could have had it signed.
 */
async function hasClosing(
  reads: Reads,
  { uid, position, closingCents, inTransitCents, heldCents }: StatementProof,
  [, ends]: Period,
): Promise<boolean> {
  const changeOf = (account: RawBuilder<string>) => sql<number>`
    coalesce(read.total(case ${account} when p.to_account then p.cents when p.from_account then -p.cents else 0 end), 0)`;
  const { rows } = await sql<{ available: number; inTransit: number }>`
    select ${changeOf(sql`a.available`)} as available, ${changeOf(sql`a.in_transit`)} as "inTransit"
    from (
      select log.consignor_available_account(${uid}) as available,
        log.consignor_payouts_account(${uid}) as in_transit) a
    join log.event_streams s on s.stream_id = log.consignor_stream(${uid}) and s.version <= least(
      ${linesUntil(uid, "position", "<=", sql`${position}::bigint`)},
      ${linesUntil(uid, "booked_at", "<", ends)})
    join log.postings p on p.position = s.position`.execute(reads);
  const { available, inTransit } = rows[0] ?? { available: 0, inTransit: 0 };
  return (
    available === closingCents &&
    inTransit === inTransitCents &&
    (heldCents === undefined || heldCents === (await readHeld(reads, uid, position, ends)))
  );
}

/** What was held for the person's trades at the end of the period, by what was recorded up to the position. */
async function readHeld(
  reads: Reads,
  uid: string,
  position: number,
  ends: Period[1],
): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(read.total(held_cents), 0) as held from ${nameOfTable(reportLinesTable)}
    where uid = ${uid} and booked_at < ${ends} and position <= ${position}::bigint`.execute(reads);
  return rows[0]?.held ?? 0;
}

/**
 * The account's lines after the statement, with what each changed of its closing balance: of a statement of days that is
 * what is available. A year's has what is requested and held for trades too, which entries that only move money between
 * the three do not change.
 */
function linesAfter({ uid, position, heldCents }: StatementProof, through: number) {
  return heldCents === undefined
    ? sql`
      select h.position, h.booked_at, h.available_delta_cents as cents
      from bounds b join read.account_history h on h.uid = ${uid} and h.line > b.known
      where h.position <= ${through}::bigint`
    : sql`
      select r.position, r.booked_at, r.available_cents + r.pending_cents + r.held_cents as cents
      from ${nameOfTable(reportLinesTable)} r
      where r.uid = ${uid} and r.position > ${position}::bigint and r.position <= ${through}::bigint
        and r.available_cents + r.pending_cents + r.held_cents <> 0`;
}

/**
 * The entries after the statement that touch its period. One that is about a sale, payout or trade on the statement
 * counts if it changed the balance, and is not counted as a late one too.
 */
async function readLaterEntries(
  reads: Reads,
  explanations: EventExplanations,
  proof: StatementProof,
  [starts, ends]: Period,
  through: number,
): Promise<Later> {
  const { uid, position } = proof;
  const refunds = typesOfKind(explanations, "consignor", "refund");
  const { rows } = await sql<{ what: What; count: number; cents: number }>`
    with bounds as materialized (
      select ${linesUntil(uid, "position", "<=", sql`${position}::bigint`)} as known,
        ${linesUntil(uid, "booked_at", "<", starts)} as before,
        ${linesUntil(uid, "booked_at", "<", ends)} as until),
    shown as materialized (
      select distinct s.stream_id
      from bounds b
      join read.account_history h
        on h.uid = ${uid} and h.line > b.before and h.line <= least(b.until, b.known)
      join log.event_streams s on s.position = h.position
      where log.is_sale_stream(s.stream_id) or log.is_payout_stream(s.stream_id)
        or log.is_trade_stream(s.stream_id)),
    later as (
      select e.type, l.cents,
        l.booked_at >= ${starts} and l.booked_at < ${ends}
          or e.happened_at >= ${starts} and e.happened_at < ${ends} as is_late,
        exists (
          select from log.event_streams s join shown using (stream_id)
          where s.position = l.position) as is_about
      from (${linesAfter(proof, through)}) l
      join log.events e on e.position = l.position),
    named as (
      select cents, case
        when is_about and type = any (${refunds}::text[]) then 'refunds'
        when is_about and cents <> 0 then 'changes'
        when is_late then 'late' end as what
      from later)
    select what, count(*) as count, read.total(cents) as cents
    from named where what is not null group by what`.execute(reads);
  const of = (what: What): Later[What] => {
    const row = rows.find((found) => found.what === what);
    return { count: row?.count ?? 0, amount: toDollars(row?.cents ?? 0) };
  };
  return { late: of("late"), refunds: of("refunds"), changes: of("changes"), through };
}
