// Sends sales over HTTP from a process of its own, with as little work per request as possible, and reports as JSON.
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Connection, HttpTarget } from "./http-connection.ts";
import { openConnection, saleRequests } from "./http-connection.ts";
import { percentile } from "./load.ts";
import type { ShopItem } from "./shop.ts";

/** What it reads from standard input. */
export type GeneratorInput = HttpTarget & {
  readonly items: readonly ShopItem[];
  readonly connections: number;
  /** Not counted. */
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Sales per second, sent by the clock; 0 sends each connection's next sale as soon as its last one is answered. */
  readonly perSecond: number;
};

/** What it writes to standard output. Times run from when a request was due until its answer was complete. */
export type GeneratorReport = {
  readonly answered: number;
  /** Answers other than 200, by status. */
  readonly refused: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU of this process for one request, in microseconds. */
  readonly cpuMicros: number;
};

type Tally = { readonly times: number[]; readonly refused: Record<string, number> };

async function run(input: GeneratorInput): Promise<GeneratorReport> {
  const requestFor = saleRequests(input);
  const { items } = input;
  const nextRequest = () => {
    const item = items[Math.floor(Math.random() * items.length)];
    return item === undefined ? "" : requestFor(item);
  };
  const connections = await Promise.all(
    Array.from({ length: input.connections }, () => openConnection(input)),
  );
  const startedAt = performance.now();
  const countFrom = startedAt + input.warmupSeconds * 1000;
  const endAt = countFrom + input.seconds * 1000;
  let cpuBefore = process.cpuUsage();
  setTimeout(() => {
    cpuBefore = process.cpuUsage();
  }, input.warmupSeconds * 1000);
  const tally: Tally = { times: [], refused: {} };
  const sendOne = async (connection: Connection, dueAt: number) => {
    const { status } = await connection.send(nextRequest());
    if (dueAt >= countFrom) {
      tally.times.push(performance.now() - dueAt);
      if (status !== 200) {
        tally.refused[status] = (tally.refused[status] ?? 0) + 1;
      }
    }
  };
  if (input.perSecond === 0) {
    await Promise.all(
      connections.map(async (connection) => {
        for (let now = performance.now(); now < endAt; now = performance.now()) {
          await sendOne(connection, now);
        }
      }),
    );
  } else {
    await sendByTheClock(connections, input.perSecond, { startedAt, endAt }, sendOne);
  }
  const seconds = (performance.now() - countFrom) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) {
    connection.close();
  }
  return {
    answered: tally.times.length,
    refused: tally.refused,
    perSecond: tally.times.length / seconds,
    p50Ms: percentile(tally.times, 0.5),
    p90Ms: percentile(tally.times, 0.9),
    p99Ms: percentile(tally.times, 0.99),
    maxMs: percentile(tally.times, 1),
    cpuMicros: (user + system) / Math.max(1, tally.times.length),
  };
}

/** Requests are due by the clock; one that finds no free connection waits, and the wait counts. */
async function sendByTheClock(
  connections: readonly Connection[],
  perSecond: number,
  span: { readonly startedAt: number; readonly endAt: number },
  sendOne: (connection: Connection, dueAt: number) => Promise<void>,
): Promise<void> {
  const free = [...connections];
  const due: number[] = [];
  const sent = new Set<Promise<void>>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const carry = async (connection: Connection, dueAt: number): Promise<void> => {
    try {
      await sendOne(connection, dueAt);
      free.push(connection);
      dispatch();
    } catch (error) {
      failed.reject(error);
    }
  };
  const dispatch = () => {
    while (due.length > 0 && free.length > 0) {
      const dueAt = due.shift() ?? 0;
      const connection = free.pop();
      if (connection !== undefined) {
        const sending = carry(connection, dueAt).finally(() => sent.delete(sending));
        sent.add(sending);
      }
    }
  };
  for (let index = 0; ;) {
    const now = performance.now();
    for (; span.startedAt + (index * 1000) / perSecond <= Math.min(now, span.endAt); index += 1) {
      due.push(span.startedAt + (index * 1000) / perSecond);
    }
    dispatch();
    if (now >= span.endAt && due.length === 0 && sent.size === 0) {
      return;
    }
    await Promise.race([delay(1), failed.promise]);
  }
}

if (import.meta.main) {
  // Written by the benchmark, which knows this type.
  const input = JSON.parse(await text(process.stdin)) as GeneratorInput;
  process.stdout.write(JSON.stringify(await run(input)));
}
