// How fast a rebuild may go while the shop is open: its chunks shrink and its pauses grow as the shown tables fall behind.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";

/** Decides the size of each chunk of a rebuild, and the pause after it. */
export type Pace = {
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
export const fullPace: Pace = { chunk: () => LARGEST, rest: () => Promise.resolve() };

const FIRST = 2_000;
const SMALLEST = 250;
/** A chunk that takes longer than this delays the steps of the shown tables. */
const LONGEST_CHUNK_MS = 25;
/** With a lag below this, the rebuild may go faster; above the second one, it gives way. */
const CALM_LAG_MS = 60;
const HIGH_LAG_MS = 100;
/** Of the time of a chunk: at least so much rest follows while events are written. */
const LEAST_REST = 0.5;
const MOST_REST = 8;
const LONGEST_REST_MS = 1_000;

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
};

/** The next speed: slower while the shown tables are behind, but always twice as fast as events are written. */
export function nextSpeed({ size, share }: Speed, { events, ms, lagMs, written }: Chunk): Speed {
  // What fits into the longest chunk, at the speed of this one.
  const fitting = (events * LONGEST_CHUNK_MS) / Math.max(1, ms);
  const isHigh = lagMs > HIGH_LAG_MS;
  const gentle = Math.min(isHigh ? size / 2 : size * 1.5, fitting);
  return {
    // Otherwise it would never end.
    size: Math.min(LARGEST, Math.max(SMALLEST, gentle, 2 * written)),
    share: isHigh
      ? Math.min(MOST_REST, share * 2)
      : lagMs < CALM_LAG_MS
        ? Math.max(LEAST_REST, share * 0.8)
        : share,
  };
}

/** Gives way to live work. While nothing is written, it goes as fast as the machine can. */
export function gentlePace(): Pace {
  let speed = FIRST_SPEED;
  let lastHead: number | undefined;
  return {
    chunk: () => Math.round(speed.size),
    async rest(sql, { events, ms }) {
      const { head, lag_ms: lagMs } = await readLive(sql);
      const isQuiet = head === lastHead && lagMs < CALM_LAG_MS;
      const written = head - (lastHead ?? head);
      lastHead = head;
      if (isQuiet) {
        speed = { size: Math.min(LARGEST, speed.size * 4), share: LEAST_REST };
        return;
      }
      speed = nextSpeed(speed, { events, ms, lagMs, written });
      await delay(Math.min(LONGEST_REST_MS, ms * speed.share));
    },
  };
}
