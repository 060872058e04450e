// Removes lines from a file of heads: old ones when it is thinned, and those that an operator sets aside.
import { open, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Sql } from "#db/connect.ts";
import { findContradicted } from "#ledger/log/contradicted-heads.ts";
import type { HeadLine } from "#ledger/log/head-lines.ts";
import { readHeadLines } from "#ledger/log/head-lines.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/**
 * Writes the lines that `keep` chooses to a new file and replaces the old one atomically; does nothing if all are
 * kept. Returns how many were removed. `beforeReplaced` runs before the old file is replaced.
 */
export async function rewriteHeads(
  path: string,
  keep: (lines: readonly HeadLine[]) => Promise<readonly HeadLine[]>,
  beforeReplaced: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const draft = `${path}.new`;
  let leftOut = 0;
  await using old = await open(path, "r");
  const { size, mode, uid, gid } = await old.stat();
  try {
    await using written = await open(draft, "w", mode);
    for await (const lines of readHeadLines(old, size)) {
      const kept = await keep(lines);
      leftOut += lines.length - kept.length;
      const text = kept
        .map((line) => line.text + (line.kind === "unfinished" ? "" : "\n"))
        .join("");
      // `write` may write a part and not say so.
      await written.appendFile(Buffer.from(text, "latin1"));
    }
    if (leftOut > 0) {
      await copyFrom(old, size, written);
      if (process.getuid?.() === 0) {
        // A script that root runs must not take the file away from the account that the service runs as.
        await written.chown(uid, gid);
      }
      await written.sync();
      await beforeReplaced();
      await rename(draft, path);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return leftOut;
}

/** Lines that its process has added since. */
async function copyFrom(from: FileHandle, offset: number, to: FileHandle): Promise<void> {
  const { size } = await from.stat();
  if (size > offset) {
    const added = Buffer.alloc(size - offset);
    const { bytesRead } = await from.read(added, 0, added.length, offset);
    await to.appendFile(added.subarray(0, bytesRead));
  }
}

/**
 * Keeps all heads of the last day and the first one of each hour before that. Any head covers everything below it, so
 * this proves no less. Heads that the log contradicts are always kept, because they are evidence.
 */
export async function thinHeads(path: string, sql: Sql, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  let hour = "";
  await rewriteHeads(path, async (lines) => {
    const heads = lines.filter((line) => line.kind === "head");
    const contradicted = new Set<HeadLine>(await findContradicted(sql, heads));
    return lines.filter((line) => {
      if (line.kind !== "head" || line.at === null || line.at >= dayAgo || contradicted.has(line)) {
        return true;
      }
      const isFirst = line.at.slice(0, 13) !== hour;
      hour = line.at.slice(0, 13);
      return isFirst;
    });
  });
}
