// Reads ledger lines: each row joined with its event and its explanation, and the number of a line.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { LedgerLine } from "#features/accounts/contract.ts";
import type { EventExplanations } from "#features/histories.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import type { ClosedMonth, MonthsState } from "#features/months/streams.ts";
import { monthAfter, monthBefore } from "#features/months/streams.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import { toDollars } from "#ledger/money.ts";
import { STORE_NAME, withoutEmails } from "#identity/profiles.ts";

/** What is needed to turn rows into lines: people's names, the given reasons, and explanations of events. */
export type LedgerPeople = {
  readonly profiles: Profiles;
  readonly notes: Notes;
  readonly explanations: EventExplanations;
};

const inHistory = withTables(accountHistoryTable);

/** The store's month of an instant, by the rules of `monthAt`. */
function monthOfSql(
  at: RawBuilder<Date>,
  timeZone: string | RawBuilder<string>,
  { closed }: MonthsState,
): RawBuilder<string> {
  const inZone = (zone: string | RawBuilder<string>) =>
    sql<string>`to_char(${at} at time zone ${zone}, 'YYYY-MM')`;
  const [first, last] = [closed[0], closed.at(-1)];
  if (first === undefined || last === undefined) {
    return inZone(timeZone);
  }
  const list = (of: (month: ClosedMonth) => string) => closed.map(of).join(",");
  return sql<string>`case
    when ${at} < ${first.from}::text::timestamptz
      then least(${inZone(first.timeZone)}, ${monthBefore(first.month)}::text)
    when ${at} >= ${last.to}::text::timestamptz
      then greatest(${inZone(timeZone)}, ${monthAfter(last.month)}::text)
    else (string_to_array(${list(({ month }) => month)}, ','))[
      width_bucket(${at}, string_to_array(${list(({ from }) => from)}, ',')::timestamptz[])] end`;
}

/** Lines `h` with their events `e`; months are the store's. */
export function selectLines(
  reads: Reads,
  uid: string | RawBuilder<string>,
  timeZone: string | RawBuilder<string>,
  closings: MonthsState = { closed: [] },
) {
  return inHistory(reads)
    .selectFrom("read.account_history as h")
    .innerJoin("log.events as e", "e.position", "h.position")
    .select([
      "h.uid",
      "h.line",
      "h.position",
      "h.available_delta_cents",
      "h.available_after_cents",
      "h.in_transit_delta_cents",
      "h.in_transit_after_cents",
      "h.effective_at",
      monthOfSql(sql<Date>`h.booked_at`, timeZone, closings).as("month"),
      // On a quiet account, a late entry is booked when it happened. It is late if that changes a past month; entering
      // yesterday's sales today is everyday work.
      sql<boolean>`(h.booked_at at time zone ${timeZone})::date > (e.happened_at at time zone ${timeZone})::date
        or date_trunc('month', e.recorded_at at time zone ${timeZone})
          > date_trunc('month', e.happened_at at time zone ${timeZone})`.as("is_late"),
      "e.type",
      "e.schema_version",
      "e.data",
      "e.actor",
      "e.happened_at",
      "e.recorded_at",
    ])
    .where("h.uid", "=", uid);
}

export type LineRow = Awaited<ReturnType<ReturnType<typeof selectLines>["execute"]>>[number];

export type LineWords = Pick<
  LedgerLine,
  "kind" | "chip" | "description" | "saleID" | "payoutID" | "tradeID" | "explanation"
> & { readonly noteId: string | null };

/** What a line's text is made of. */
export type SaidRow = Pick<LineRow, "uid" | "type" | "schema_version" | "data">;

/** A line's text. An event that this program cannot explain is shown by its type, never hidden. */
export function wordsOf(explanations: EventExplanations, row: SaidRow): LineWords {
  const { type, schema_version: schemaVersion, data } = row;
  const read = readIn(explanations, "consignor", { type, schemaVersion, data }, { uid: row.uid });
  if (read === null) {
    return {
      kind: "other",
      chip: { label: "Entry", tone: "neutral" },
      description: spelledOut(type),
      saleID: null,
      payoutID: null,
      tradeID: null,
      explanation: [],
      noteId: null,
    };
  }
  const { chip, description, about, steps, noteId } = read.words;
  return {
    kind: read.kind,
    chip,
    description,
    saleID: about?.kind === "sale" ? about.id : null,
    payoutID: about?.kind === "payout" ? about.id : null,
    tradeID: about?.kind === "trade" ? about.id : null,
    explanation: steps.map(({ label, cents }) => ({ label, amount: toDollars(cents) })),
    noteId,
  };
}

