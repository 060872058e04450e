// Regular work of the worker: when it runs, and that it never runs twice at once.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { repeat } from "#jobs/repeat.ts";

/** Work whose runs end when the test says so. */
function heldWork() {
  const ends: (() => void)[] = [];
  let runs = 0;
  return {
    runs: () => runs,
    work: () => {
      runs += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    },
    end: async () => {
      ends.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe("repeated work", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("runs at once and at every turn, but never twice at once", async () => {
    const { work, runs, end } = heldWork();
    const repeating = repeat(1_000, work);
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(runs()).toBe(1);
    await end();
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs()).toBe(2);
    await end();
    await repeating.close();
  });

  it("runs once more after the present run however often it is told, and at once when idle", async () => {
    const { work, runs, end } = heldWork();
    const repeating = repeat(1_000, work);
    repeating.soon();
    repeating.soon();
    expect(runs()).toBe(1);
    await end();
    expect(runs()).toBe(2);
    await end();
    repeating.soon();
    expect(runs()).toBe(3);
    await end();
    await repeating.close();
  });

  it("waits for the present run when it closes, and runs no more", async () => {
    const { work, runs, end } = heldWork();
    const repeating = repeat(1_000, work);
    repeating.soon();
    let isClosed = false;
    const close = async () => {
      await repeating.close();
      isClosed = true;
    };
    const closing = close();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isClosed).toBe(false);
    await end();
    await closing;
    repeating.soon();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs()).toBe(1);
  });
});
