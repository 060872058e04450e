// The most sales a second that a store can go on taking: each counts once it is in every read table.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "#db/connect.ts";
import { runCallers } from "./load.ts";
import type { Sell } from "./sell.ts";
import type { ShopItem } from "./shop.ts";

/** Sales that are sent and not yet in every read table. With more, the tables only fall further behind. */
const UNDER_WAY = 1_000;
const LOOK_EVERY_MS = 2;

/**
 * Sales a second, over `seconds`. Each caller sends its next sale when its last one is in every read table, so the
 * tables keep up: without that, they would catch up afterwards in steps so large that nobody would see a sale for seconds.
 */
export async function maximumRate(
  sell: Sell,
  items: readonly ShopItem[],
  sql: Sql,
  seconds: number,
): Promise<number> {
  const tables = watchTables(sql);
  let sent = 0;
  const load = { callers: UNDER_WAY, seconds, server: { cpuMs: () => 0 } };
  try {
    const { perSecond } = await runCallers(load, async () => {
      const item = items[(sent * 7919) % items.length];
      sent += 1;
      if (item === undefined) {
        throw new Error("There are no items to sell");
      }
      await tables.reach(await sell(item));
    });
    return perSecond;
  } finally {
    await tables.end();
  }
}

type Waiting = {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
};

/** One reader for all callers. */
function watchTables(sql: Sql): {
  readonly reach: (position: number) => Promise<void>;
  readonly end: () => Promise<void>;
} {
  let waiting: Waiting[] = [];
  const ending = new AbortController();
  const look = async () => {
    const [row] = await sql<{ reached: number }[]>`
      select min(position) as reached from read.projections where state = 'live'`;
    const reached = row?.reached ?? 0;
    const isSeen = ({ position }: Waiting) => position <= reached;
    const seen = waiting.filter(isSeen);
    waiting = waiting.filter((one) => !isSeen(one));
    seen.forEach(({ resolve }) => resolve());
  };
  const running = (async () => {
    try {
      while (!ending.signal.aborted) {
        await look();
        await delay(LOOK_EVERY_MS);
      }
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error));
      throw error;
    }
  })();
  // Callers get the error too; `end` throws it.
  running.catch(() => undefined);
  return {
    reach(position) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ position, resolve, reject });
      return promise;
    },
    async end() {
      ending.abort();
      await running;
    },
  };
}
