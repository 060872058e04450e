// When reads go to a standby and when they stop, computed from checks at made-up times.
import { expect, test } from "vitest";
import { afterLook, notLookedAtYet } from "#db/standby-lag.ts";
import type { Following, StandbyLook } from "#db/standby-lag.ts";

const LIMIT_MS = 1_000;

const seen = (atMs: number, written: number, replayed: number): StandbyLook => ({
  kind: "answered",
  atMs,
  written,
  replayed,
});
const silent = (atMs: number, written: number): StandbyLook => ({
  kind: "silent",
  atMs,
  written,
  reason: "it refuses connections",
});
const after = (...looks: readonly StandbyLook[]): Following =>
  looks.reduce((known, look) => afterLook(known, look, LIMIT_MS), notLookedAtYet);

test("a standby that was not checked yet is not read from", () => {
  expect(notLookedAtYet.state.kind).toBe("away");
});

test("a standby with everything the primary had at the first check follows at once", () => {
  expect(after(seen(0, 500, 500)).state).toEqual({ kind: "following", lagMs: 0 });
});

test("a standby that is always a few bytes short of a busy primary has no lag", () => {
  const looks = Array.from({ length: 50 }, (_, turn) => seen(turn * 250, turn * 10, turn * 10 - 3));
  expect(after(seen(-250, 0, 0), ...looks).state).toEqual({ kind: "following", lagMs: 0 });
});

test("the lag is the age of the oldest change that the standby lacks", () => {
  const known = after(seen(0, 100, 100), seen(250, 200, 100), seen(500, 300, 100));
  expect(known.state).toEqual({ kind: "following", lagMs: 250 });
  expect(afterLook(known, seen(750, 300, 250), LIMIT_MS).state).toEqual({
    kind: "following",
    lagMs: 250,
  });
  expect(afterLook(known, seen(750, 300, 300), LIMIT_MS).state).toEqual({
    kind: "following",
    lagMs: 0,
  });
});

test("a standby beyond the limit is behind until its lag is at most half the limit", () => {
  const late = after(seen(0, 100, 100), seen(250, 200, 100), seen(1_251, 300, 100));
  expect(late.state).toEqual({ kind: "behind", lagMs: 1_001 });
  const less = afterLook(late, seen(1_900, 400, 250), LIMIT_MS);
  expect(less.state).toEqual({ kind: "behind", lagMs: 649 });
  expect(afterLook(less, seen(2_000, 400, 300), LIMIT_MS).state.kind).toBe("following");
});

test("a standby that never caught up with the primary is behind, however little it seems to lack", () => {
  const known = after(seen(0, 1_000, 10), seen(100, 1_000, 900));
  expect(known.state.kind).toBe("behind");
  expect(afterLook(known, seen(200, 1_100, 1_000), LIMIT_MS).state.kind).toBe("following");
});

test("a silent standby is away, and its lag counts from the first change that it missed", () => {
  const gone = after(seen(0, 100, 100), silent(250, 100), silent(500, 200));
  expect(gone.state).toEqual({ kind: "away", lagMs: 250, reason: "it refuses connections" });
  const back = afterLook(gone, seen(5_000, 200, 150), LIMIT_MS);
  expect(back.state).toEqual({ kind: "behind", lagMs: 4_500 });
  expect(afterLook(back, seen(5_250, 200, 200), LIMIT_MS).state).toEqual({
    kind: "following",
    lagMs: 0,
  });
});

test("an hour without a standby leaves few marks, which give the lag within one percent", () => {
  const hourMs = 3_600_000;
  let known = after(seen(0, 0, 0));
  for (let atMs = 250; atMs <= hourMs; atMs += 250) {
    known = afterLook(known, silent(atMs, atMs), LIMIT_MS);
  }
  expect(known.missing.length).toBeLessThan(1_000);
  const half = afterLook(known, seen(hourMs + 250, hourMs + 250, hourMs / 2), LIMIT_MS);
  expect(half.state.lagMs).toBeGreaterThan((hourMs / 2) * 0.98);
  expect(half.state.lagMs).toBeLessThanOrEqual(hourMs / 2 + 250);
});
