// From a reminder to its letters: a job that is written together with the reminder, and tried again until the mail server takes it.
import type { Job, JobResult, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { readTrade } from "#features/trades/look-ups.ts";
import type { TradeReminder } from "#features/trades/reminder-letters.ts";
import { isOutdated, recipientsOf, reminderLetter } from "#features/trades/reminder-letters.ts";
import { ensureQueue, LETTER_RETRIES, within } from "#jobs/boss.ts";
import { afterFailure } from "#jobs/work-on.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { Mailer } from "#mail/mailer.ts";

/** The data of a job. It names nobody but by uid: addresses and words are looked up when the letter is sent. */
export type LetterJob = TradeReminder & {
  /** Null for everybody whom the reminder is for. */
  readonly uid: string | null;
};

export type TradeLetterDeps = {
  readonly boss: Pick<PgBoss, "insert">;
  /** The primary. */
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly mailer: Mailer;
  readonly appUrl: () => string;
};

export const letterQueue = "trade-letters";

export async function ensureLetterQueue(boss: PgBoss): Promise<void> {
  await ensureQueue(boss, {
    name: letterQueue,
    policy: "standard",
    ...LETTER_RETRIES,
    expireInSeconds: 120,
    retentionSeconds: 2 * 86_400,
    deleteAfterSeconds: 3_600,
  });
}

/** Queues the letters of a reminder in the transaction that writes it: both are there, or neither is. */
export async function queueLetters(
  boss: Pick<PgBoss, "send">,
  transaction: TransactionSql,
  reminder: TradeReminder,
): Promise<void> {
  const job: LetterJob = { ...reminder, uid: null };
  await boss.send(letterQueue, job, { db: within(transaction) });
}

/**
 * Sends the letter of a job. For several people it becomes a job each, so that none of them gets it again because
 * another one's failed. Nothing is sent where the trade went on in the meantime. Throws `MailUnavailable`.
 */
export async function sendLetters(
  deps: TradeLetterDeps,
  { id, data: job }: Pick<Job<LetterJob>, "id" | "data">,
): Promise<void> {
  const trade = await readTrade(deps, job.tradeId);
  if (trade === null || isOutdated(trade, job)) {
    return;
  }
  const all = await recipientsOf(deps.sql, trade, job);
  const meant = job.uid === null ? all : all.filter(({ uid }) => uid === job.uid);
  const [only] = meant;
  if (meant.length > 1) {
    await deps.boss.insert(
      letterQueue,
      meant.map(({ uid }) => ({ data: { ...job, uid } })),
    );
  } else if (only !== undefined) {
    const letter = { ...reminderLetter(trade, job, deps.appUrl()), to: only.email };
    await deps.mailer.send(letter, id);
  }
}

/** A few at once, and without a pause while more wait: after an outage there may be hundreds of reminders. */
const polling = {
  pollingIntervalSeconds: 10,
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

/** Works on the jobs. */
export async function startTradeLetters(
  deps: TradeLetterDeps & { readonly boss: PgBoss; readonly logger: Logger },
): Promise<{ readonly close: () => Promise<void> }> {
  const { boss, logger } = deps;
  await ensureLetterQueue(boss);
  // Each with an outcome of its own: a letter that fails takes none of the others along.
  const deliver = async (job: Job<LetterJob>): Promise<JobResult> => {
    const { id, data } = job;
    try {
      await sendLetters(deps, job);
      return { id, status: "completed" };
    } catch (error) {
      logger.warn(
        { err: error, tradeId: data.tradeId },
        `a reminder could not be mailed; ${afterFailure(job, LETTER_RETRIES)}`,
      );
      return { id, status: "failed", output: { message: String(error) } };
    }
  };
  const workerId = await boss.work<LetterJob, JobResult[], typeof polling>(
    letterQueue,
    polling,
    (jobs) => Promise.all(jobs.map(deliver)),
  );
  return { close: () => boss.offWork(letterQueue, { id: workerId, wait: true }) };
}
