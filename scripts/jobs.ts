// npm run jobs: the job queues, why jobs failed, the outbox of notifications, and retrying or dropping one job or message.
import { readJobsNow } from "#features/operations/jobs-now.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { endWithUsage, readCommandLine, runScript } from "./command-line.ts";
import { reasonOf, withOperator } from "./operator.ts";
import { describeChannels, describeTroubled, readOutbox } from "./outbox-report.ts";

type Act = { readonly act: "retry" | "drop"; readonly queue: string; readonly id: string };

/** Null: only lists. */
function actOf({ positionals }: CommandLine): Act | null {
  const [act, queue, id, ...more] = positionals;
  if (act === undefined) {
    return null;
  }
  if ((act !== "retry" && act !== "drop") || queue === undefined || id === undefined) {
    return endWithUsage("Say retry or drop, the queue, and the job's id");
  }
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);
  return isId && more.length === 0
    ? { act, queue, id }
    : endWithUsage(`${id} is not the id of a job`);
}

async function list(line: CommandLine, books: Books): Promise<number> {
  const [{ queues, failed }, notifications] = await Promise.all([
    readJobsNow(books.sql),
    readOutbox(books),
  ]);
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ queues, failed, notifications })}\n`);
    return 0;
  }
  for (const { name, waiting, active, failed: count } of queues) {
    process.stdout.write(
      `${name.padEnd(24)} ${waiting} waiting, ${active} running, ${count} failed\n`,
    );
  }
  for (const { queue, id, failedAt, tries, reason } of failed) {
    process.stdout.write(
      `  ${queue} ${id} failed ${failedAt ?? ""} after ${tries} tries: ${reason}\n`,
    );
  }
  for (const text of [...describeChannels(notifications), ...describeTroubled(notifications)]) {
    process.stdout.write(`${text}\n`);
  }
  return 0;
}

const line = readCommandLine(
  "npm run jobs -- [retry|drop QUEUE ID] [options]",
  "Lists the job queues and the newest failed jobs with their reasons, and the outbox of notifications with the\n" +
    "messages that need a look. `retry` tries a failed job once more, `drop` deletes it; QUEUE is notifications for a\n" +
    "message. Both are events in the ledger, with their reason (--why).\n\n" +
    "Exits with 0; with 1 if there is no such job or it did not fail; with 2 if it was called wrongly; with 75 if a\n" +
    "service that started took the store over.",
  {
    why: { type: "string", value: "TEXT", help: "the reason, kept in the ledger with the action" },
  },
);
const asked = actOf(line);
await runScript(async () => {
  const why = asked === null ? "" : await reasonOf(line);
  const ofOlder = asked === null ? "refuse" : "migrate";
  return withBooks({ name: "jobs", mayBegin: false, ofOlder }, async (books) => {
    if (asked === null) {
      return list(line, books);
    }
    const { act, queue, id } = asked;
    await withOperator(books, "jobs", why, (operator) => operator.settleJob(act, queue, id));
    const done = act === "retry" ? "queued again" : "dropped";
    process.stdout.write(line.json ? `${JSON.stringify({ done })}\n` : `${queue} ${id}: ${done}\n`);
    return 0;
  });
});
