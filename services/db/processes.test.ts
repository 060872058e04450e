// A process reports what it does, and a database that hangs gets no report more for each turn that it missed.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readProcesses, reportProcess } from "#db/processes.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase();
  // The driver's own timers stay real.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

test("a report that hangs for minutes is one report, not one for each turn", async () => {
  const { sql, ownerSql } = database;
  let reports = 0;
  const reporting = await ownerSql.begin(async (lock) => {
    await lock`lock table read.processes`;
    const begun = reportProcess({
      sql,
      name: "worker",
      report: () => {
        reports += 1;
        return { doing: [], published: null };
      },
      onError: (error) => {
        throw error;
      },
    });
    vi.advanceTimersByTime(300_000);
    return begun;
  });
  await expect.poll(() => readProcesses(sql)).toMatchObject([{ name: "worker", isAlive: true }]);
  await reporting.close();
  expect(reports).toBe(1);
});
