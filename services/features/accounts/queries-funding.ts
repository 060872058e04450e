// Follows a line that took money back to the credits that paid for it: first in, first out.
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { FundingResponse, FundingSource } from "#features/accounts/contract-funding.ts";
import type { Stretch } from "#features/accounts/funding.ts";
import { overlapOf, stretchOf } from "#features/accounts/funding.ts";
import type { LineWords } from "#features/accounts/ledger-lines.ts";
import { wordsOf } from "#features/accounts/ledger-lines.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import type { Account, FlowRow, FundingDeps, WordedRow } from "#features/accounts/queries-flows.ts";
import {
  flowLine,
  lineAbove,
  payoutOutcomes,
  readAccount,
  readWorded,
} from "#features/accounts/queries-flows.ts";
import { PayoutDeleted, PayoutReturned } from "#features/payouts/events.ts";
import {
  AcceptanceCancelled,
  OfferAccepted,
  TradeCancelled,
  TradeFulfilled,
  TradeRefunded,
} from "#features/trades/events.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";

const history = nameOfTable(accountHistoryTable);

type Covered = { readonly count: number; readonly cents: number };

/**
 * How many lines paid, and with how much: every line's own amount, less what lies outside of the stretch. Only the
 * first and the last line can lie outside in part, and take-backs say what they took: those are looked at one by one.
 * PostgreSQL sums the others, which paid with all that they are, so that a page reads only its own lines.
 */
async function sumSources(
  reads: Reads,
  { uid, flows }: Account,
  { first, last }: { readonly first: number; readonly last: number },
  stretch: Stretch,
): Promise<Covered> {
  const singles = [first, last, ...flows.credits.takenIn(first, last).map(({ line }) => line)];
  const credits = sql`${history} h where h.uid = ${uid} and h.available_delta_cents > 0`;
  const [all, { rows }] = await Promise.all([
    sql<Covered>`
      select count(*) as count, coalesce(sum(h.available_delta_cents), 0)::bigint as cents
      from ${credits} and h.line >= ${first}::bigint and h.line <= ${last}::bigint`.execute(reads),
    sql<Pick<FlowRow, "line" | "delta" | "credits">>`
      select h.line, h.available_delta_cents as delta, h.credits_after_cents as credits
      from ${credits} and h.line = any (${`{${singles.join(",")}}`}::text::bigint[])`.execute(
      reads,
    ),
  ]);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
  const { count, cents } = all.rows[0] ?? { count: 0, cents: 0 };
  const parts = rows.map(({ line, delta, credits: gross }) =>
    overlapOf(stretchOf(flows.credits, line, delta, gross), stretch),
  );
  return {
    count: count - parts.filter((part) => part <= 0).length,
    cents: cents - sum(rows.map(({ delta }) => delta)) + sum(parts),
  };
}

const acceptedOffers = z.array(
  z.object({
    sellerUid: z.string(),
    acceptance: z.nullable(z.object({ rows: z.array(z.object({ itemId: z.string() })) })),
  }),
);

/** The person's own items that a sale or a trade paid for. */
function itemsOf(deps: FundingDeps, row: WordedRow): string[] {
  const { itemId, offers } = fieldsOf(deps.readEvent(row));
  if (typeof itemId === "string") {
    return [itemId];
  }
  const own = (acceptedOffers.safeParse(offers).data ?? []).filter(
    ({ sellerUid }) => sellerUid === row.uid,
  );
  return [
    ...new Set(
      own.flatMap(({ acceptance }) => (acceptance?.rows ?? []).map(({ itemId: id }) => id)),
    ),
  ];
}

const givenBack = new Set<string>([
  PayoutDeleted.type,
  PayoutReturned.type,
  TradeCancelled.type,
  AcceptanceCancelled.type,
  TradeRefunded.type,
]);

function originOf(type: string, { saleID }: LineWords): FundingSource["origin"] {
  if (givenBack.has(type)) {
    return "returned";
  }
  if (type === TradeFulfilled.type) {
    return "trade";
  }
  return saleID === null ? "other" : "sale";
}

