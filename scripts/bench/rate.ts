// Sends sales at a fixed rate, and measures how soon after its commit each is in the read tables.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "#db/connect.ts";
import { percentile } from "./load.ts";
import type { Sell } from "./sell.ts";
import type { ShopItem } from "./shop.ts";

export type Seen = {
  /** From the acknowledged commit until an outside reader sees it, in milliseconds. */
  readonly visibleMs: readonly number[];
  /** When each was seen, by performance.now(), in the same order. */
  readonly seenAt: readonly number[];
  /** The same as the first, from when the command was due, even if it was sent later. */
  readonly dueToVisibleMs: readonly number[];
  readonly dueToAnsweredMs: readonly number[];
};

type Waiting = { readonly position: number; readonly dueAt: number; readonly answeredAt: number };

/** Looks at the checkpoints every `everyMs`, as a reader of its own. */
function watchTables(
  sql: Sql,
  everyMs: number,
  onSeen: (visibleMs: number) => void,
): {
  readonly expect: (waiting: Waiting) => void;
  readonly end: () => Promise<Omit<Seen, "dueToAnsweredMs">>;
} {
  let waiting: Waiting[] = [];
  const ending = new AbortController();
  const visibleMs: number[] = [];
  const seenAt: number[] = [];
  const dueToVisibleMs: number[] = [];
  const look = async () => {
    const [row] = await sql<{ reached: number }[]>`
      select min(position) as reached from read.projections where state = 'live'`;
    const now = performance.now();
    const reached = row?.reached ?? 0;
    for (const { position, dueAt, answeredAt } of waiting) {
      if (position <= reached) {
        // The reader may see the tables move a moment before this process learns of its own commit.
        const lateMs = Math.max(0, now - answeredAt);
        visibleMs.push(lateMs);
        onSeen(lateMs);
        seenAt.push(now);
        dueToVisibleMs.push(now - dueAt);
      }
    }
    waiting = waiting.filter(({ position }) => position > reached);
  };
  const running = (async () => {
    while (!ending.signal.aborted || waiting.length > 0) {
      await look();
      await delay(everyMs);
    }
  })();
  return {
    expect: (one) => void waiting.push(one),
    end: async () => {
      ending.abort();
      await running;
      return { visibleMs, seenAt, dueToVisibleMs };
    },
  };
}

export type Rate = {
  readonly perSecond: number;
  /** For so long, or until the signal is aborted. */
  readonly seconds: number | AbortSignal;
  /** How often the reader looks. */
  readonly lookEveryMs?: number;
  /** Called for each sale when it is seen, with the time from its commit. */
  readonly onSeen?: (visibleMs: number) => void;
};

/** Sends sales by the clock without waiting for answers, so that a slow moment delays no later sale. */
export async function sendAtRate(
  sell: Sell,
  items: readonly ShopItem[],
  observer: Sql,
  rate: Rate,
): Promise<Seen> {
  const tables = watchTables(observer, rate.lookEveryMs ?? 1, rate.onSeen ?? (() => undefined));
  const dueToAnsweredMs: number[] = [];
  const { seconds } = rate;
  const count = typeof seconds === "number" ? Math.ceil(rate.perSecond * seconds) : Infinity;
  const isOver = () => typeof seconds !== "number" && seconds.aborted;
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  const sendOne = async (item: ShopItem, dueAt: number): Promise<void> => {
    const position = await sell(item);
    const answeredAt = performance.now();
    dueToAnsweredMs.push(answeredAt - dueAt);
    tables.expect({ position, dueAt, answeredAt });
  };
  for (let index = 0; index < count && !isOver(); index += 1) {
    const dueAt = startedAt + (index * 1000) / rate.perSecond;
    const restMs = dueAt - performance.now();
    if (restMs > 0) {
      await delay(restMs);
    }
    const item = items[(index * 7919) % items.length];
    if (item !== undefined) {
      sent.push(sendOne(item, dueAt));
    }
  }
  await Promise.all(sent);
  return { ...(await tables.end()), dueToAnsweredMs };
}

export function rowsOf(label: string, seen: Seen): Record<string, string | number>[] {
  const kinds = [
    ["commit to visible", seen.visibleMs],
    ["due to answered", seen.dueToAnsweredMs],
    ["due to visible", seen.dueToVisibleMs],
  ] as const;
  return kinds.map(([name, times]) => ({
    rate: label,
    time: name,
    "p50 ms": percentile(times, 0.5),
    "p90 ms": percentile(times, 0.9),
    "p99 ms": percentile(times, 0.99),
    "max ms": percentile(times, 1),
  }));
}
