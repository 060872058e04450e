// Follows the money of a sale forward: to the payouts and the other debits that it paid for.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { PaidByResponse } from "#features/accounts/contract-funding.ts";
import type { Stretch } from "#features/accounts/funding.ts";
import { overlapOf, stretchOf } from "#features/accounts/funding.ts";
import { wordsOf } from "#features/accounts/ledger-lines.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import type { Account, FlowRow, FundingDeps, WordedRow } from "#features/accounts/queries-flows.ts";
import {
  flowColumns,
  flowLine,
  lineAbove,
  payoutOutcomes,
  readAccount,
  readWorded,
} from "#features/accounts/queries-flows.ts";
import { toDollars } from "#ledger/money.ts";

const history = nameOfTable(accountHistoryTable);

/** The lines of a sale in its consignor's ledger. */
async function linesOfSale(reads: Reads, uid: string, saleId: string): Promise<readonly FlowRow[]> {
  const { rows } = await sql<FlowRow>`
    select ${flowColumns}
    from log.event_streams s
    join log.event_streams o on o.position = s.position and o.stream_id = log.consignor_stream(${uid})
    join ${history} h on h.uid = ${uid} and h.line = o.version
    where s.stream_id = log.sale_stream(${saleId}::text) and h.available_delta_cents > 0
    order by h.line`.execute(reads);
  return rows;
}

type Use = PaidByResponse["uses"][number];

/** The debits that a stretch of credits paid for. */
async function usesOf(
  deps: FundingDeps,
  account: Account,
  stretch: Stretch,
): Promise<readonly { readonly row: WordedRow; readonly cents: number }[]> {
  const { uid, flows } = account;
  if (stretch.through <= stretch.after) {
    return [];
  }
  const [first, last] = await Promise.all([
    lineAbove(deps.reads, account, "debits", flows.debits.grossAbove(stretch.after)),
    lineAbove(deps.reads, account, "debits", flows.debits.grossAbove(stretch.through - 1)),
  ]);
  const rows = await readWorded(deps.searches, uid, "debit", first, last, null);
  return rows.flatMap((row) => {
    const own = stretchOf(flows.debits, row.line, -row.delta, row.debits);
    const cents = overlapOf(own, stretch);
    return cents > 0 ? [{ row, cents }] : [];
  });
}

/** Where the money of a consignor's sale went. */
export async function readPaidBy(
  deps: FundingDeps,
  sale: { readonly saleID: string; readonly consignorID: string; readonly itemID: string | null },
  freshTo: number,
): Promise<PaidByResponse> {
  const { saleID, consignorID: uid, itemID } = sale;
  const account = await readAccount(deps.reads, uid, freshTo);
  const { flows, last } = account;
  const paid = flows.debits.net(last.line, last.debits);
  const credits = (await linesOfSale(deps.reads, uid, saleID)).filter(
    ({ line }) => line <= last.line,
  );
  const stretches = credits.map((row) =>
    stretchOf(flows.credits, row.line, row.delta, row.credits),
  );
  const found = await Promise.all(
    stretches.map(({ after, through }) =>
      usesOf(deps, account, { after, through: Math.min(through, paid) }),
    ),
  );
  const byLine = Map.groupBy(found.flat(), ({ row }) => row.line);
  const said = [...byLine.values()].flatMap((own) => {
    const cents = own.reduce((sum, part) => sum + part.cents, 0);
    const [first] = own;
    return first === undefined
      ? []
      : [{ row: first.row, cents, words: wordsOf(deps.explanations, first.row) }];
  });
  const ids = said.flatMap(({ words }) => (words.payoutID === null ? [] : [words.payoutID]));
  const outcomes = await payoutOutcomes(deps.reads, ids);
  const uses = said
    .sort((a, b) => a.row.line - b.row.line)
    .map(({ row, cents, words }): Use => ({
      ...flowLine(row, words),
      use: words.payoutID !== null ? "payout" : words.tradeID !== null ? "trade" : "other",
      payoutID: words.payoutID,
      tradeID: words.tradeID,
      payoutStatus: outcomes.get(words.payoutID ?? "")?.status ?? null,
      amount: toDollars(cents),
    }));
  const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
  const credited = sum(credits.map(({ delta }) => delta));
  const reduced = sum(credits.map(({ line }) => flows.credits.takenAt(line)));
  const remaining = sum(
    stretches.map((stretch) =>
      overlapOf(stretch, { after: paid, through: Number.MAX_SAFE_INTEGER }),
    ),
  );
  const summed = reduced + sum(said.map(({ cents }) => cents)) + remaining;
  return {
    saleID,
    consignorID: uid,
    itemID,
    credited: toDollars(credited),
    reduced: toDollars(reduced),
    uses,
    remaining: toDollars(remaining),
    summed: toDollars(summed),
    isBalanced: summed === credited,
  };
}

/** A sale of the store's own item pays no consignor. */
export function paidNobody(saleID: string, itemID: string | null): PaidByResponse {
  return {
    saleID,
    consignorID: null,
    itemID,
    credited: 0,
    reduced: 0,
    uses: [],
    remaining: 0,
    summed: 0,
    isBalanced: true,
  };
}
