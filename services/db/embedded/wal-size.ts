// How large the embedded server's write-ahead log may grow between two checkpoints, by the room on its disk.
import { MEBIBYTE } from "#db/free-space.ts";

const LEAST_MB = 2048;
const MOST_MB = 8192;

/**
 * A sixteenth of what is free, from 2 to 8 GB, in MB. A checkpoint comes about whenever half of this is written, and
 * after each, the first change of a page writes the whole page again: with 2 GB and 1,400 sales a second during a
 * rebuild, every 45 seconds sales were seen half a second late.
 */
export function maxWalMb(freeBytes: number): number {
  return Math.round(Math.min(MOST_MB, Math.max(LEAST_MB, freeBytes / MEBIBYTE / 16)));
}
