// Holds the reader of the event stream to the format, however the bytes are cut.
import { array, assert, nat, property } from "fast-check";
import { expect, it, vi } from "vitest";
import { eventsIn, positionIn, reach, refreshReads, watch } from "./live.ts";

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
  const sales = vi.fn<() => void>();
  const items = vi.fn<() => void>();
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
  const older = vi.fn<() => void>();
  const newer = vi.fn<() => void>();
  const ends = [
    watch({ path: "/a", refresh: older, freshTo: () => 6 }),
    watch({ path: "/b", refresh: newer, freshTo: () => 7 }),
  ];
  reach(7);
  ends.forEach((end) => end());
  expect([older.mock.calls.length, newer.mock.calls.length]).toEqual([1, 0]);
});
