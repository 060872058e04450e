// Opens the log's writer for a script that executes commands itself, and closes it when all of them are answered.
import { events, streams } from "../services/features.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { connect } from "#db/connect.ts";
import { publishHeads } from "#ledger/log/published-heads.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { Books } from "./books.ts";

/** Runs `body` with a writer of its own on the books; `name` is what pg_stat_activity shows. */
export async function withWriter<Result>(
  books: Books,
  name: string,
  body: (ledger: LedgerWriter) => Promise<Result>,
): Promise<Result> {
  const sql = connect(books.appUrl, { applicationName: name, maxConnections: 1 });
  const heads = publishHeads({
    folder: books.heads.folder,
    name,
    sql: books.sql,
    clock: () => new Date(),
    onError: (error) =>
      process.stderr.write(`The chain's head could not be published: ${error.message}\n`),
  });
  const ledger = openLedger({
    sql,
    streams,
    events,
    newId: newTimeOrderedId,
    onAppended: heads.publish,
  });
  try {
    return await body(ledger);
  } finally {
    await ledger.close();
    await heads.close();
    await sql.end({ timeout: 5 });
  }
}
