// When a step cannot be applied: find the event and the row key at fault, set that key aside, go on with the rest.
import type { Sql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import type { Feed } from "#ledger/projection/step.ts";
import { stepTogether } from "#ledger/projection/step.ts";

/** A row key that is set aside, and why. */
export type QuarantinedKey = {
  readonly projection: string;
  readonly generation: number;
  readonly key: string;
  readonly atPosition: number;
  readonly error: string;
};

/** Every quarantined key, in a stable order; at most 1,000. */
export async function readQuarantine(sql: Sql): Promise<QuarantinedKey[]> {
  return sql<QuarantinedKey[]>`
    select projection, generation, key, at_position as "atPosition", error from read.quarantine
    order by projection, generation, key limit 1000`;
}

const probe = Symbol("probe");

/**
 * What the step fails with on (position, through], or undefined when it could be applied; nothing is kept either
 * way. Throws when the server is in trouble, which says nothing about the events.
 */
async function wouldApply(sql: Sql, feed: Feed, through: number): Promise<unknown> {
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
    if (isServerTrouble(error)) {
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

/** The first position in (position, through] whose step fails, found by halving. */
async function firstFailing(sql: Sql, feed: Feed, through: number): Promise<number> {
  let good = feed.generation.position;
  let bad = through;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if ((await wouldApply(sql, feed, middle)) === undefined) {
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
    if ((await wouldApply(sql, without, position)) === undefined) {
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
export async function quarantineFirstFailure(
  sql: Sql,
  feed: Feed,
  through: number,
): Promise<{ reached: number; keys: readonly string[] }> {
  const failing = await firstFailing(sql, feed, through);
  const before = failing - 1;
  if (before > feed.generation.position) {
    await stepTogether(sql, [feed], before);
  }
  const atFailure: Feed = { ...feed, generation: { ...feed.generation, position: before } };
  const error = await wouldApply(sql, atFailure, failing);
  if (error === undefined) {
    return { reached: before, keys: [] };
  }
  const keys = await keysAtFault(sql, atFailure, failing);
  const without = { ...atFailure, quarantined: [...feed.quarantined, ...keys] };
  if (keys.length === 0 || (await wouldApply(sql, without, failing)) !== undefined) {
    throw error;
  }
  await sql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select ${feed.projection.name}, ${feed.generation.generation}, k, ${failing}, ${error instanceof Error ? error.message : "unknown"}
    from unnest(${textArray(keys)}::text[]) as k
    on conflict (projection, generation, key) do nothing`;
  return { reached: before, keys };
}

/** Folds quarantined keys anew from the whole log up to the checkpoint and lets them go. */
export async function refoldKeys(
  sql: Sql,
  projection: Projection,
  generation: Generation,
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
