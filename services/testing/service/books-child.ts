// An operator's script that takes as long as a test wants: it keeps a store open until its standard input ends.
import { once } from "node:events";
import { withBooks } from "../../../scripts/books.ts";
import { runScript } from "../../../scripts/command-line.ts";

await runScript(() =>
  withBooks({ name: "books-child", mayBegin: true }, async ({ sql, startedHere }) => {
    const [row] = await sql<{ events: number }[]>`select count(*) as events from log.events`;
    process.stdout.write(`${JSON.stringify({ startedHere, events: row?.events })}\n`);
    process.stdin.resume();
    await once(process.stdin, "end");
    return 0;
  }),
);
