// The audit log as lines of a CSV file: exactly the events that the filtered list shows to this reader.
import { sql } from "kysely";
import type { Cell } from "#http/csv.ts";
import { CSV_MAX_LINES, money, tooManyLines } from "#http/csv.ts";
import type { ExpensiveCall } from "#http/expensive-reads.ts";
import type { Reads } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import { thingKinds } from "#features/audit/contract.ts";
import type { EventDeps } from "#features/audit/event-loaded.ts";
import type { AskedLines, LineWithThings } from "#features/audit/queries.ts";
import { readLines } from "#features/audit/queries.ts";
import type { Reader } from "#features/audit/queries-words.ts";
import type { AuditFilters } from "#features/audit/search-check.ts";
import type { Order } from "#features/audit/search-source.ts";
import type { Bounds } from "#features/audit/search.ts";
import { findPositions } from "#features/audit/search.ts";
import { numberArray } from "#ledger/log/encode.ts";
import { toDollars } from "#ledger/money.ts";

const BATCH = 1_000;
const LIMITS = { lines: CSV_MAX_LINES, page: BATCH };

/**
 * The positions of all events that match, found page by page, each in the person's turn. Throws HttpError 400 if they
 * are too many for a file.
 */
export async function findForFile(
  reads: Reads,
  filters: AuditFilters,
  { order, bounds }: { readonly order: Order; readonly bounds: Bounds },
  inTurn: ExpensiveCall["inTurn"],
  limits = LIMITS,
): Promise<readonly number[]> {
  const all: number[] = [];
  let rest = bounds;
  for (;;) {
    const { positions, next } = await inTurn(() =>
      findPositions(reads, filters, order, rest, limits.page),
    );
    all.push(...positions);
    if (all.length > limits.lines) {
      throw tooManyLines(limits.lines);
    }
    if (next === null) {
      return all;
    }
    rest = order === "newest" ? { ...rest, before: next } : { ...rest, after: next };
  }
}

const idHeads = thingKinds.map((kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)} id`);

/** An admin's file says whom each event concerns; with the filter of one account, amounts are what it changed of that. */
export function csvHead({ isAdmin }: Reader, account: string | null): readonly string[] {
  const people = isAdmin ? ["By", "By id", "Concerns", "Concerns id"] : ["By"];
  const amount = isAdmin ? (account === null ? "Amount" : `Change of ${account}`) : "Your balance";
  return [
    "Position",
    "Recorded at",
    "Happened at",
    "Type",
    "What happened",
    "Reason",
    ...people,
    amount,
    ...idHeads,
    ...(isAdmin ? ["Postings"] : []),
  ];
}

const readPostings = statement(
  (_reads, value: ValueOf<{ readonly positions: string }>) => sql<{
    readonly position: number;
    readonly from_account: string;
    readonly to_account: string;
    readonly cents: number;
  }>`
    select position, from_account, to_account, cents from log.postings
    where position = any (${value("positions")}::bigint[]) order by position, ordinal`,
);

/** What each event moved, as "from > to 12.50": an amount alone has no direction. */
async function postingsAt(
  reads: Reads,
  positions: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await readPostings(reads, { positions: numberArray(positions) });
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return new Map(
    [...byPosition].map(([position, own]) => [
      position,
      own
        .map((one) => `${one.from_account} > ${one.to_account} ${toDollars(one.cents).toFixed(2)}`)
        .join("; "),
    ]),
  );
}

/** An event that names several says all of them. */
const listed = (texts: readonly (string | null)[]): Cell =>
  texts.length === 0 ? null : texts.join("; ");

function cellsOf(
  { isAdmin }: Reader,
  { line, idsOf, people: concerned }: LineWithThings,
  reason: string | null,
): Cell[] {
  const { actor } = line;
  const people = isAdmin
    ? [
        actor.name,
        actor.uid,
        listed(concerned.map(({ name }) => name)),
        listed(concerned.map(({ uid }) => uid)),
      ]
    : [actor.name];
  return [
    line.position,
    line.recordedAt,
    line.happenedAt,
    line.type,
    line.title,
    reason,
    ...people,
    money(line.amount),
    ...thingKinds.map((kind) => listed(idsOf(kind))),
  ];
}

/** The events at these positions in batches, as lines below `csvHead`. */
export async function* exportLines(
  deps: EventDeps,
  reader: Reader,
  { positions, account }: AskedLines,
  order: Order,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  for (let from = 0; from < positions.length; from += BATCH) {
    const batch = positions.slice(from, from + BATCH);
    const lines = await readLines(deps, reader, { positions: batch, account }, order);
    const reasons = await deps.notes.findMany(lines.flatMap(({ noteId }) => noteId ?? []));
    const postings = reader.isAdmin ? await postingsAt(deps.reads, batch) : undefined;
    yield lines.map((one) => [
      ...cellsOf(reader, one, one.noteId === null ? null : (reasons.get(one.noteId) ?? null)),
      ...(postings === undefined ? [] : [postings.get(one.line.position) ?? null]),
    ]);
  }
}
