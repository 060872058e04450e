// A key that was found is not looked up again.
import { expect, test } from "vitest";
import { rememberFound } from "#identity/remember-found.ts";

test("who was found once is not looked up again, and who was not found may be there later", async () => {
  const asked: string[] = [];
  const there = new Set<string>();
  const exists = rememberFound((uid) => {
    asked.push(uid);
    return Promise.resolve(there.has(uid) ? { uid } : undefined);
  });
  expect(await exists("nobody-yet")).toBe(false);
  there.add("avery");
  expect([await exists("avery"), await exists("avery")]).toEqual([true, true]);
  expect(await exists("nobody-yet")).toBe(false);
  expect(asked).toEqual(["nobody-yet", "avery", "nobody-yet"]);
});
