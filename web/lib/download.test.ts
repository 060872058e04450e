// What a saved file is called.
import { expect, test } from "vitest";
import { nameOfFile } from "#web/lib/download.ts";

test("a file that lacks rows or the newest entries is called incomplete", () => {
  const called = (headers: Readonly<Record<string, string>>) =>
    nameOfFile("sales-2026-11-21.csv", new Headers(headers));
  expect(called({ "Ledger-Fresh-To": "7" })).toBe("sales-2026-11-21.csv");
  expect(called({ "Ledger-Held": "1" })).toBe("sales-2026-11-21-incomplete.csv");
  expect(called({ "Ledger-Stale": "true" })).toBe("sales-2026-11-21-incomplete.csv");
});
