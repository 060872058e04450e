// From alerts to letters: a job that is written together with the alert, and tried again until the mail server takes it.
import { createHash } from "node:crypto";
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { adviceFor, describeAlert } from "#features/alerts/explain.ts";
import { readAlerts } from "#features/alerts/open-alerts.ts";
import { ensureQueue, LETTER_RETRIES, within } from "#jobs/boss.ts";
import { workOn } from "#jobs/work-on.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { Mailer } from "#mail/mailer.ts";

export type AlertLetterDeps = {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly mailer: Mailer;
  readonly to: string;
  readonly appUrl: () => string;
};

const letterQueue = "alert-letters";

/** Queues the letter in the transaction that writes an alert. One that waits already names all that are open. */
export async function queueAlertLetter(
  boss: Pick<PgBoss, "send">,
  transaction: TransactionSql,
): Promise<void> {
  await boss.send(letterQueue, {}, { db: within(transaction) });
}

const MOST_NAMED = 20;

/**
 * One letter about all open alerts that nobody has acknowledged; none if there are none. Throws `MailUnavailable`. A job
 * that is tried again sends it with the same id, unless other alerts are open by then.
 */
export async function sendAlertLetter(deps: AlertLetterDeps, jobId: string): Promise<void> {
  const { open } = await readAlerts(deps);
  const waiting = open.filter(({ acknowledged }) => acknowledged === null);
  if (waiting.length === 0) {
    return;
  }
  const named = waiting.slice(-MOST_NAMED);
  const more = waiting.length - named.length;
  const letter = {
    to: deps.to,
    subject: waiting.length === 1 ? "An alert is open" : `${waiting.length} alerts are open`,
    paragraphs: [
      ...named.map((alert) => `${describeAlert(alert)}. ${adviceFor(alert)}.`),
      ...(more === 0 ? [] : [`${more} more are open.`]),
    ],
    action: { label: "Open operations", url: `${deps.appUrl()}/admin/operations` },
    closing: "You get this letter because the store's configuration names this address.",
  };
  const said = JSON.stringify([jobId, letter.paragraphs]);
  await deps.mailer.send(letter, createHash("sha256").update(said).digest("hex").slice(0, 24));
}

/** Makes the queue; must exist before an alert is raised. */
export async function ensureAlertLetterQueue(boss: PgBoss): Promise<void> {
  await ensureQueue(boss, {
    name: letterQueue,
    // At most one waits.
    policy: "short",
    ...LETTER_RETRIES,
    expireInSeconds: 120,
    retentionSeconds: 2 * 86_400,
    deleteAfterSeconds: 3_600,
  });
}

/** Works on the queue. */
export async function startAlertLetters(
  deps: AlertLetterDeps & { readonly boss: PgBoss; readonly logger: Logger },
): Promise<{ readonly close: () => Promise<void> }> {
  const close = await workOn(deps, {
    queue: letterQueue,
    pollingIntervalSeconds: 10,
    failure: "the letter about open alerts could not be sent",
    retryLimit: LETTER_RETRIES.retryLimit,
    ending: null,
    work: ({ id }) => sendAlertLetter(deps, id),
  });
  return { close };
}
