// Tests of the list of long tests: what `npm test` leaves out exists, and is never the core.
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { longTests } from "#testing/long-tests.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync("{services,scripts,web}/**/*.test.{ts,tsx}", { cwd: root });

describe("npm test", () => {
  it("leaves out only files that exist, each named once and in order", () => {
    expect(longTests.filter((path) => !files.includes(path))).toEqual([]);
    expect(longTests).toEqual([...new Set(longTests)].toSorted());
  });

  it("runs every test of a decider, of postings, of a projection and of a property", () => {
    const core =
      /\/(?:decider(?:-[\w-]+)?|postings|evolve|projection|[\w-]+\.property)\.test\.tsx?$/u;
    expect(longTests.filter((path) => core.test(path))).toEqual([]);
  });

  it("runs the routes of every feature that changes the books", () => {
    const deciding = new Set(
      globSync("services/features/*/decider*.ts", { cwd: root }).map((path) => path.split("/")[2]),
    );
    const without = [...deciding].filter((feature) => {
      const own = files.filter((path) =>
        path.startsWith(`services/features/${String(feature)}/routes`),
      );
      return own.length > 0 && own.every((path) => longTests.includes(path));
    });
    expect(without).toEqual([]);
  });

  it("opens a browser for the main jobs, by keyboard and under axe", () => {
    expect(longTests).not.toContain("web/journeys/main-job.browser.test.ts");
    expect(longTests).not.toContain("web/journeys/for-everyone.browser.test.ts");
  });
});
