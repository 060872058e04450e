// Explains what trades hold of a buyer's money: every posting to and from the escrow accounts of the buyer's trades.
import { sql } from "kysely";
import { badRequest } from "#http/errors.ts";
import type { AsOf } from "#http/as-of.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type {
  ExplainedLine,
  ExplainQuery,
  ExplainResponse,
} from "#features/accounts/contract-explain.ts";
import type { SaidRow } from "#features/accounts/ledger-lines.ts";
import type { EventExplanations } from "#features/histories.ts";
import { tradesTable } from "#features/trades/projection.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import { fieldsOf, type ReadEvent } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";

type HeldRow = Omit<SaidRow, "uid"> & {
  readonly trade_id: string;
  readonly position: number;
  readonly amount: number;
  readonly happened_at: Date;
  readonly recorded_at: Date;
  /** Of all lines. */
  readonly lines: number;
  readonly summed: number;
  /** What the trades say; null if one of them changed after the position. */
  readonly stated: number | null;
};

async function readHeld(
  searches: Reads,
  uid: string,
  position: number,
  { cursor, limit }: Pick<ExplainQuery, "cursor" | "limit">,
): Promise<readonly HeldRow[]> {
  const before = cursor === undefined ? sql`true` : sql`l.position < ${cursor}::bigint`;
  const { rows } = await sql<HeldRow>`
    with trades as materialized (
      select t.trade_id, log.trade_escrow_account(t.trade_id::text) as escrow, t.held_cents, t.updated_position
      from ${nameOfTable(tradesTable)} t where t.buyer_uid = ${uid}),
    lines as materialized (
      select t.trade_id, s.position,
        sum(case t.escrow when p.to_account then p.cents when p.from_account then -p.cents end)::bigint as amount
      from trades t
      cross join lateral (
        select s.position from log.event_streams s
        where s.stream_id = log.trade_stream(t.trade_id::text) and s.position <= ${position}::bigint
        offset 0) s
      join log.postings p on p.position = s.position and t.escrow in (p.to_account, p.from_account)
      group by t.trade_id, s.position),
    sums as (
      select count(l.*) as lines, coalesce(sum(l.amount), 0)::bigint as summed,
        (select case when coalesce(max(t.updated_position), 0) <= ${position}::bigint
          then coalesce(sum(t.held_cents), 0)::bigint end from trades t) as stated
      from lines l),
    page as (
      select l.* from lines l where ${before} order by l.position desc limit ${limit + 1})
    select p.trade_id, coalesce(p.position, 0) as position, coalesce(p.amount, 0) as amount, e.type,
      e.schema_version, e.data, e.happened_at, e.recorded_at, s.lines, s.summed, s.stated
    from sums s
    left join page p on true
    left join log.events e on e.position = p.position
    order by p.position desc`.execute(searches);
  return rows;
}

function lineOf(
  { explanations, readEvent }: HeldDeps,
  { trade_id: tradeID, position, amount, ...row }: HeldRow,
): ExplainedLine {
  const { type, schema_version: schemaVersion, data } = row;
  const { itemName } = fieldsOf(readEvent(row));
  const said = readIn(explanations, "trade", { type, schemaVersion, data }, null);
  const what = said?.words.description ?? spelledOut(type);
  return {
    position,
    type,
    kind: "trade",
    chip:
      amount > 0
        ? { label: "Held for a trade", tone: "pending" }
        : { label: "No longer held", tone: "done" },
    description: typeof itemName === "string" ? `${itemName}: ${what}` : what,
    saleID: null,
    payoutID: null,
    tradeID,
    amount: toDollars(amount),
    line: null,
    happenedAt: row.happened_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
  };
}

type HeldDeps = {
  readonly searches: Reads;
  readonly explanations: EventExplanations;
  readonly readEvent: ReadEvent;
};

/** Throws HttpError 400 `no_period`: these lines are not numbered, so they belong to no month. */
export async function explainHeldForTrades(
  deps: HeldDeps,
  uid: string,
  { position }: AsOf,
  query: ExplainQuery,
): Promise<ExplainResponse> {
  if (query.from !== undefined || query.to !== undefined) {
    throw badRequest("no_period", "Money held for trades is explained as of one time", "from");
  }
  const rows = await readHeld(deps.searches, uid, position, query);
  const [first] = rows;
  const summed = first?.summed ?? 0;
  const closing = first?.stated ?? summed;
  const shown = rows.slice(0, query.limit).filter((row) => row.position > 0);
  const wanted = query.kind === undefined || query.kind === "trade" ? shown : [];
  const lineCount = first?.lines ?? 0;
  return {
    number: query.number,
    unit: "dollars",
    consignorID: uid,
    position,
    opening: 0,
    groups: lineCount === 0 ? [] : [{ kind: "trade", lines: lineCount, amount: toDollars(summed) }],
    closing: toDollars(closing),
    summed: toDollars(summed),
    isBalanced: summed === closing,
    lineCount,
    lines: wanted.map((row) => lineOf(deps, row)),
    nextCursor: rows.length > query.limit ? String(wanted.at(-1)?.position ?? "") || null : null,
  };
}
