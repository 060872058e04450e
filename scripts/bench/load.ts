// Callers that send one command after another: how many per second got through, and how much CPU each took.
import type { BenchServer } from "./server.ts";
import { ownCpuMs } from "./server.ts";

export type Load = {
  readonly callers: number;
  readonly seconds: number;
  readonly server: Pick<BenchServer, "cpuMs">;
};

export type Throughput = {
  readonly perSecond: number;
  /** CPU of this process and of PostgreSQL for one command, in microseconds. */
  readonly processMicros: number;
  readonly serverMicros: number;
};

const warmupMs = 500;

/**
 * Runs `act` from this many callers at once; each awaits its answer before it sends again. If a caller throws,
 * this throws the same error once the others have ended.
 */
export async function runCallers(
  load: Load,
  act: (caller: number) => Promise<unknown>,
): Promise<Throughput> {
  let done = 0;
  const over = new AbortController();
  const call = async (caller: number): Promise<void> => {
    while (!over.signal.aborted) {
      await act(caller);
      done += 1;
    }
  };
  const calls = Array.from({ length: load.callers }, (_, caller) =>
    call(caller).finally(() => over.abort()),
  );
  const ended = Promise.allSettled(calls).then(() => Promise.all(calls));
  await rest(warmupMs, ended);
  const from = { done, at: performance.now(), own: ownCpuMs(), server: load.server.cpuMs() };
  await rest(load.seconds * 1000, ended);
  const count = Math.max(1, done - from.done);
  const result = {
    perSecond: (count * 1000) / (performance.now() - from.at),
    processMicros: ((ownCpuMs() - from.own) * 1000) / count,
    serverMicros: ((load.server.cpuMs() - from.server) * 1000) / count,
  };
  over.abort();
  await ended;
  return result;
}

/** Waits; if a caller throws before that, throws its error. */
async function rest(milliseconds: number, ended: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** The median; of an even number of values, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
