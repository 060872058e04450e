// Heads of the hash chain kept outside the database, so that a cut tail shows when the books are verified.
import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Head } from "#ledger/log/writer.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import { parseHead } from "#ledger/verify/chain.ts";

export type HeadPublisher = {
  /** Takes note of a new head; the newest is written at most once an interval. */
  readonly publish: (head: Head) => void;
  /** Writes what is left. */
  readonly close: () => Promise<void>;
};

/**
 * Appends `position:hash` lines to a file. A failed write is told to `onError` and tried again with the next
 * head; it never holds up a command.
 */
export function publishHeads(
  file: string,
  onError: (error: unknown) => void,
  intervalMs = 1_000,
): HeadPublisher {
  let newest: Head | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(): void {
    timer = undefined;
    const head = newest;
    newest = undefined;
    if (head?.hash == null) {
      return;
    }
    const line = `${head.position}:${head.hash}\n`;
    writing = writing
      .then(async () => {
        await mkdir(path.dirname(file), { recursive: true });
        return appendFile(file, line);
      })
      .catch(onError);
  }

  return {
    publish(head) {
      newest = head;
      timer ??= setTimeout(write, intervalMs).unref();
    },
    async close() {
      clearTimeout(timer);
      write();
      await writing;
    },
  };
}

/** The published heads, oldest first; none where there is no file. A broken last line (a kill) is left out. */
export async function readPublishedHeads(file: string): Promise<PublishedHead[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT") {
      return [];
    }
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map(parseHead);
}
