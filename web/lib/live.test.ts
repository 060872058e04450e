// Tests how live events refresh the reads on screen, wherever the stream's bytes are split.
import { array, assert, nat, property } from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { send } from "./http.ts";
import { catchUp, positionIn, progressReader, reach, watch } from "./live.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

// Lets the effects of one test finish before the next one starts.
afterEach(async () => {
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stream =
  ': hello\n\nevent: progress\ndata: {"projections":\ndata: {"sales":7}}\n\nevent: other\ndata: {"projections":{"sales":9}}\n\nid: 8\r\nevent: progress\r\ndata:{"projections":{"sales":8}}\r\n\r\n';

it("reads the ledger's progress wherever the stream is split", () => {
  assert(
    property(array(nat(stream.length)), (cuts) => {
      const seen: number[] = [];
      const feed = progressReader((position) => seen.push(position));
      const ends = [...cuts.toSorted((a, b) => a - b), stream.length];
      ends.forEach((end, index) => feed(stream.slice(ends[index - 1] ?? 0, end)));
      feed("event: progress\ndata: unfinished");
      expect(seen).toEqual([7, 8]);
    }),
  );
});

/** Sends a mutation that the server answers with this status. */
async function mutate(status: number): Promise<void> {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ done: true }, { status })));
  const answer = z.object({ done: z.boolean() });
  await send({ method: "POST", path: "/sales/record", answer, key: "key" }).catch(() => undefined);
}

it("reads what is on screen again after a mutation, including a refused one", async () => {
  const refresh = vi.fn<() => Promise<void>>().mockResolvedValue();
  const end = watch({ refresh, freshTo: () => undefined });
  await mutate(200);
  await vi.runAllTimersAsync();
  expect(refresh).toHaveBeenCalledTimes(1);
  await mutate(409);
  await vi.runAllTimersAsync();
  expect(refresh).toHaveBeenCalledTimes(2);
  end();
  await mutate(200);
  await vi.runAllTimersAsync();
  expect(refresh).toHaveBeenCalledTimes(2);
});

it("reads once after a batch, not once after each of its calls", async () => {
  const refresh = vi.fn<() => Promise<void>>().mockResolvedValue();
  const end = watch({ refresh, freshTo: () => undefined });
  for (let sent = 0; sent < 3; sent += 1) {
    await Promise.all([mutate(200), mutate(200)]);
  }
  await vi.runAllTimersAsync();
  end();
  expect(refresh).toHaveBeenCalledTimes(1);
});

it("reads the position of the read tables", () => {
  expect(positionIn('{"projections":{"balances":42,"sales":44}}')).toBe(44);
  expect(
    [positionIn(""), positionIn("[]"), positionIn('{"projections":null}')].map(Number.isFinite),
  ).toEqual([false, false, false]);
});

it("refreshes what is older than the ledger, and not what is up to date", () => {
  const older = vi.fn<() => Promise<void>>().mockResolvedValue();
  const newer = vi.fn<() => Promise<void>>().mockResolvedValue();
  const ends = [
    watch({ refresh: older, freshTo: () => 6 }),
    watch({ refresh: newer, freshTo: () => 7 }),
  ];
  reach(7);
  ends.forEach((end) => end());
  expect([older.mock.calls.length, newer.mock.calls.length]).toEqual([1, 0]);
});

it("refreshes a read that is opened with an answer from before the last event", async () => {
  reach(9);
  await vi.advanceTimersByTimeAsync(100);
  const refresh = vi.fn<() => Promise<void>>().mockResolvedValue();
  const end = watch({ refresh, freshTo: () => 8 });
  catchUp(8);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  end();
});

it("waits twice as long as a slow read took, then follows to the end", async () => {
  let position = 11;
  let shown = 10;
  const startedAt = performance.now();
  const askedAt: number[] = [];
  const end = watch({
    freshTo: () => shown,
    refresh: async () => {
      askedAt.push(performance.now() - startedAt);
      const there = position;
      await new Promise((resolve) => {
        setTimeout(resolve, 900);
      });
      shown = there;
    },
  });
  reach(position);
  for (let second = 0; second < 10; second += 1) {
    position += 1;
    await vi.advanceTimersByTimeAsync(500);
    reach(position);
  }
  expect(askedAt).toEqual([0, 3_000]);
  reach(position + 1);
  position += 1;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(askedAt).toEqual([0, 3_000, 6_000]);
  expect(shown).toBe(position);
  end();
});

it("refreshes after a command even while a read waits", async () => {
  const refresh = vi.fn<() => Promise<void>>().mockResolvedValue();
  const end = watch({ refresh, freshTo: () => 0 });
  reach(1_000);
  await mutate(200);
  await vi.advanceTimersByTimeAsync(0);
  expect(refresh).toHaveBeenCalledTimes(2);
  end();
});

it("does not let one slow answer stop a screen's updates", async () => {
  const askedAt: number[] = [];
  const startedAt = performance.now();
  const end = watch({
    freshTo: () => 0,
    refresh: async () => {
      askedAt.push(performance.now() - startedAt);
      await new Promise((resolve) => {
        setTimeout(resolve, askedAt.length === 1 ? 19_500 : 0);
      });
    },
  });
  reach(2_000);
  await vi.advanceTimersByTimeAsync(20_000);
  reach(2_001);
  await vi.advanceTimersByTimeAsync(5_500);
  end();
  expect(askedAt).toEqual([0, 25_000]);
});
