// The clock that pg-boss waits by: it goes on evenly, whatever happens to the machine's.
import { systemClock } from "pg-boss";
import type { Clock } from "pg-boss";

/**
 * Milliseconds since 1970 as the machine had them when this process began, plus those that went by since. With the
 * machine's own clock, pg-boss waited for a moment that lay forty days ahead once that had been set back, and where that
 * was more than Node's timers can wait for, it did not wait at all and filled the log. What is due it judges by the
 * database's clock, whose difference to this one it reads once a minute.
 */
export const steadyClock: Clock = {
  ...systemClock,
  now: () => performance.timeOrigin + performance.now(),
};
