// Where a request's reads go while it runs: to the chosen source, and to the primary once that fails.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "#db/connect.ts";
import type { RunRead } from "#db/reads.ts";
import type { Standby } from "#db/standby.ts";
import { type ReadSource, type RepeatReason, whyRepeat } from "#http/read-source.ts";

/** Where a request's reads went: to the standby, or why to the primary. */
export type ReadOutcome = "standby" | "away" | "behind" | "late" | RepeatReason;

/** Connections to the primary for reads that give way to others. */
export type Gentle = { readonly sql: Sql; readonly giveWay: () => Promise<void> };

/** Where the reads of one request go; it can change from the standby to the primary, but not back. */
type Place = { source: ReadSource };

const places = new AsyncLocalStorage<Place>();

/** For people who read a lot: connections whose statements give way to everybody else's. */
const gently = new AsyncLocalStorage<true>();

/** Reads in `work` give way to other people's, if the server allows it. */
export function readGently<Result>(work: () => Result): Result {
  return gently.run(true, work);
}

/** Sends the reads of `work` to `source`. Without this they go to the primary. */
export function readFrom<Result>(source: ReadSource, work: () => Result): Result {
  return source === "primary" ? work() : places.run({ source }, work);
}

/** For code that still reads after its route has returned, such as a file that is sent in pieces. */
export function keepReadSource(): <Result>(work: () => Result) => Result {
  return AsyncLocalStorage.snapshot();
}

/**
 * A statement that recovery cancels on the standby, or that finds it lost, is repeated once on the primary, and the
 * rest of its request stays there. Lists and files are read by single statements, so this also works for the later
 * pieces of a file.
 */
export function createRunRead(
  primary: Sql,
  standby: Standby | null,
  count: (outcome: ReadOutcome) => void,
  gentle: Gentle,
): RunRead {
  const onPool: RunRead = async (work) => {
    if (gently.getStore() !== true) {
      return work(primary);
    }
    await gentle.giveWay();
    return work(gentle.sql);
  };
  return async (work) => {
    const place = places.getStore();
    if (standby === null || place?.source !== "standby") {
      return onPool(work);
    }
    const onPrimary = (reason: RepeatReason) => {
      // Another statement of the request may have switched already.
      if (place.source === "standby") {
        place.source = "primary";
        count(reason);
      }
      return onPool(work);
    };
    const pool = standby.pool();
    if (pool === null) {
      return onPrimary("lost");
    }
    try {
      return await work(pool);
    } catch (error) {
      const reason = whyRepeat(error);
      if (reason === undefined) {
        throw error;
      }
      if (reason === "lost") {
        standby.noteLost(error);
      }
      return onPrimary(reason);
    }
  };
}
