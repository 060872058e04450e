// What tests do with a standby: pause its replay, hold a read on it, and lock the table that is being read.
import { expect, vi } from "vitest";
import type { StandbyPair } from "#testing/standby/standby-pair.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";

/** A timeout for things that happen at once unless the machine is busy. */
export const SOON_MS = 10_000;

/** Asks the standby directly, without the service. */
export async function standbyPosition({ standby }: StandbyPair): Promise<number> {
  const [row] = await standby<{ position: number }[]>`
    select position from read.projections where name = ${jarBook.name} and state = 'live'`;
  return row?.position ?? 0;
}

export async function pauseReplay({ standby }: StandbyPair): Promise<void> {
  await standby`select pg_wal_replay_pause()`;
  await vi.waitFor(async () => {
    const [row] = await standby`select pg_get_wal_replay_pause_state() as state`;
    expect(row).toEqual({ state: "paused" });
  }, SOON_MS);
}

export async function resumeReplay({ standby }: StandbyPair): Promise<void> {
  await standby`select pg_wal_replay_resume()`;
}

/** Resolves once a read of `standbyRoutes` is held on the standby. */
export async function heldRead({ standby }: StandbyPair): Promise<void> {
  await vi.waitFor(async () => {
    const sleeping = await standby`select from pg_stat_activity where wait_event = 'PgSleep'`;
    expect(sleeping).toHaveLength(1);
  }, SOON_MS);
}

/** Ends reads that nobody waits for anymore: replay may have to wait for them. */
export async function endHeldReads({ standby }: StandbyPair): Promise<void> {
  await standby`
    select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`;
}

/** Waits until a read is held on the standby, and then locks its table on the primary, which cancels the read. */
export async function cancelHeldRead(pair: StandbyPair): Promise<void> {
  await heldRead(pair);
  await pair.database.ownerSql.begin(async (transaction) => {
    const [row] = await transaction<{ name: string }[]>`
      select relname as name from pg_class where relname ~ '^jar_sums_g\\d+$' and relkind = 'r'`;
    await transaction.unsafe(`lock table read.${row?.name} in access exclusive mode`);
  });
}

/** The first event of a live stream that is opened now. */
export async function liveProgress({ live }: TestApp, uid: string): Promise<unknown> {
  let first: string | undefined;
  await live.listen({
    uid,
    endsAt: new Date("2030-01-01"),
    mayStay: () => Promise.resolve(true),
    send: (progress) => {
      first ??= progress;
      return Promise.resolve();
    },
    isGone: () => first !== undefined,
    onGone: () => undefined,
  });
  return JSON.parse(first ?? "null") as unknown;
}
