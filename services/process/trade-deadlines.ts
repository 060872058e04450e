// Runs in the worker: once a minute one job of pg-boss does everything that is due of trades, and sends the letters of reminders.
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { SweepDeps } from "#features/trades/deadline-sweep.ts";
import { sweepDeadlines } from "#features/trades/deadline-sweep.ts";
import { recipientsOf, reminderLetter } from "#features/trades/reminder-letters.ts";
import { ensureQueue } from "#jobs/boss.ts";
import type { Mailer } from "#mail/mailer.ts";

export type TradeDeadlineDeps = Pick<SweepDeps, "sql" | "ledger" | "readEvent" | "clock"> & {
  readonly boss: PgBoss;
  readonly mailer: Mailer;
  readonly appUrl: () => string;
  readonly logger: Logger;
};

const queueName = "trade-deadlines";
const EVERY_MINUTE = "* * * * *";

/** One sweep. A letter that cannot be sent is logged and lost: the reminder is in the trade's history. */
export function sweepTrades(deps: Omit<TradeDeadlineDeps, "boss">): Promise<number> {
  const { sql, mailer, appUrl, logger } = deps;
  return sweepDeadlines({
    ...deps,
    onReminded: async (sent) => {
      try {
        const letter = reminderLetter(sent, appUrl());
        for (const to of await recipientsOf(sql, sent)) {
          await mailer.send({ ...letter, to });
        }
      } catch (error) {
        logger.warn({ err: error, tradeId: sent.tradeId }, "a reminder could not be mailed");
      }
    },
    onError: (tradeId, error) =>
      logger.error(
        { err: error, tradeId },
        "a deadline of a trade failed; it is retried in a minute",
      ),
  });
}

/** Makes the job and works on it. Several workers share it: at most one sweep waits and one runs. */
export async function startTradeDeadlines({
  boss,
  ...deps
}: TradeDeadlineDeps): Promise<{ readonly close: () => Promise<void> }> {
  await ensureQueue(boss, {
    name: queueName,
    policy: "stately",
    retryLimit: 0,
    expireInSeconds: 300,
    retentionSeconds: 300,
    deleteAfterSeconds: 60,
  });
  await boss.schedule(queueName, EVERY_MINUTE);
  const workerId = await boss.work(queueName, { pollingIntervalSeconds: 5 }, async () => {
    await sweepTrades(deps);
  });
  return { close: () => boss.offWork(queueName, { id: workerId, wait: true }) };
}
