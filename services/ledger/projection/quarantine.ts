// When a step cannot be applied: finds the event and row key that cause it, holds that key back, and goes on with the rest.
import type { Sql } from "postgres";
import { undoneAfter } from "#db/undone.ts";
import { textArray } from "#ledger/log/encode.ts";
import { isNoFaultOfData } from "#ledger/log/failure.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import type { Feed, Goal } from "#ledger/projection/step.ts";
import {
  isOvertaken,
  keysAt,
  readingOf,
  stepStatements,
  stepTogether,
} from "#ledger/projection/step.ts";

/** A key that was just held back. */
export type HeldNews = {
  readonly projection: string;
  readonly generation: number;
  readonly state: Generation["state"];
  readonly keys: readonly string[];
  readonly atPosition: number;
  readonly error: string;
};

/** The range after a failure; it grows again while nothing fails. */
const SMALL_STEP = 64;

/**
 * The step's error on (position, through], or undefined if it could be applied; rolled back either way. Throws errors
 * that do not come from the events.
 */
async function failureOf(sql: Sql, feed: Feed, { through, older }: Goal): Promise<unknown> {
  try {
    const reading = await readingOf(sql, feed, through, older);
    await undoneAfter(sql, async (transaction) => {
      await Promise.all(stepStatements(transaction, feed, through, reading));
    });
  } catch (error) {
    if (isNoFaultOfData(error)) {
      throw error;
    }
    return error;
  }
  return undefined;
}

/** The first position in (position, through] whose step fails: tries growing ranges, then halves the one that fails. */
async function firstFailing(
  sql: Sql,
  feed: Feed,
  { through, older, commit }: Goal,
): Promise<number> {
  const fails = async (end: number) =>
    (await failureOf(sql, feed, { through: end, older, commit })) !== undefined;
  let good = feed.generation.position;
  let bad = through;
  for (let size = SMALL_STEP; good + size < through; size *= 4) {
    const end = feed.generation.position + size;
    if (await fails(end)) {
      bad = end;
      break;
    }
    good = end;
  }
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await fails(middle)) {
      bad = middle;
    } else {
      good = middle;
    }
  }
  return bad;
}

/** The smallest set of the event's keys, tried one at a time, without which it applies. */
async function keysAtFault(sql: Sql, feed: Feed, goal: Goal): Promise<string[]> {
  const keys = await keysAt(sql, feed.projection, goal.through);
  for (const key of keys) {
    const without = { ...feed, quarantined: [...feed.quarantined, key] };
    if ((await failureOf(sql, without, goal)) === undefined) {
      return [key];
    }
  }
  return keys;
}

/**
 * Brings one feed past the first event that it cannot apply: everything before it is applied, and the key that causes
 * the failure is written to `read.quarantine`. Returns the position reached. Throws the step's own error if no set of
 * keys explains it, for example when the server is gone.
 */
async function holdFirstFailure(
  sql: Sql,
  feed: Feed,
  { through, older, commit }: Goal,
): Promise<{ reached: number; news: HeldNews | undefined }> {
  const failing = await firstFailing(sql, feed, { through, older, commit });
  const atFault: Goal = { through: failing, older, commit };
  const before = failing - 1;
  if (before > feed.generation.position) {
    await stepTogether(sql, [feed], { through: before, older, commit });
  }
  const atFailure: Feed = { ...feed, generation: { ...feed.generation, position: before } };
  const error = await failureOf(sql, atFailure, atFault);
  if (error === undefined) {
    return { reached: before, news: undefined };
  }
  const keys = await keysAtFault(sql, atFailure, atFault);
  const without = { ...atFailure, quarantined: [...feed.quarantined, ...keys] };
  if (keys.length === 0 || (await failureOf(sql, without, atFault)) !== undefined) {
    throw error;
  }
  const { name, generation, state } = feed.generation;
  const message = error instanceof Error ? error.message : "unknown";
  await sql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select ${name}, ${generation}, k, ${failing}, ${message}
    from unnest(${textArray(keys)}::text[]) as k
    on conflict (projection, generation, key) do nothing`;
  return {
    reached: before,
    news: { projection: name, generation, state, keys, atPosition: failing, error: message },
  };
}

/**
 * Applies (position, through] to one feed and holds back every key that fails. The ranges shrink after a failure, so
 * that each failing event does not cost a whole range of work. Throws errors that no key causes, and when another
 * process moved the checkpoint.
 */
export async function stepPastFailures(
  sql: Sql,
  start: Feed,
  goal: Goal,
  onHeld?: (news: HeldNews) => void,
): Promise<void> {
  const { through } = goal;
  let feed = start;
  let size = through - start.generation.position;
  while (feed.generation.position < through) {
    const end = Math.min(through, feed.generation.position + size);
    try {
      await stepTogether(sql, [feed], { ...goal, through: end });
      feed = { ...feed, generation: { ...feed.generation, position: end } };
      size *= 4;
    } catch (error) {
      if (isOvertaken(error) || isNoFaultOfData(error)) {
        throw error;
      }
      const { reached, news } = await holdFirstFailure(sql, feed, { ...goal, through: end });
      if (news !== undefined) {
        onHeld?.(news);
      } else if (reached === feed.generation.position) {
        // It failed once and then succeeded, so no key caused it.
        throw error;
      }
      feed = {
        ...feed,
        generation: { ...feed.generation, position: reached },
        quarantined: [...feed.quarantined, ...(news?.keys ?? [])],
      };
      size = SMALL_STEP;
    }
  }
}
