// Watches the disk space of the database: warns before it runs out, and knows when a write failed because of it.
import type { Logger } from "pino";
import { defaultWarningBytes, hasNoRoom, inMegabytes, readFreeSpace } from "#db/free-space.ts";
import type { FolderSpace, WatchedFolder } from "#db/free-space.ts";

export type StorageState = "ok" | "low" | "full";

export type StorageReading = {
  readonly state: StorageState;
  readonly message: string;
  /** Empty if the database is on another server, whose disks cannot be seen from here. */
  readonly folders: readonly FolderSpace[];
};

export type StorageWatch = {
  /** Checks now. */
  readonly look: () => Promise<StorageReading>;
  /** Reports that a write failed because the disk was full. */
  readonly noteRefused: () => void;
  /** Reports a successful write, so there is space. */
  readonly noteWritten: () => void;
  readonly close: () => void;
};

export type StorageWatchOptions = {
  readonly folders: readonly WatchedFolder[];
  /** Warns with less than this many free bytes; null for a share of each disk. */
  readonly warningBytes: number | null;
  readonly logger: Logger;
  readonly lookEveryMs?: number;
  /** How long a refused write counts if no successful one follows. */
  readonly refusalCountsForMs?: number;
  /** With less than this many free bytes, the next write may fail. */
  readonly noRoomBytes?: number;
};

/** Starts watching. Each change of state is one line in the log. */
export function watchStorage(options: StorageWatchOptions): StorageWatch {
  const { folders, logger, lookEveryMs = 10_000, refusalCountsForMs = 15_000 } = options;
  let refusedAt: number | undefined;
  let writtenAt: number | undefined;
  let known: StorageState = "ok";

  const read = async (): Promise<StorageReading> => {
    const spaces = await readFreeSpace(folders);
    const isRecent = (at: number | undefined) =>
      at !== undefined && performance.now() - at < refusalCountsForMs;
    const full = spaces.find((space) => hasNoRoom(space, options.noRoomBytes));
    // PostgreSQL goes on as long as it has files of its log to reuse: a shop that sells is not stopped for a number.
    if (isRecent(refusedAt) || (full !== undefined && !isRecent(writtenAt))) {
      return { state: "full", message: fullMessage(full), folders: spaces };
    }
    const low =
      full ??
      spaces.find(
        ({ freeBytes, sizeBytes }) =>
          freeBytes < (options.warningBytes ?? defaultWarningBytes(sizeBytes)),
      );
    return low === undefined
      ? { state: "ok", message: okMessage(spaces), folders: spaces }
      : { state: "low", message: lowMessage(low), folders: spaces };
  };

  const look = async (): Promise<StorageReading> => {
    const reading = await read();
    if (reading.state !== known) {
      const fields = { storage: reading.state, folders: reading.folders };
      logger[levelOf[reading.state]](fields, reading.message);
      known = reading.state;
    }
    return reading;
  };

  const lookByItself = (): void => {
    look().catch((error: unknown) => logger.warn({ err: error }, "free space cannot be read"));
  };
  lookByItself();
  const timer = setInterval(lookByItself, lookEveryMs);
  timer.unref();
  return {
    look,
    noteRefused: () => {
      refusedAt = performance.now();
      lookByItself();
    },
    noteWritten: () => {
      refusedAt = undefined;
      writtenAt = performance.now();
    },
    close: () => clearInterval(timer),
  };
}

const levelOf = { ok: "info", low: "warn", full: "error" } as const;

function okMessage(spaces: readonly FolderSpace[]): string {
  return spaces.length === 0
    ? "No write was refused because of a full disk; the database server's free space is not known here"
    : `There is enough space: ${listed(spaces)}`;
}

function lowMessage({ name, freeBytes }: FolderSpace): string {
  return `Little space is left on the disk of ${name}: ${inMegabytes(freeBytes)}. Free some space before the database can no longer write`;
}

function fullMessage(full: FolderSpace | undefined): string {
  return full === undefined
    ? "The database has no space left. The service continues by itself when there is space again"
    : `There is no space left on the disk of ${full.name}: ${inMegabytes(full.freeBytes)}. The service continues by itself when there is space again`;
}

function listed(spaces: readonly FolderSpace[]): string {
  return spaces.map(({ name, freeBytes }) => `${name} ${inMegabytes(freeBytes)}`).join(", ");
}
