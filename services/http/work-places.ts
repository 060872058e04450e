// Limits how many jobs of the work thread one person may have at once, and how many there may be in total.
import { HttpError } from "#http/errors.ts";

export type WorkPlaces = {
  /** Throws HttpError 429 or 503 with Retry-After if there is no place. */
  readonly take: (person: string, most: number) => { readonly leave: () => void };
};

/** One job runs and nine wait: at about three seconds each, nobody waits for more than half a minute. */
const MAX_PLACES = 10;
/**
 * Reserved for people who may have more than one at once, so that other accounts cannot take every place from admins.
 */
const KEPT_PLACES = 3;
const RETRY_AFTER_SECONDS = 10;

export function createWorkPlaces(): WorkPlaces {
  const places = new Map<string, number>();
  return {
    take(person, most) {
      const own = places.get(person) ?? 0;
      if (own >= most) {
        throw busy(
          429,
          "work_underway",
          "Your last file is still being made. Wait for it, then try again",
        );
      }
      const all = [...places.values()].reduce((sum, count) => sum + count, 0);
      if (all >= (most > 1 ? MAX_PLACES : MAX_PLACES - KEPT_PLACES)) {
        throw busy(
          503,
          "work_waiting",
          "Many files are being made right now. Try again in a moment",
        );
      }
      places.set(person, own + 1);
      let isLeft = false;
      return {
        leave() {
          const left = (places.get(person) ?? 0) - (isLeft ? 0 : 1);
          isLeft = true;
          if (left > 0) {
            places.set(person, left);
          } else {
            places.delete(person);
          }
        },
      };
    },
  };
}

function busy(status: 429 | 503, code: string, message: string): HttpError {
  return new HttpError(status, code, message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
