// One rebuild or replay of a projection at a time, in however many processes: who comes second waits.
import { setTimeout as delay } from "node:timers/promises";
import type { ReservedSql, Sql } from "postgres";

export type HoldOptions = {
  /** Told once when somebody else holds the projection. */
  readonly onWaiting?: (projection: string) => void;
  /** Aborted: waits no longer and throws the signal's reason. */
  readonly signal?: AbortSignal;
};

const LOOK_AGAIN_MS = 200;

async function take(connection: ReservedSql, name: string, options: HoldOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const [row] = await connection<{ held: boolean }[]>`
      select pg_try_advisory_lock(4713, hashtext(${name})) as held`;
    if (row?.held === true) {
      return;
    }
    if (tries === 1) {
      options.onWaiting?.(name);
    }
    await delay(LOOK_AGAIN_MS);
    options.signal?.throwIfAborted();
  }
}

/** Runs `body` while nobody else rebuilds or replays the projection. Takes a connection of its own from the pool. */
export async function holdProjection<Result>(
  sql: Sql,
  name: string,
  options: HoldOptions,
  body: () => Promise<Result>,
): Promise<Result> {
  const connection = await sql.reserve();
  try {
    await take(connection, name, options);
    try {
      return await body();
    } finally {
      // A connection that was lost meanwhile gave the lock back itself; the body has said what happened.
      await connection`select pg_advisory_unlock(4713, hashtext(${name}))`.catch(() => undefined);
    }
  } finally {
    connection.release();
  }
}
