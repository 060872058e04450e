// Holds the reader of the event stream to the format, however the bytes are cut.
import { array, assert, nat, property } from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventsIn, positionIn, reach, refreshReads, watch } from "./live.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

// What a test set in motion comes to rest before the next begins.
afterEach(async () => {
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

const stream =
  ': hello\n\nevent: advanced\ndata: {"position":7}\n\nid: 8\r\ndata: one\r\ndata: two\r\n\r\ndata:8\n\n';

it("reads names and data, joins lines and leaves comments out", () => {
  expect(eventsIn(`${stream}data: unfinished`)).toEqual({
    events: [
      { name: "advanced", data: '{"position":7}' },
      { name: "message", data: "one\ntwo" },
      { name: "message", data: "8" },
    ],
    rest: "data: unfinished",
  });
});

it("reads the same events wherever the stream is cut", () => {
  const text = stream.replaceAll("\r", "");
  assert(
    property(array(nat(text.length)), (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), text.length];
      let pending = "";
      let from = 0;
      const seen = ends.flatMap((end) => {
        const { events, rest } = eventsIn(pending + text.slice(from, end));
        pending = rest;
        from = end;
        return events;
      });
      expect(seen).toEqual(eventsIn(text).events);
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
