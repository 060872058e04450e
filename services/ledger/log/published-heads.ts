// Publishes heads of the hash chain outside the database, so that verify notices if the end of the log was cut off.
import { open, stat } from "node:fs/promises";
import type { Sql } from "#db/connect.ts";
import { headLine } from "#ledger/log/head-lines.ts";
import { takeOwnFile } from "#ledger/log/own-file.ts";
import type { OwnFile } from "#ledger/log/own-file.ts";
import { readHead } from "#ledger/log/read.ts";
import { thinHeads } from "#ledger/log/rewrite-heads.ts";
import type { Head } from "#ledger/log/writer.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";

export type HeadPublisher = {
  /** Reports a new head; the newest is written at most once per interval. */
  readonly publish: (head: Head) => void;
  /** Reads the log's head now and writes it, unless it was: resolves then, also if that failed. */
  readonly catchUp: () => Promise<void>;
  /** Why the newest head cannot be published at the moment; null when it can. */
  readonly failure: () => Error | null;
  /** The newest head that was written, and when; null before the first. */
  readonly written: () => { readonly position: number; readonly at: Date } | null;
  /** Writes the last head. */
  readonly close: () => Promise<void>;
};

export type PublisherOptions = {
  readonly folder: string;
  /** The process: `start`, `api`, `worker` or a script's name. */
  readonly name: string;
  /** For reading the log's head; not the writer's own connection. */
  readonly sql: Sql;
  readonly clock: () => Date;
  /** Called after every failure; publishing is retried after a while. */
  readonly onError: (error: Error) => void;
  /** Called when a head could be published after failures. */
  readonly onRecovered?: () => void;
  readonly intervalMs?: number;
  readonly lookEveryMs?: number;
  /** The file is thinned once it reaches this size. */
  readonly thinFromBytes?: number;
};

const LONGEST_PAUSE_MS = 60_000;
// Two days with a head every second, at about 95 bytes each.
const THIN_FROM_BYTES = 16 * 1024 * 1024;

/** Appends a line, after a line break if an earlier failure left an incomplete line. Returns the file's size. */
async function addLine(file: string, line: string): Promise<number> {
  await using handle = await open(file, "a+");
  const { size } = await handle.stat();
  const last = Buffer.alloc(1);
  if (size > 0) {
    await handle.read(last, 0, 1, size - 1);
  }
  const text = `${size === 0 || last[0] === 0x0a ? "" : "\n"}${line}\n`;
  await handle.appendFile(text);
  return size + text.length;
}

/** The file of this process: taken when it is first needed, thinned when it has grown too large. */
function ownHeads({ folder, name, sql, clock, thinFromBytes = THIN_FROM_BYTES }: PublisherOptions) {
  let own: OwnFile | undefined;
  let thinFrom = thinFromBytes;
  return {
    async add(head: PublishedHead): Promise<void> {
      own = own !== undefined && (await own.isOurs()) ? own : await takeOwnFile(folder, name);
      const size = await addLine(own.file, headLine(head, clock()));
      if (size > thinFrom) {
        await thinHeads(own.file, sql, clock());
        // If the kept lines alone fill the file, it is not thinned with every new line.
        thinFrom = Math.max(thinFromBytes, (await stat(own.file)).size * 1.25);
      }
    },
    release: async () => own?.release(),
  };
}

/**
 * Publishes heads to a file of this process. It reads the log's head now and then every `lookEveryMs`, so that it
 * also publishes events of killed processes and of other machines. A failed write never delays a command.
 */
export function publishHeads(options: PublisherOptions): HeadPublisher {
  const { sql, onError, intervalMs = 1_000, lookEveryMs = 20_000 } = options;
  const own = ownHeads(options);
  let newest: PublishedHead | undefined;
  let written: (PublishedHead & { readonly at: Date }) | null = null;
  let failure: Error | null = null;
  let pauseMs = intervalMs;
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();

  async function carryOut(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (failure !== null && newest === undefined) {
        failure = null;
        pauseMs = intervalMs;
        options.onRecovered?.();
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      onError(failure);
    }
    if (newest !== undefined) {
      writeSoon();
    }
  }

  /** One write at a time; failures are reported, and a head that was not written is retried. */
  function inTurn(work: () => Promise<void>): void {
    working = working.then(() => carryOut(work));
  }

  function writeSoon(): void {
    timer ??= setTimeout(write, pauseMs).unref();
  }

  function write(): void {
    timer = undefined;
    inTurn(async () => {
      const head = newest;
      if (head !== undefined) {
        await own.add(head);
        written = { ...head, at: options.clock() };
        newest = newest === head ? undefined : newest;
      }
    });
  }

  function publish({ position, hash }: Head): void {
    if (hash !== null) {
      newest = { position, hash };
      writeSoon();
    }
  }

  const look = (): void =>
    inTurn(async () => {
      const head = await readHead(sql);
      if (newest === undefined && head.hash !== written?.hash) {
        publish(head);
      }
    });

  async function writeNow(): Promise<void> {
    await working;
    clearTimeout(timer);
    write();
    await working;
  }

  look();
  const looking = setInterval(look, lookEveryMs).unref();

  return {
    publish,
    async catchUp() {
      look();
      await writeNow();
    },
    failure: () => failure,
    written: () => written && { position: written.position, at: written.at },
    async close() {
      clearInterval(looking);
      await writeNow();
      clearTimeout(timer);
      await own.release();
    },
  };
}
