// Keeps for an hour how far the shown tables were behind, four times a minute, whichever worker takes the sample.
import type { Sql } from "postgres";
import { readHead } from "#ledger/log/read.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { lagSeconds, readLags } from "#ledger/projection/lag.ts";

export type LagSample = {
  readonly takenAt: Date;
  readonly head: number;
  readonly shown: Readonly<Record<string, { readonly position: number; readonly seconds: number }>>;
};

export const SAMPLE_EVERY_MS = 15_000;

/** Writes the sample of this quarter of a minute, unless another worker did, and deletes those older than an hour. */
export async function takeLagSample(sql: Sql): Promise<void> {
  const live = (await readGenerations(sql)).filter(({ state }) => state === "live");
  const { position: head } = await readHead(sql);
  const lags = await readLags(
    sql,
    live.map(({ position }) => position),
  );
  const shown = Object.fromEntries(
    live.map(({ name, position }) => [name, { position, seconds: lagSeconds(lags, position) }]),
  );
  await sql`
    with gone as (delete from read.lag_samples where taken_at < now() - interval '1 hour')
    insert into read.lag_samples (taken_at, head, shown)
    values (date_bin(${`${SAMPLE_EVERY_MS} ms`}::interval, now(), '2026-01-01'), ${head},
      ${JSON.stringify(shown)}::text::jsonb)
    on conflict do nothing`;
}

/** The last hour's, oldest first. */
export async function readLagSamples(sql: Sql): Promise<LagSample[]> {
  return sql<LagSample[]>`
    select taken_at as "takenAt", head, shown from read.lag_samples
    where taken_at >= now() - interval '1 hour' order by taken_at limit 300`;
}
