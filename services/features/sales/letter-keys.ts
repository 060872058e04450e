// One letter per Idempotency-Key: a repeated request sends nothing, as long as the key is known.
import { idempotencyKey } from "#http/command.ts";
import { HttpError } from "#http/errors.ts";
import type { RateLimits } from "#http/rate-limit.ts";

/** How long a key is known. */
const ONE_A_DAY = { attempts: 1, perSeconds: 86_400 };

type KeyedLetter = {
  readonly uid: string;
  /** The request's header; without one every request is new. */
  readonly key: string | undefined;
  /** What is sent to whom. */
  readonly letter: string;
};

export type LetterKeys = (
  letter: KeyedLetter,
  send: () => Promise<void>,
) => Promise<"sent" | "repeated" | "under-way">;

/**
 * `repeated`: this letter was sent under this key. `under-way`: it is being sent, or the key was another letter's. A
 * letter that fails gives its key back. Keys, addresses and receipts are kept as hashes.
 */
export function createLetterKeys(limits: RateLimits): LetterKeys {
  const begun = limits("receipts-key-begun", ONE_A_DAY);
  const sent = limits("receipts-key-sent", ONE_A_DAY);
  return async ({ uid, key, letter }, send) => {
    const own = `${uid} ${idempotencyKey(key)}`;
    try {
      await begun.consume(own);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 429) {
        throw error;
      }
      return (await sent.isCounted(`${own} ${letter}`)) ? "repeated" : "under-way";
    }
    try {
      await send();
    } catch (error) {
      await begun.forget(own);
      throw error;
    }
    await sent.mark(`${own} ${letter}`);
    return "sent";
  };
}
