// One step: read tables, quarantine filter and checkpoints move together in one transaction, or not at all.
import type { Sql, TransactionSql } from "postgres";
import { passCrashPoint } from "#ledger/crash-point.ts";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { renderStep } from "#ledger/projection/render.ts";

/** A generation to feed, with its definition and the row keys that are quarantined in it. */
export type Feed = {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly quarantined: readonly string[];
};

/** True when another worker moved the checkpoint meanwhile: nothing was written, look again. */
export function isOvertaken(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "LG001";
}

function stepStatements(
  transaction: TransactionSql,
  feed: Feed,
  through: number,
): Promise<unknown>[] {
  const { projection, generation, quarantined } = feed;
  const filter = quarantined.length === 0 ? "all" : "except";
  return renderStep(projection, generation.generation, filter).map((statement) => {
    const parameters = [String(generation.position), String(through)];
    return transaction
      .unsafe(
        statement,
        quarantined.length === 0 ? parameters : [...parameters, textArray(quarantined)],
        { prepare: true },
      )
      .execute();
  });
}

function checkpointsOf(feeds: readonly Feed[]): [names: string, generations: string] {
  return [
    textArray(feeds.map(({ generation }) => generation.name)),
    numberArray(feeds.map(({ generation }) => generation.generation)),
  ];
}

/** Locks all checkpoints, one after the other in the feeds' order, and finds them where the feeds believe them. */
function takeCheckpoints(transaction: TransactionSql, feeds: readonly Feed[]): Promise<unknown> {
  const positions = numberArray(feeds.map(({ generation }) => generation.position));
  return transaction
    .unsafe(
      `select read.take_checkpoint(name, generation, position)
       from unnest($1::text[], $2::integer[], $3::bigint[]) as feed (name, generation, position)`,
      [...checkpointsOf(feeds), positions],
      { prepare: true },
    )
    .execute();
}

function moveCheckpoints(
  transaction: TransactionSql,
  feeds: readonly Feed[],
  through: number,
): Promise<unknown> {
  return transaction
    .unsafe(
      `update read.projections p set position = $3::bigint
       from unnest($1::text[], $2::integer[]) as feed (name, generation)
       where p.name = feed.name and p.generation = feed.generation`,
      [...checkpointsOf(feeds), through],
      { prepare: true },
    )
    .execute();
}

/**
 * Whether a step waits for the disk. A read table can always be folded again, and its checkpoint is lost together
 * with it, so `off` is enough; but a commit that does not wait reaches a standby up to 0.6 s later, and `local`
 * ones at once.
 */
export type StepCommit = "off" | "local";

/**
 * Applies the events in (position, through] to every feed; all stand at the same position. Statements are
 * pipelined. Throws when one of them fails, with nothing written.
 */
export async function stepTogether(
  sql: Sql,
  feeds: readonly Feed[],
  through: number,
  commit: StepCommit = "off",
): Promise<void> {
  await sql.begin(async (transaction) => {
    const statements: Promise<unknown>[] = [
      transaction
        .unsafe(`set local synchronous_commit = ${commit}`, [], { prepare: true })
        .execute(),
      takeCheckpoints(transaction, feeds),
    ];
    for (const feed of feeds) {
      statements.push(...stepStatements(transaction, feed, through));
    }
    await Promise.all(statements);
    passCrashPoint("projection:between-step-and-checkpoint");
    await moveCheckpoints(transaction, feeds, through);
  });
}
