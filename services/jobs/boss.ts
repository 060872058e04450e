// Opens pg-boss, the job queue in the store's database, for processes that only send or that also work.
import { PgBoss } from "pg-boss";
import type { Db, Queue } from "pg-boss";
import type { Logger } from "pino";
import type { TransactionSql } from "postgres";
import { steadyClock } from "#jobs/steady-clock.ts";

export type BossOptions = {
  /** As the application's role. pg-boss has its own small pool. */
  readonly url: string;
  readonly applicationName: string;
  /** A "sender" only enqueues; a "worker" also listens, runs schedules and removes finished jobs. */
  readonly role: "sender" | "worker";
  readonly logger: Logger;
};

/** Letters are tried again after one minute, two, four and so on, at most an hour apart, for about half a day. */
export const LETTER_RETRIES = {
  retryLimit: 16,
  retryDelay: 60,
  retryBackoff: true,
  retryDelayMax: 3_600,
} as const;

/** The schema that a migration made for it. */
const schema = "pgboss";

/**
 * Starts pg-boss; its tables are made on the first start. Its own transactions commit without waiting for the disk,
 * since its jobs may be lost or doubled without harm. A job that must not be lost is sent inside a transaction of the
 * application's pool, or follows from a row that is checked again.
 */
export async function openBoss(options: BossOptions): Promise<PgBoss> {
  const works = options.role === "worker";
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: options.applicationName,
    options: "-c synchronous_commit=off",
    max: works ? 4 : 2,
    schema,
    createSchema: false,
    useListenNotify: works,
    supervise: works,
    schedule: works,
    maintenanceIntervalSeconds: 60,
    clock: steadyClock,
    clockMonitorIntervalSeconds: 60,
  });
  boss.on("error", logSparingly(options.logger));
  boss.on("warning", (warning) => options.logger.warn({ warning }, "job queue warning"));
  await boss.start();
  return boss;
}

/** Lets a job be sent in a transaction of the application, so that both are there or neither: `{ db: within(…) }`. */
export function within(transaction: TransactionSql): Db {
  return {
    executeSql: async (text, values = []) => ({
      // pg-boss's own values.
      rows: [...(await transaction.unsafe(text, values as string[]))],
    }),
  };
}

const LOG_EVERY_MS = 60_000;

/**
 * While the database is away, every poll of every worker fails, several times a second: log one line a minute per
 * cause.
 */
function logSparingly(logger: Logger): (error: Error) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const code: unknown = Reflect.get(error, "code");
    const cause = typeof code === "string" ? code : error.message;
    const now = performance.now();
    if (now - (loggedAt.get(cause) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) {
      return;
    }
    loggedAt.set(cause, now);
    logger.warn({ err: error }, "job queue error");
  };
}

/**
 * Makes a queue, or gives an existing one these settings. One that had another policy is made again, without its jobs
 * and schedules; partition cannot be changed.
 */
export async function ensureQueue(boss: PgBoss, queue: Queue): Promise<void> {
  const { name, policy, partition: _partition, ...settings } = queue;
  const existing = await boss.getQueue(name);
  if (existing !== null && existing.policy !== policy) {
    await boss.deleteQueue(name);
  }
  if (existing === null || existing.policy !== policy) {
    await boss.createQueue(name, queue);
    return;
  }
  await boss.updateQueue(name, settings);
}

/** Stops pg-boss after the current jobs, within `timeoutMs`. */
export async function closeBoss(boss: PgBoss, timeoutMs = 10_000): Promise<void> {
  await boss.stop({ graceful: true, timeout: timeoutMs });
  // Its sockets may outlive it by a moment; errors from the server closing them can be ignored.
  boss.removeAllListeners("error");
  boss.on("error", () => undefined);
}
