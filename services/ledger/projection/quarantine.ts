// When a step cannot be applied: find the event and the row key at fault, hold that key back, go on with the rest.
import type { Sql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import { isNoFaultOfData } from "#ledger/log/failure.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import type { Feed, StepCommit } from "#ledger/projection/step.ts";
import { isOvertaken, stepTogether } from "#ledger/projection/step.ts";

/** What was held back just now. */
export type HeldNews = {
  readonly projection: string;
  readonly generation: number;
  readonly state: Generation["state"];
  readonly keys: readonly string[];
  readonly atPosition: number;
  readonly error: string;
};

const probe = Symbol("probe");

/** The range after a failure; it grows again while all goes well. */
const SMALL_STEP = 64;

/**
 * What the step fails with on (position, through], or undefined when it could be applied; nothing is kept either
 * way. Throws what says nothing about the events.
 */
async function failureOf(sql: Sql, feed: Feed, through: number): Promise<unknown> {
  const { projection, generation, quarantined } = feed;
  const filter = quarantined.length === 0 ? "all" : "except";
  try {
    await sql.begin(async (transaction) => {
      const parameters = [String(generation.position), String(through)];
      for (const statement of renderStep(projection, generation.generation, filter)) {
        await transaction.unsafe(
          statement,
          quarantined.length === 0 ? parameters : [...parameters, textArray(quarantined)],
        );
      }
      throw probe;
    });
  } catch (error) {
    if (isNoFaultOfData(error)) {
      throw error;
    }
    return error === probe ? undefined : error;
  }
  return undefined;
}

async function keysAt(sql: Sql, projection: Projection, position: number): Promise<string[]> {
  const rows = await sql.unsafe<{ key: string }[]>(projection.keysTouched, [
    String(position - 1),
    String(position),
  ]);
  return rows.map((row) => row.key).sort();
}

/** The first position in (position, through] whose step fails: by growing ranges, then by halving the one that fails. */
async function firstFailing(sql: Sql, feed: Feed, through: number): Promise<number> {
  let good = feed.generation.position;
  let bad = through;
  for (let size = SMALL_STEP; good + size < through; size *= 4) {
    const end = feed.generation.position + size;
    if ((await failureOf(sql, feed, end)) !== undefined) {
      bad = end;
      break;
    }
    good = end;
  }
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if ((await failureOf(sql, feed, middle)) === undefined) {
      good = middle;
    } else {
      bad = middle;
    }
  }
  return bad;
}

/** The fewest keys of the event, tried one at a time, without which it applies. */
async function keysAtFault(sql: Sql, feed: Feed, position: number): Promise<string[]> {
  const keys = await keysAt(sql, feed.projection, position);
  for (const key of keys) {
    const without = { ...feed, quarantined: [...feed.quarantined, key] };
    if ((await failureOf(sql, without, position)) === undefined) {
      return [key];
    }
  }
  return keys;
}

/**
 * Brings one feed past the first event that it cannot apply: everything before it is applied, the key at
 * fault is written to `read.quarantine`. Returns the position reached. Throws the step's own error when no
 * set of keys explains it, for example when the server is gone.
 */
async function holdFirstFailure(
  sql: Sql,
  feed: Feed,
  through: number,
  commit: StepCommit,
): Promise<{ reached: number; news: HeldNews | undefined }> {
  const failing = await firstFailing(sql, feed, through);
  const before = failing - 1;
  if (before > feed.generation.position) {
    await stepTogether(sql, [feed], before, commit);
  }
  const atFailure: Feed = { ...feed, generation: { ...feed.generation, position: before } };
  const error = await failureOf(sql, atFailure, failing);
  if (error === undefined) {
    return { reached: before, news: undefined };
  }
  const keys = await keysAtFault(sql, atFailure, failing);
  const without = { ...atFailure, quarantined: [...feed.quarantined, ...keys] };
  if (keys.length === 0 || (await failureOf(sql, without, failing)) !== undefined) {
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
 * Applies (position, through] to one feed, holding back every key that stands in the way. The ranges get small
 * where something fails, so that many failing events cost their own work and not that of a whole range each.
 * Throws what is no key's fault, and when somebody else moved the checkpoint.
 */
export async function stepPastFailures(
  sql: Sql,
  start: Feed,
  through: number,
  onHeld?: (news: HeldNews) => void,
  commit: StepCommit = "off",
): Promise<void> {
  let feed = start;
  let size = through - start.generation.position;
  while (feed.generation.position < through) {
    const end = Math.min(through, feed.generation.position + size);
    try {
      await stepTogether(sql, [feed], end, commit);
      feed = { ...feed, generation: { ...feed.generation, position: end } };
      size *= 4;
    } catch (error) {
      if (isOvertaken(error) || isNoFaultOfData(error)) {
        throw error;
      }
      const { reached, news } = await holdFirstFailure(sql, feed, end, commit);
      if (news !== undefined) {
        onHeld?.(news);
      } else if (reached === feed.generation.position) {
        // It failed once and would not fail again: whatever that was, no key is to blame.
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

/**
 * Folds held keys anew from the whole log up to the checkpoint and lets them go. Throws the step's error with
 * nothing changed when they still cannot be folded.
 */
export async function refoldKeys(
  sql: Sql,
  projection: Projection,
  generation: Pick<Generation, "generation">,
  keys: readonly string[],
): Promise<void> {
  await sql.begin(async (transaction) => {
    const [row] = await transaction<{ position: number }[]>`
      select position from read.projections
      where name = ${projection.name} and generation = ${generation.generation} for update`;
    if (row === undefined) {
      throw new Error(`No generation ${generation.generation} of ${projection.name}`);
    }
    for (const statement of projection.forgetKeys) {
      await transaction.unsafe(renderSql(statement, generation.generation, "all"), [
        textArray(keys),
      ]);
    }
    for (const statement of renderStep(projection, generation.generation, "only")) {
      await transaction.unsafe(statement, ["0", String(row.position), textArray(keys)]);
    }
    await transaction`
      delete from read.quarantine
      where projection = ${projection.name} and generation = ${generation.generation}
        and key = any (${textArray(keys)}::text[])`;
  });
}
