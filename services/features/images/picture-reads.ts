// Reads pictures for anybody, without a sign-in. The ones read last stay in memory, and only a few are read from the database at once.
import { createAddressLimit } from "#http/address-limit.ts";
import { HttpError } from "#http/errors.ts";
import type { StoredPicture } from "#http/stored-images.ts";
import { createTurns } from "#http/turns.ts";
import { networkOf } from "#identity/networks.ts";

type PictureSize = "full" | "thumbnail";
type LoadPicture = (id: string, size: PictureSize) => Promise<StoredPicture | undefined>;

/** Undefined if there is no such picture. Throws HttpError 429 with Retry-After if the address loads too much. */
export type ReadPicture = (
  picture: { readonly id: string; readonly size: PictureSize },
  from: { readonly address: string; readonly signal: AbortSignal },
) => Promise<StoredPicture | undefined>;

/** What one network may load in a minute: far more than long lists of large photos. */
const LOADED = { most: 268_435_456, perMs: 60_000 };
/** A call costs as much as this many bytes. */
const CALL_BYTES = 65_536;
/** Enough for the pictures of several long lists. */
const MOST_BYTES = 33_554_432;
/** Connections that pictures may use; `createTurns` keeps one more for people who ask for little. */
const READS_AT_ONCE = 2;
/** Reading a small picture takes less time than this, and is not counted. */
const SHORT_READ_MS = 10;

/**
 * A picture never changes, so the copy in memory is right as long as it is there. One that was deleted in the meantime was
 * never an item's.
 */
export function createPictureReads(
  load: LoadPicture,
  clock: () => Date,
  mostBytes = MOST_BYTES,
): ReadPicture {
  const kept = createKeptPictures(mostBytes);
  const turns = createTurns(READS_AT_ONCE);
  const limit = createAddressLimit(clock, LOADED);

  function count(address: string, bytes: number): void {
    const wait = limit(address, bytes);
    if (wait > 0) {
      throw new HttpError(429, "too_many_pictures", "Too many pictures. Wait and try again", {
        retryAfterSeconds: Math.ceil(wait / 1_000),
      });
    }
  }

  async function readInTurn(id: string, size: PictureSize): Promise<StoredPicture | undefined> {
    const key = `${id} ${size}`;
    // Another request may have read it while this one waited.
    const found = kept.find(key);
    const picture = found ?? (await load(id, size));
    if (found === undefined && picture !== undefined) {
      kept.keep(key, picture);
    }
    return picture;
  }

  return async ({ id, size }, { address, signal }) => {
    count(address, CALL_BYTES);
    const read = () => readInTurn(id, size);
    const picture =
      kept.find(`${id} ${size}`) ??
      (await turns.take(networkOf(address), signal, read, SHORT_READ_MS));
    count(address, Math.max(0, (picture?.bytes.byteLength ?? 0) - CALL_BYTES));
    return picture;
  };
}

function createKeptPictures(mostBytes: number) {
  /** The one shown last stands at the end. */
  const kept = new Map<string, StoredPicture>();
  let bytes = 0;

  return {
    find(key: string): StoredPicture | undefined {
      const picture = kept.get(key);
      if (picture !== undefined) {
        kept.delete(key);
        kept.set(key, picture);
      }
      return picture;
    },
    keep(key: string, picture: StoredPicture): void {
      bytes += picture.bytes.byteLength - (kept.get(key)?.bytes.byteLength ?? 0);
      kept.set(key, picture);
      for (const [oldest, { bytes: old }] of kept) {
        if (bytes <= mostBytes) {
          break;
        }
        kept.delete(oldest);
        bytes -= old.byteLength;
      }
    },
  };
}