const tradeParties = z.object({
  buyerUid: z.string(),
  offers: z.array(z.object({ sellerUid: z.string() })),
});

/** True if the line comes from the other party of a trade: buyers and sellers do not learn who the other one is. */
function isOtherParty({ uid, actor, data }: LineRow, { tradeID }: LineWords): boolean {
  if (tradeID === null || actor === uid) {
    return false;
  }
  const { data: parties } = tradeParties.safeParse(data);
  return (
    parties !== undefined &&
    (parties.buyerUid === actor || parties.offers.some(({ sellerUid }) => sellerUid === actor))
  );
}

/** Whom a consignor reads as the actor: themself and the system by name, everybody else as the store. */
function actorFor(row: LineRow, words: LineWords): LedgerLine["actor"] | "named" {
  if (row.actor === row.uid || row.actor.startsWith("system:")) {
    return "named";
  }
  return isOtherParty(row, words) ? null : { uid: null, displayName: STORE_NAME };
}

/** The lines of rows, with the actors' names and the reasons that were not erased. Admins see every actor. */
export async function toLines(
  people: LedgerPeople,
  rows: readonly LineRow[],
  forAdmin: boolean,
): Promise<LedgerLine[]> {
  const said = rows.map((row) => {
    const words = wordsOf(people.explanations, row);
    return { row, words, actor: forAdmin ? "named" : actorFor(row, words) } as const;
  });
  const persons = said
    .filter(({ row, actor }) => actor === "named" && !row.actor.startsWith("system:"))
    .map(({ row }) => row.actor);
  const { profiles } = people;
  const [names, notes] = await Promise.all([
    (forAdmin ? profiles : withoutEmails(profiles)).displayNames(new Set(persons)),
    people.notes.findMany(
      said.flatMap(({ words }) => (words.noteId === null ? [] : [words.noteId])),
    ),
  ]);
  return said.map(({ row, actor, words: { noteId, ...words } }): LedgerLine => {
    return {
      line: row.line,
      position: row.position,
      type: row.type,
      ...words,
      amount: toDollars(row.available_delta_cents),
      balanceAfter: toDollars(row.available_after_cents),
      inTransitChange: toDollars(row.in_transit_delta_cents),
      inTransitAfter: toDollars(row.in_transit_after_cents),
      note: noteId === null ? null : (notes.get(noteId) ?? null),
      actor:
        actor === "named"
          ? {
              uid: row.actor,
              displayName: names.get(row.actor) ?? row.actor.replace("system:", "System: "),
            }
          : actor,
      happenedAt: row.happened_at.toISOString(),
      recordedAt: row.recorded_at.toISOString(),
      isLate: row.is_late,
      month: row.month,
    };
  });
}

/** What never decreases from line to line. */
const rising = {
  booked_at: sql.ref("h.booked_at"),
  position: sql.ref("h.position"),
  credits: sql.ref("h.credits_after_cents"),
  debits: sql`(h.credits_after_cents - h.available_after_cents)`,
} as const;

/**
 * The number of an account's lines up to a bound, by binary search: about twenty look-ups by key find it in any
 * account.
 */
export function linesUntil(
  uid: string,
  column: keyof typeof rising,
  comparison: "<" | "<=",
  bound: RawBuilder<unknown>,
): RawBuilder<number> {
  const isWithin = sql`${rising[column]} ${sql.raw(comparison)} ${bound}`;
  return sql<number>`(
    with recursive halving (low, high) as (
      select 0::bigint, coalesce((select max(line) from read.account_history where uid = ${uid}), 0)
      union all
      select case when ${isWithin} then h.line else s.low end,
        case when ${isWithin} then s.high else h.line - 1 end
      from halving s
      join read.account_history h on h.uid = ${uid} and h.line = (s.low + s.high + 1) / 2
      where s.low < s.high)
    select low from halving where low = high limit 1)`;
}
