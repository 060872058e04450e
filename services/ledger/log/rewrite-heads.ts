// Leaves lines out of a file of heads: the thinning of old ones, and what an operator sets aside.
import { open, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Sql } from "#db/connect.ts";
import { findContradicted } from "#ledger/log/contradicted-heads.ts";
import type { HeadLine } from "#ledger/log/head-lines.ts";
import { readHeadLines } from "#ledger/log/head-lines.ts";

const DAY_MS = 86_400_000;

/**
 * Writes the lines that `keep` chooses into a new file, and puts it in the old one's place in one step; nothing is
 * done where all are kept. Returns how many were left out. `beforeReplaced` runs while the old file still stands.
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
      await written.write(Buffer.from(text, "latin1"));
    }
    if (leftOut > 0) {
      await copyFrom(old, size, written);
      if (process.getuid?.() === 0) {
        // A script of root's must not take the file from the account that the service runs as.
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

/** What its process has added meanwhile. */
async function copyFrom(from: FileHandle, offset: number, to: FileHandle): Promise<void> {
  const { size } = await from.stat();
  if (size > offset) {
    const added = Buffer.alloc(size - offset);
    const { bytesRead } = await from.read(added, 0, added.length, offset);
    await to.write(added.subarray(0, bytesRead));
  }
}

/**
 * Keeps all heads of the last day and the first one of each hour before it. Any head covers everything below it, so
 * this proves no less; one that the log contradicts says more than the others and is always kept.
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
