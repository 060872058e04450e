// The answer while the database cannot write or cannot be reached: a 503 with the reason and when to retry.
import type { Logger } from "pino";
import type { StorageWatch } from "#db/storage-watch.ts";
import { HttpError } from "#http/errors.ts";
import { isConnectionFailure, isOutOfRoom } from "#ledger/log/failure.ts";

export type Outages = {
  /**
   * The refusal for an error caused by a problem of the database server, else undefined. Nothing was stored for such
   * a request, or its outcome is unknown: if it is sent again with its key, it is executed once.
   */
  readonly explain: (error: Error) => Promise<HttpError | undefined>;
};

const FULL_RETRY_SECONDS = 15;
const AWAY_RETRY_SECONDS = 5;
/** Every request during an outage fails with the same error, so it is logged once a minute. */
const LOG_EVERY_MS = 60_000;

export function createOutages(storage: StorageWatch, logger: Logger): Outages {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const log = (error: Error, message: string): void => {
    const now = performance.now();
    if (now - loggedAt >= LOG_EVERY_MS) {
      loggedAt = now;
      logger.error({ err: error }, message);
    }
  };
  return {
    async explain(error) {
      if (isOutOfRoom(error)) {
        log(error, "a request failed because the disk is full");
        storage.noteRefused();
        return noRoom();
      }
      if (!isConnectionFailure(error)) {
        return undefined;
      }
      log(error, "a request did not reach the database");
      return (await storage.look()).state === "full" ? noRoom() : away();
    },
  };
}

function noRoom(): HttpError {
  return new HttpError(
    503,
    "storage_full",
    "The store's disk is full, so nothing can be saved right now. Try again later.",
    { retryAfterSeconds: FULL_RETRY_SECONDS },
  );
}

function away(): HttpError {
  return new HttpError(
    503,
    "database_unavailable",
    "The database cannot be reached right now. Try again in a moment.",
    { retryAfterSeconds: AWAY_RETRY_SECONDS },
  );
}
