// Live against replay: a projection is folded anew into tables of its own and compared row by row.
import type { Sql } from "postgres";
import { compareGenerations } from "#ledger/projection/compare.ts";
import type { Projection } from "#ledger/projection/define.ts";
import {
  createGeneration,
  dropGeneration,
  readGenerations,
} from "#ledger/projection/generation.ts";
import { fillGeneration, markReady } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** The earliest position that a differing row names, if its table keeps one. */
function positionOf(row: Record<string, unknown>): number {
  for (const [name, value] of Object.entries(row)) {
    if (name.endsWith("position") && typeof value === "number") {
      return value;
    }
  }
  return 0;
}

/** Folds one projection anew beside the live tables, compares, and drops what it made. */
export async function checkReplay(
  sql: Sql,
  projection: Projection,
  onProgress?: (what: string, done: number, of: number) => void,
): Promise<Problem[]> {
  const live = (await readGenerations(sql)).find(
    (entry) => entry.name === projection.name && entry.state === "live",
  );
  if (live === undefined || live.version !== projection.version) {
    return [
      {
        check: "projection",
        position: 0,
        message: `${projection.name} has no live tables of version ${projection.version}`,
      },
    ];
  }
  const made = await createGeneration(sql, projection);
  try {
    const filled = await fillGeneration(sql, projection, made, {
      onProgress: (position, head) => onProgress?.(`replay of ${projection.name}`, position, head),
    });
    await markReady(sql, filled);
    await createRunner({ sql, projections: [projection] }).catchUp();
    const differences = await compareGenerations(sql, projection, live, made.generation);
    return differences.map(({ table, rows, samples }) => ({
      check: "projection" as const,
      position: Math.min(...samples.map((sample) => positionOf(sample.row))),
      message: `${table}: ${rows} rows differ between live and replay, first ${JSON.stringify(samples[0])}`,
    }));
  } finally {
    await dropGeneration(sql, projection, made.generation);
  }
}
