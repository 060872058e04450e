// After a restore, an operator declares the log right as it is: heads that it contradicts are set aside and recorded.
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Sql } from "#db/connect.ts";
import { findContradicted } from "#ledger/log/contradicted-heads.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import { headFilesIn } from "#ledger/log/head-files.ts";
import type { HeadLine } from "#ledger/log/head-lines.ts";
import { publishHeads } from "#ledger/log/published-heads.ts";
import { readHead } from "#ledger/log/read.ts";
import { rewriteHeads } from "#ledger/log/rewrite-heads.ts";
import type { Head } from "#ledger/log/writer.ts";

export type AcceptOptions = {
  readonly place: HeadsPlace;
  readonly sql: Sql;
  readonly clock: () => Date;
};

export type Accepted = {
  readonly head: Head;
  readonly setAside: number;
  /** The file that records every acceptance, with the lines that it set aside. */
  readonly record: string;
};

/**
 * Removes every line that is not a head of this log from the place's files, after recording it, and publishes the
 * log's head. Files elsewhere are not touched.
 */
export async function acceptHeads({ place, sql, clock }: AcceptOptions): Promise<Accepted> {
  const head = await readHead(sql);
  const record = path.join(place.folder, "accepted.txt");
  await mkdir(place.folder, { recursive: true });
  let setAside = 0;
  {
    await using written = await open(record, "a");
    await written.appendFile(
      `# ${clock().toISOString()}: an operator accepted the log as it ends at ${head.position}:${head.hash ?? "none"}\n`,
    );
    for (const file of await headFilesIn(place)) {
      const keep = async (lines: readonly HeadLine[]) => {
        const heads = lines.filter((line) => line.kind === "head");
        const contradicted = new Set<HeadLine>(await findContradicted(sql, heads));
        const isKept = (line: HeadLine) =>
          line.kind === "unfinished" || (line.kind === "head" && !contradicted.has(line));
        const aside = lines.filter((line) => !isKept(line));
        const text = aside.map((line) => `${path.basename(file)}:${line.line} ${line.text}\n`);
        await written.appendFile(Buffer.from(text.join(""), "latin1"));
        return lines.filter(isKept);
      };
      setAside += await rewriteHeads(file, keep, () => written.sync());
    }
    await written.sync();
  }
  await publishNow(place, sql, clock, head);
  return { head, setAside, record };
}

async function publishNow(
  { folder }: HeadsPlace,
  sql: Sql,
  clock: () => Date,
  head: Head,
): Promise<void> {
  const errors: Error[] = [];
  const publisher = publishHeads({
    folder,
    name: "verify",
    sql,
    clock,
    onError: (error) => errors.push(error),
  });
  publisher.publish(head);
  await publisher.close();
  const [first] = errors;
  if (first !== undefined) {
    throw first;
  }
}
