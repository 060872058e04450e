// The verdict on a rush: checks every answer against the log, and verifies the books once everything is folded.
import { bookChecks, events, projections, streams } from "../../features.ts";
import type { Sql } from "#db/connect.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { readHistory } from "#testing/rush/history.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import { judgeRush } from "#testing/rush/judge.ts";

export type RushVerdict = {
  /** The log's last position. */
  readonly positions: number;
  /** A sentence for each broken promise; empty if all were kept. */
  readonly broken: readonly string[];
};

export async function judgeBooks(sql: Sql, answers: readonly RushAnswer[]): Promise<RushVerdict> {
  const history = await readHistory(sql);
  await createRunner({ sql, projections, events }).catchUp();
  const report = await verifyBooks({
    sql,
    events,
    streams,
    projections,
    checks: bookChecks,
    heads: [],
  });
  return {
    positions: history.head,
    broken: [
      ...judgeRush(history, answers),
      ...report.problems.map((problem) => `verify: ${problem.message}`),
    ],
  };
}
