// How fast a rebuild goes while events are written.
import { expect, test } from "vitest";
import { FIRST_SPEED, gentlePace, nextSpeed } from "#ledger/projection/pace.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar } from "#testing/jar/jar.ts";
import { testDatabase } from "#testing/database/test-database.ts";

test("a rebuild gives way while the shown tables are behind", () => {
  const next = nextSpeed(FIRST_SPEED, {
    events: 2_000,
    ms: 20,
    lagMs: 200,
    written: 30,
    behindForMs: 0,
  });
  expect(next.size).toBeLessThan(FIRST_SPEED.size);
  expect(next.share).toBeGreaterThan(FIRST_SPEED.share);
});

test("a rebuild goes faster again when the shown tables are up to date", () => {
  const slow = { size: 500, share: 8 };
  const next = nextSpeed(slow, { events: 500, ms: 5, lagMs: 5, written: 30, behindForMs: 0 });
  expect(next.size).toBeGreaterThan(slow.size);
  expect(next.share).toBeLessThan(slow.share);
});

test("while events are written, a rebuild rests at least twice as long as it works, however calm the shop is", () => {
  let speed = FIRST_SPEED;
  for (let chunk = 0; chunk < 50; chunk += 1) {
    speed = nextSpeed(speed, { events: 1_000, ms: 5, lagMs: 1, written: 10, behindForMs: 0 });
  }
  expect(speed.share).toBe(2);
});

test("a rebuild gives way before sales are seen 50 ms late, so that its last chunk does not make it 100", () => {
  const calm = { events: 500, ms: 20, written: 20, behindForMs: 0 };
  expect(nextSpeed(FIRST_SPEED, { ...calm, lagMs: 50 }).share).toBeGreaterThan(FIRST_SPEED.share);
});

test("a rebuild that is too slow rests less before its chunks get larger than a small step", () => {
  const late = { events: 1_000, ms: 900, lagMs: 20, written: 800, behindForMs: 0 };
  const resting = nextSpeed({ size: 1_000, share: 2 }, late);
  expect(resting).toEqual({ size: 1_000, share: 1 });
  expect(nextSpeed({ size: 1_000, share: 0.01 }, late).size).toBeGreaterThan(1_000);
});

test("while the shown tables are behind, a rebuild may be too slow for ten minutes", () => {
  const late = { events: 1_000, ms: 900, lagMs: 500, written: 800 };
  const speed = { size: 1_000, share: 2 };
  expect(nextSpeed(speed, { ...late, behindForMs: 500_000 }).share).toBeGreaterThan(2);
  expect(nextSpeed(speed, { ...late, behindForMs: 700_000 }).share).toBeLessThan(2);
});

test("a rebuild always gets further than what is written meanwhile, however slow it must be", () => {
  const eventsPerMs = 1.8;
  let speed = FIRST_SPEED;
  let behindForMs = 0;
  const last = { events: 0, written: 0 };
  for (let chunk = 0; chunk < 2_000; chunk += 1) {
    const events = Math.round(speed.size);
    // A chunk that takes 0.8 s at least, and shown tables that stay behind whatever the rebuild does.
    const ms = 800 + events / 20;
    const took = ms + Math.min(1_000, ms * speed.share);
    const written = took * eventsPerMs;
    behindForMs += took;
    speed = nextSpeed(speed, { events, ms, lagMs: 500, written, behindForMs });
    if (chunk >= 1_000) {
      last.events += events;
      last.written += written;
    }
  }
  expect(last.events).toBeGreaterThan(1.2 * last.written);
});

test("a shop is quiet only after some time without a write: between two sales of a busy one, milliseconds pass", async () => {
  const { sql, close } = await testDatabase();
  let now = 0;
  const pace = gentlePace(() => now);
  const restAfter = async (ms: number) => {
    now += ms;
    await pace.rest(sql, { events: 2_000, ms: 5 });
    return pace.chunk();
  };
  await restAfter(0);
  expect(await restAfter(5)).toBeLessThanOrEqual(1_000);
  expect(await restAfter(90)).toBeLessThanOrEqual(1_000);
  expect(await restAfter(10)).toBeGreaterThan(1_000);
  await close();
});

test("a shop is busy until a minute after the last event was recorded", async () => {
  const shop = await openJarShop();
  const { sql, ownerSql } = shop.database;
  const { isBusy } = gentlePace();
  expect(await isBusy(sql)).toBe(false);
  await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under("fill"));
  expect(await isBusy(sql)).toBe(true);
  await ownerSql`update log.events set recorded_at = now() - interval '61 seconds'`;
  expect(await isBusy(sql)).toBe(false);
  await shop.close();
});
