// Node.js and PostgreSQL each have their own rules of time zones, and `/readyz` says where they differ.
import { afterAll, beforeAll, expect, it } from "vitest";
import { firstDifference, timeZoneCheck } from "#http/time-zone-check.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const clock = () => new Date("2024-06-01T12:00:00.000Z");

it.each(["America/Chicago", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"])(
  "all is well in %s, whose rules have long been the same",
  async (timeZone) => {
    const check = timeZoneCheck(database.sql, () => Promise.resolve(timeZone), clock);
    expect(await check.look()).toEqual({
      state: "ok",
      message: "Node.js and PostgreSQL have the same rules",
    });
  },
);

it("asks for the store's time zone only where it compares, which is once an hour", async () => {
  let now = clock();
  let asked = 0;
  // PostgreSQL takes this for a rule of its own: it is always an hour ahead there. Node.js knows no such zone.
  const zones = ["America/Chicago", "XYZ-1"];
  const readTimeZone = () => Promise.resolve(zones[asked++] ?? "UTC");
  const check = timeZoneCheck(database.sql, readTimeZone, () => now);
  await check.look();
  await check.look();
  expect(asked).toBe(1);
  now = new Date(now.getTime() + 3_600_000);
  await expect(check.look()).rejects.toThrow("XYZ-1");
});

it("warns of a time zone that PostgreSQL does not know, and keeps the process in service", async () => {
  const check = timeZoneCheck(database.sql, () => Promise.resolve("Mars/Olympus"), clock);
  expect(await check.look()).toMatchObject({
    state: "warning",
    message: expect.stringContaining("PostgreSQL does not know the time zone Mars/Olympus"),
  });
});

it("names the first day on which the two differ", () => {
  const day = (text: string, hours: number) => ({
    instantMs: Date.parse(`${text}T12:00:00Z`),
    aheadMs: hours * 3_600_000,
  });
  expect(firstDifference("America/Chicago", [day("2024-11-02", -5), day("2024-11-04", -6)])).toBe(
    null,
  );
  expect(firstDifference("America/Chicago", [day("2024-11-02", -5), day("2024-11-04", -5)])).toBe(
    "2024-11-04",
  );
});