/** For each line that gave back what a trade held: the lines of the same trade that had taken it. */
async function holdsBefore(
  reads: Reads,
  uid: string,
  positions: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (positions.length === 0) {
    return new Map();
  }
  const { rows } = await sql<{ readonly position: number; readonly line: number }>`
    select p.position, held.line
    from unnest(${`{${positions.join(",")}}`}::text::bigint[]) as p (position)
    cross join lateral (
      select h.line
      from log.event_streams s
      join log.event_streams f on f.stream_id = s.stream_id and f.version < s.version
      join log.event_streams o on o.position = f.position and o.stream_id = log.consignor_stream(${uid})
      join ${history} h on h.uid = ${uid} and h.line = o.version
      where s.position = p.position and log.is_trade_stream(s.stream_id)
        and h.available_delta_cents < 0 and h.type = ${OfferAccepted.type}
      offset 0) held
    order by p.position, held.line`.execute(reads);
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return new Map([...byPosition].map(([position, own]) => [position, own.map(({ line }) => line)]));
}

async function sourcesOf(
  deps: FundingDeps,
  { uid, flows }: Account,
  rows: readonly WordedRow[],
  stretch: Stretch,
): Promise<FundingSource[]> {
  const said = rows.map((row) => ({ row, words: wordsOf(deps.explanations, row) }));
  const back = said.filter(({ row, words }) => words.tradeID !== null && givenBack.has(row.type));
  const holds = await holdsBefore(
    deps.reads,
    uid,
    back.map(({ row }) => row.position),
  );
  return said.map(({ row, words }) => ({
    ...flowLine(row, words),
    origin: originOf(row.type, words),
    saleID: words.saleID,
    payoutID: words.payoutID,
    tradeID: words.tradeID,
    itemIDs: itemsOf(deps, row),
    returnedFrom: [...(holds.get(row.position) ?? [])],
    amount: toDollars(
      overlapOf(stretchOf(flows.credits, row.line, row.delta, row.credits), stretch),
    ),
  }));
}

/** What paid for a line that took money; undefined if there is no such line. */
export async function readFunding(
  deps: FundingDeps,
  uid: string,
  line: number,
  freshTo: number,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<FundingResponse | undefined> {
  const [account, [row]] = await Promise.all([
    readAccount(deps.reads, uid, freshTo),
    readWorded(deps.searches, uid, "debit", line, line, 1),
  ]);
  if (row === undefined || row.line > account.last.line) {
    return undefined;
  }
  const { flows, last } = account;
  const taken = -row.delta;
  const stretch = stretchOf(flows.debits, row.line, taken, row.debits);
  const ownSale = flows.debits.takenAt(row.line);
  const uncovered = overlapOf(stretch, {
    after: flows.credits.net(last.line, last.credits),
    through: Number.MAX_SAFE_INTEGER,
  });
  const lines = {
    first: await lineAbove(deps.reads, account, "credits", flows.credits.grossAbove(stretch.after)),
    last: await lineAbove(
      deps.reads,
      account,
      "credits",
      flows.credits.grossAbove(stretch.through - 1),
    ),
  };
  const isPaid = stretch.through > stretch.after;
  const from = Math.max(lines.first, Number(cursor ?? 0) + 1);
  const [covered, rows] = isPaid
    ? await Promise.all([
        sumSources(deps.reads, account, lines, stretch),
        readWorded(deps.searches, uid, "credit", from, lines.last, limit + 1),
      ])
    : [{ count: 0, cents: 0 }, []];
  const shown = rows.slice(0, limit);
  const words = wordsOf(deps.explanations, row);
  const outcomes = await payoutOutcomes(
    deps.reads,
    words.payoutID === null ? [] : [words.payoutID],
  );
  const outcome = outcomes.get(words.payoutID ?? "");
  const sources = await sourcesOf(deps, account, shown, stretch);
  const summed = ownSale + covered.cents + uncovered;
  return {
    consignorID: uid,
    line: flowLine(row, words),
    payoutID: words.payoutID,
    payoutStatus: outcome?.status ?? null,
    payoutWithdrawn: outcome?.withdrawn ?? false,
    payoutReference: outcome?.reference ?? null,
    ownSale: toDollars(ownSale),
    uncovered: toDollars(uncovered),
    summed: toDollars(summed),
    isBalanced: summed === taken,
    sourceCount: covered.count,
    sources: sources.filter(({ amount }) => amount > 0),
    nextCursor: rows.length > limit ? String(shown.at(-1)?.line ?? "") : null,
  };
}
