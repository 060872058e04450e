// Reads pictures for whoever asks, without a sign-in: those read last stay in memory, and the database is asked for few at once.
import type { StoredPicture } from "#http/stored-images.ts";
import { createTurns } from "#http/turns.ts";
import { networkOf } from "#identity/networks.ts";

export type PictureSize = "full" | "thumbnail";
export type LoadPicture = (id: string, size: PictureSize) => Promise<StoredPicture | undefined>;

/** Undefined if there is no such picture. */
export type ReadPicture = (
  picture: { readonly id: string; readonly size: PictureSize },
  from: { readonly address: string; readonly signal: AbortSignal },
) => Promise<StoredPicture | undefined>;

/** Enough for the pictures of several long lists. */
const MOST_BYTES = 33_554_432;
/** Connections that pictures may hold; `createTurns` keeps one more for those who ask for little. */
const READS_AT_ONCE = 2;
/** Reading a small picture takes no longer, and counts as nothing. */
const SHORT_READ_MS = 10;

/**
 * A picture never changes, so the copy in memory is right as long as it is there. One that was deleted meanwhile was
 * never an item's.
 */
export function createPictureReads(load: LoadPicture, mostBytes = MOST_BYTES): ReadPicture {
  const turns = createTurns(READS_AT_ONCE);
  /** The one shown last stands at the end. */
  const kept = new Map<string, StoredPicture>();
  let bytes = 0;

  function find(key: string): StoredPicture | undefined {
    const picture = kept.get(key);
    if (picture !== undefined) {
      kept.delete(key);
      kept.set(key, picture);
    }
    return picture;
  }

  function keep(key: string, picture: StoredPicture): void {
    bytes += picture.bytes.byteLength - (kept.get(key)?.bytes.byteLength ?? 0);
    kept.set(key, picture);
    for (const [oldest, { bytes: old }] of kept) {
      if (bytes <= mostBytes) {
        break;
      }
      kept.delete(oldest);
      bytes -= old.byteLength;
    }
  }

  return async ({ id, size }, { address, signal }) => {
    const key = `${id} ${size}`;
    return (
      find(key) ??
      (await turns.take(
        networkOf(address),
        signal,
        async () => {
          // Another request may have read it while this one waited.
          const found = find(key);
          const picture = found ?? (await load(id, size));
          if (found === undefined && picture !== undefined) {
            keep(key, picture);
          }
          return picture;
        },
        SHORT_READ_MS,
      ))
    );
  };
}
