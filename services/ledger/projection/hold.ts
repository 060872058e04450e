// Allows one rebuild or replay of a projection at a time across all processes; the second one waits.
import { setTimeout as delay } from "node:timers/promises";
import type { ReservedSql, Sql } from "postgres";

export type HoldOptions = {
  /** Called once when another process holds the projection. */
  readonly onWaiting?: (projection: string) => void;
  /** When aborted, stops waiting and throws the signal's reason. */
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

async function release(connection: ReservedSql, name: string): Promise<void> {
  // If the connection was lost, the lock is released already, and the body has reported the failure.
  await connection`select pg_advisory_unlock(4713, hashtext(${name}))`.catch(() => undefined);
}

/** Runs `body` if nobody rebuilds or replays the projection at the moment. Returns false if somebody does. */
export async function holdIfFree(
  sql: Sql,
  name: string,
  body: () => Promise<void>,
): Promise<boolean> {
  const connection = await sql.reserve();
  try {
    const [row] = await connection<{ held: boolean }[]>`
      select pg_try_advisory_lock(4713, hashtext(${name})) as held`;
    if (row?.held !== true) {
      return false;
    }
    try {
      await body();
      return true;
    } finally {
      await release(connection, name);
    }
  } finally {
    connection.release();
  }
}

/** Runs `body` while nobody else rebuilds or replays the projection. Uses its own connection from the pool. */
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
      await release(connection, name);
    }
  } finally {
    connection.release();
  }
}
