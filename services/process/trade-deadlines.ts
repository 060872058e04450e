// Runs in the worker: once a minute one job of pg-boss does everything that is due of trades, and queues the letters of reminders.
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { SweepDeps } from "#features/trades/deadline-sweep.ts";
import { sweepDeadlines } from "#features/trades/deadline-sweep.ts";
import { ensureQueue } from "#jobs/boss.ts";
import { workOn } from "#jobs/work-on.ts";
import type { TradeLetterDeps } from "./trade-letters.ts";
import { queueLetters, startTradeLetters } from "./trade-letters.ts";

type SweepTradesDeps = Pick<SweepDeps, "sql" | "ledger" | "readEvent" | "clock"> & {
  readonly boss: Pick<PgBoss, "send">;
  readonly logger: Logger;
};

export type TradeDeadlineDeps = SweepTradesDeps & TradeLetterDeps & { readonly boss: PgBoss };

const queueName = "trade-deadlines";
const EVERY_MINUTE = "* * * * *";

/** One sweep. */
export function sweepTrades(deps: SweepTradesDeps): Promise<number> {
  const { boss, logger } = deps;
  return sweepDeadlines({
    ...deps,
    queueLetters: (transaction, reminder) => queueLetters(boss, transaction, reminder),
    onError: (tradeId, error) =>
      logger.error(
        { err: error, tradeId },
        "a deadline of a trade failed; it is retried in a minute",
      ),
  });
}

/** Makes the jobs and works on them. Several workers share them: at most one sweep waits, and each runs one at a time. */
export async function startTradeDeadlines(
  deps: TradeDeadlineDeps,
): Promise<{ readonly close: () => Promise<void> }> {
  const { boss } = deps;
  const letters = await startTradeLetters(deps);
  await ensureQueue(boss, {
    name: queueName,
    // Sweeps may overlap, and must: a queue that runs one at a time waits many minutes for the sweep of a killed worker.
    policy: "short",
    retryLimit: 0,
    expireInSeconds: 300,
    retentionSeconds: 300,
    deleteAfterSeconds: 60,
  });
  await boss.schedule(queueName, EVERY_MINUTE);
  const stop = await workOn(deps, {
    queue: queueName,
    pollingIntervalSeconds: 5,
    failure: "deadlines of trades could not be met",
    retryLimit: 0,
    ending: null,
    work: () => sweepTrades(deps),
  });
  return {
    close: async () => {
      await stop();
      await letters.close();
    },
  };
}
