// When days of the store begin: PostgreSQL is asked once for a day of a time zone.
import { expect, test } from "vitest";
import type { Reads } from "#http/reads.ts";
import { readsThrough } from "#http/reads.ts";
import { readDayBegins } from "#http/store-days.ts";
import { testDatabase } from "#testing/database/test-database.ts";

const dayIn = (timeZone: string, day: string, fixed: string | null = null) => ({
  day,
  timeZone,
  fixed,
});

const textsOf = async (reads: Reads, days: Parameters<typeof readDayBegins>[1]) =>
  (await readDayBegins(reads, days)).map((at) => at.toISOString());

test("a day that was asked for is known, in each time zone of its own", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  const asked = { times: 0 };
  const { reads } = readsThrough((work) => {
    asked.times += 1;
    return work(database.sql);
  });
  const inChicago = [
    dayIn("America/Chicago", "2026-10-31"),
    dayIn("America/Chicago", "2026-11-02"),
  ];
  // The clocks go back on the day between.
  const begins = ["2026-10-31T05:00:00.000Z", "2026-11-02T06:00:00.000Z"];
  expect(await textsOf(reads, inChicago)).toEqual(begins);
  expect(await textsOf(reads, inChicago.slice(1))).toEqual(begins.slice(1));
  expect(await textsOf(reads, inChicago)).toEqual(begins);
  expect(asked.times).toBe(1);

  expect(await textsOf(reads, [dayIn("Asia/Tokyo", "2026-10-31")])).toEqual([
    "2026-10-30T15:00:00.000Z",
  ]);
  expect(asked.times).toBe(2);

  // A month that was closed since begins where it was fixed.
  const fixed = "2026-11-02T09:00:00.000Z";
  expect(await textsOf(reads, [dayIn("America/Chicago", "2026-11-02", fixed)])).toEqual([fixed]);
  expect(asked.times).toBe(2);
});

test("where the clocks go back at midnight, the day begins with the first of the two", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  const { reads } = readsThrough((work) => work(database.sql));
  // In Havana at one, so that 00:00 to 00:59 comes twice; in the spring at midnight, which is then left out.
  const days = ["2026-03-08", "2026-11-01", "2026-11-02"];
  expect(
    await textsOf(
      reads,
      days.map((day) => dayIn("America/Havana", day)),
    ),
  ).toEqual(["2026-03-08T05:00:00.000Z", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"]);
});
