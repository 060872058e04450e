// What live events do to the reads on screen, however the stream's bytes are cut.
import { array, assert, nat, property } from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { positionIn, progressReader, reach, refreshReads, watch } from "./live.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

// What a test set in motion comes to rest before the next begins.
afterEach(async () => {
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

const stream =
  ': hello\n\nevent: progress\ndata: {"projections":\ndata: {"sales":7}}\n\nevent: other\ndata: {"projections":{"sales":9}}\n\nid: 8\r\nevent: progress\r\ndata:{"projections":{"sales":8}}\r\n\r\n';

it("hears of the ledger's progress wherever the stream is cut", () => {
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

it("looks again only at the reads that are meant", () => {
  const sales = vi.fn<() => Promise<void>>().mockResolvedValue();
  const items = vi.fn<() => Promise<void>>().mockResolvedValue();
  const freshTo = () => undefined;
  const ends = [
    watch({ path: "/sales/history/u", refresh: sales, freshTo }),
    watch({ path: "/inventory/search", refresh: items, freshTo }),
  ];
  refreshReads("/sales");
  refreshReads();
  ends.forEach((end) => end());
  refreshReads();
  expect([sales.mock.calls.length, items.mock.calls.length]).toEqual([2, 1]);
});

it("reads how far the read tables are", () => {
  expect(positionIn('{"projections":{"balances":42,"sales":44}}')).toBe(44);
  expect(
    [positionIn(""), positionIn("[]"), positionIn('{"projections":null}')].map(Number.isFinite),
  ).toEqual([false, false, false]);
});

it("looks again at what is older than the ledger, and not at what is as new", () => {
  const older = vi.fn<() => Promise<void>>().mockResolvedValue();
  const newer = vi.fn<() => Promise<void>>().mockResolvedValue();
  const ends = [
    watch({ path: "/a", refresh: older, freshTo: () => 6 }),
    watch({ path: "/b", refresh: newer, freshTo: () => 7 }),
  ];
  reach(7);
  ends.forEach((end) => end());
  expect([older.mock.calls.length, newer.mock.calls.length]).toEqual([1, 0]);
});

it("lets a read that takes long rest four times as long, and then follows to the end", async () => {
  let position = 11;
  let shown = 10;
  const startedAt = performance.now();
  const askedAt: number[] = [];
  const end = watch({
    path: "/long",
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
  expect(askedAt).toEqual([0, 5_000]);
  reach(position + 1);
  position += 1;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(askedAt).toEqual([0, 5_000, 10_000]);
  expect(shown).toBe(position);
  end();
});

it("asks anew on behalf of a command, also while a read rests", () => {
  const refresh = vi.fn<() => Promise<void>>().mockResolvedValue();
  const end = watch({ path: "/rests", refresh, freshTo: () => 0 });
  reach(1_000);
  refreshReads("/rests");
  expect(refresh).toHaveBeenCalledTimes(2);
  end();
});

it("does not let one slow answer leave a screen behind", async () => {
  const askedAt: number[] = [];
  const startedAt = performance.now();
  const end = watch({
    path: "/slow",
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
  await vi.advanceTimersByTimeAsync(15_500);
  end();
  expect(askedAt).toEqual([0, 35_000]);
});
