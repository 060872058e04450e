// What happens to trades by itself: finds the trades that are due, and sends the command of each deadline under a key that names it.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import type { Deadline } from "#features/trades/deadlines.ts";
import { dueOf } from "#features/trades/deadlines.ts";
import { readTrade } from "#features/trades/look-ups.ts";
import type { MeetDeps } from "#features/trades/meet-deadline.ts";
import { meetDeadline } from "#features/trades/meet-deadline.ts";
import { tradesTable } from "#features/trades/projection.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";

export type SweepDeps = MeetDeps & {
  /** The primary. */
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
  /** One trade that fails stops no other: the next sweep tries it again. */
  readonly onError: (tradeId: string, error: unknown) => void;
};

/** So many trades are handled at once, each with one command at a time. */
const AT_ONCE = 256;

type Due = { readonly trade_id: string; readonly due_at: Date };

/**
 * Does everything that is due by the clock, and answers how many deadlines it was that nobody had done before. Two
 * workers may sweep at once, and one may sweep twice: the ledger takes each deadline once.
 */
export async function sweepDeadlines(deps: SweepDeps): Promise<number> {
  const now = deps.clock();
  let done = 0;
  let last: Due | undefined;
  do {
    const due = await findDue(deps.sql, now, last);
    const counts = await Promise.all(due.map((one) => sweepTrade(deps, one.trade_id, now)));
    done += counts.reduce((sum, count) => sum + count, 0);
    last = due.length === AT_ONCE ? due.at(-1) : undefined;
  } while (last !== undefined);
  return done;
}

/** The next due trades after `last`, in a fixed order: what was done shows in the table only a moment later. */
function findDue(sql: Sql, now: Date, last: Due | undefined): Promise<readonly Due[]> {
  const behind =
    last === undefined ? sql`` : sql`and (due_at, trade_id) > (${last.due_at}, ${last.trade_id})`;
  return sql<Due[]>`
    select trade_id, due_at from ${sql(`read.${tradesTable.name}`)}
    where due_at <= ${now} ${behind}
    order by due_at, trade_id limit ${AT_ONCE}`;
}

/** The trade as the log has it decides what is due, not the read table. */
async function readDue(
  deps: SweepDeps,
  tradeId: string,
  now: string,
): Promise<readonly Deadline[]> {
  const trade = await readTrade(deps, tradeId);
  return trade === null ? [] : dueOf(tradeId, trade, now);
}

async function sweepTrade(deps: SweepDeps, tradeId: string, now: Date): Promise<number> {
  const at = now.toISOString();
  try {
    let done = 0;
    for (const deadline of await readDue(deps, tradeId, at)) {
      const { isFirst } = await meetDeadline(deps, tradeId, deadline, at);
      const isDone = isFirst || (await meetUnderNewKey(deps, tradeId, deadline, at));
      done += isDone ? 1 : 0;
    }
    return done;
  } catch (error) {
    deps.onError(tradeId, error);
    return 0;
  }
}

/**
 * For a deadline whose key has an answer already. If the trade has the deadline still, that answer came with no event, as
 * somebody with the database's role can keep one: the trade would never be cancelled, and its money stay held. Under
 * another key the decider asks the trade again.
 */
async function meetUnderNewKey(
  deps: SweepDeps,
  tradeId: string,
  deadline: Deadline,
  now: string,
): Promise<boolean> {
  const due = await readDue(deps, tradeId, now);
  if (!due.some(({ key }) => key === deadline.key)) {
    return false;
  }
  const again = { ...deadline, key: `${deadline.key}:${randomUUID()}` };
  return (await meetDeadline(deps, tradeId, again, now)).isFirst;
}
