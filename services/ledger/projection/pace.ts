// How fast a rebuild may go while the shop is open: its chunks shrink and its pauses grow as the shown tables fall behind.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { LITTLE_STEP } from "#ledger/projection/round.ts";

/** Decides the size of each chunk of a rebuild, and the pause after it. */
export type Pace = {
  /**
   * Whether commands are going on. If so, a rebuild makes its indexes before it fills: an index on a full table is one long
   * statement, which cannot give way.
   */
  readonly isBusy: (sql: Sql) => Promise<boolean>;
  /** Events in the next chunk. */
  readonly chunk: () => number;
  /** Called after each chunk with what it took. Resolves when the next one may begin. */
  readonly rest: (
    sql: Sql,
    took: { readonly events: number; readonly ms: number },
  ) => Promise<void>;
};

/** Each chunk is one short transaction; larger ones gain nothing. */
const LARGEST = 250_000;

/** As fast as the machine can: for a store that nobody uses at the moment. */
export const fullPace: Pace = {
  isBusy: () => Promise.resolve(false),
  chunk: () => LARGEST,
  rest: () => Promise.resolve(),
};

const FIRST = 1_000;
const SMALLEST = 250;
/** A chunk that takes longer than this delays the steps of the shown tables. */
const LONGEST_CHUNK_MS = 25;
/**
 * The most events in a chunk while events are written. As long as a chunk runs, PostgreSQL keeps all old versions of the
 * rows that each step updates: chunks of 4 s made steps four times as slow, and that made chunks longer.
 */
const LARGEST_BESIDE_WRITES = LITTLE_STEP;
/** While nothing is written, since somebody may begin at any time, and where it would never end with less. */
const LARGEST_GENTLE = 20_000;
/** With a lag below this, the rebuild may go faster; above the second one, it gives way. */
const CALM_LAG_MS = 25;
const HIGH_LAG_MS = 45;
/**
 * Of the time of a chunk: at least this much rest follows while events are written. With half of the chunk's time, at
 * half of the maximum rate, sales were seen 102 to 169 ms late (p99) while tables were filled, and with twice of it 59 to 97.
 */
const LEAST_REST = 2;
const MOST_REST = 8;
const LONGEST_REST_MS = 1_000;
/** With less, a late rebuild needs larger chunks. */
const NO_REST = 0.05;
/** Even a busy shop writes nothing for some milliseconds. */
const QUIET_AFTER_MS = 100;
/** For so long, a rebuild gives way to shown tables that are behind, even if it gets no further. */
const PATIENCE_MS = 600_000;

/** A shop is busy if something was recorded in the last minute. */
async function wasJustUsed(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isBusy: boolean }[]>`
    select coalesce((select e.recorded_at > clock_timestamp() - interval '1 minute' from log.events e
      where e.position = (select max(position) from log.events)), false) as "isBusy"`;
  return row?.isBusy === true;
}

type Live = { readonly head: number; readonly lag_ms: number };

/** The log's head, and the age of the first event that a shown table lacks. */
async function readLive(sql: Sql): Promise<Live> {
  const [row] = await sql<Live[]>`
    select (select coalesce(max(position), 0) from log.events) as head,
      coalesce((select extract(epoch from clock_timestamp() - e.recorded_at) * 1000 from log.events e
        where e.position = (select min(p.position) + 1 from read.projections p where p.state = 'live')),
        0)::float8 as lag_ms`;
  return row ?? { head: 0, lag_ms: 0 };
}

/** Events in the next chunk, and the rest after it as a share of its time. */
export type Speed = { readonly size: number; readonly share: number };

export const FIRST_SPEED: Speed = { size: FIRST, share: LEAST_REST };

/** What a chunk took, how far the shown tables were behind after it, and what was written meanwhile. */
export type Chunk = {
  readonly events: number;
  readonly ms: number;
  readonly lagMs: number;
  readonly written: number;
  /** For how long the shown tables have been behind. */
  readonly behindForMs: number;
};

/**
 * The next speed: slower while the shown tables are behind, and otherwise twice as fast as events are written, first by
 * resting less, and if that is not enough by larger chunks. Tables that stay behind do not keep it from ending.
 */
export function nextSpeed({ size, share }: Speed, chunk: Chunk): Speed {
  const { events, ms, lagMs, written, behindForMs } = chunk;
  const isHigh = lagMs > HIGH_LAG_MS;
  const givesWay = isHigh && behindForMs <= PATIENCE_MS;
  if (!givesWay && events < 2 * written) {
    const largest = share < NO_REST ? LARGEST_GENTLE : LARGEST_BESIDE_WRITES;
    return { size: Math.min(largest, size * 1.5), share: share / 2 };
  }
  if (!givesWay && events < 3 * written) {
    return { size, share };
  }
  // What fits into the longest chunk, at the speed of this one.
  const fitting = (events * LONGEST_CHUNK_MS) / Math.max(1, ms);
  const gentle = Math.min(isHigh ? size / 2 : size * 1.5, fitting);
  return {
    size: Math.min(LARGEST_BESIDE_WRITES, Math.max(SMALLEST, gentle)),
    share: restShare(share, lagMs),
  };
}

function restShare(share: number, lagMs: number): number {
  if (lagMs > HIGH_LAG_MS || share < LEAST_REST) {
    return Math.min(MOST_REST, Math.max(NO_REST, share) * 2);
  }
  return lagMs < CALM_LAG_MS ? Math.max(LEAST_REST, share * 0.8) : share;
}

/** Gives way to live work. While nothing is written, it goes as fast as the machine can. */
export function gentlePace(nowMs: () => number = () => performance.now()): Pace {
  let speed = FIRST_SPEED;
  let lastHead: number | undefined;
  let writtenAt = -Infinity;
  let behindSince: number | undefined;
  return {
    isBusy: wasJustUsed,
    chunk: () => Math.round(speed.size),
    async rest(sql, { events, ms }) {
      const { head, lag_ms: lagMs } = await readLive(sql);
      const now = nowMs();
      const written = head - (lastHead ?? head);
      if (head !== lastHead) {
        writtenAt = now;
      }
      lastHead = head;
      const isQuiet = now - writtenAt >= QUIET_AFTER_MS && lagMs < CALM_LAG_MS;
      behindSince = lagMs > HIGH_LAG_MS ? (behindSince ?? now) : undefined;
      if (isQuiet) {
        speed = { size: Math.min(LARGEST_GENTLE, speed.size * 4), share: LEAST_REST };
        return;
      }
      speed = nextSpeed(speed, {
        events,
        ms,
        lagMs,
        written,
        behindForMs: now - (behindSince ?? now),
      });
      await delay(Math.min(LONGEST_REST_MS, ms * speed.share));
    },
  };
}
