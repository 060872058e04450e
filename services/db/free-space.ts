// How much space is left on the disks of some folders, and when that is low or full.
import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";

/** A folder whose disk is checked; the name is shown, the path is not. */
export type WatchedFolder = { readonly name: string; readonly path: string };

export type FolderSpace = {
  readonly name: string;
  /** How much PostgreSQL can still write; less than the free space if the file system reserves some for root. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
};

/** What PostgreSQL calls MB. */
export const MEBIBYTE = 2 ** 20;
const GIBIBYTE = 2 ** 30;

/** Two files of the write-ahead log: with less, PostgreSQL may fail at its next step. */
const NO_ROOM_BYTES = 32 * MEBIBYTE;

/** The free space of each folder that exists, in the given order. */
export async function readFreeSpace(folders: readonly WatchedFolder[]): Promise<FolderSpace[]> {
  return Promise.all(
    folders
      .filter(({ path }) => existsSync(path))
      .map(async ({ name, path }) => {
        const { bavail, blocks, bsize } = await statfs(path);
        return { name, freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
      }),
  );
}

export function hasNoRoom({ freeBytes }: FolderSpace, noRoomBytes = NO_ROOM_BYTES): boolean {
  return freeBytes < noRoomBytes;
}

/**
 * Below this the operator is warned: 1 GiB, or 5% of a larger disk but at most 5 GiB. PostgreSQL's write-ahead log
 * alone may grow by 2 GB between two checkpoints, and by more where much was free at the start.
 */
export function defaultWarningBytes(sizeBytes: number): number {
  return Math.max(GIBIBYTE, Math.min(sizeBytes * 0.05, 5 * GIBIBYTE));
}

/** As in "812 MB". */
export function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE).toLocaleString("en-US")} MB`;
}
