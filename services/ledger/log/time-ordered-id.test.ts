// Event ids are well-formed UUIDs of version 7, ordered by time.
import { expect, test } from "vitest";
import { z } from "zod";
import { newTimeOrderedId } from "./time-ordered-id.ts";

test("ids are UUIDs of version 7", () => {
  for (let made = 0; made < 100; made += 1) {
    expect(z.uuidv7().safeParse(newTimeOrderedId()).success).toBe(true);
  }
});

test("ids of a later millisecond sort after earlier ones, and two of one millisecond differ", () => {
  const times = [0, 1, 255, 65_536, 1_790_000_000_000, 1_790_000_000_001, 2 ** 48 - 1];
  const ids = times.map((time) => newTimeOrderedId(time));
  expect(ids.toSorted()).toEqual(ids);
  expect(newTimeOrderedId(5)).not.toBe(newTimeOrderedId(5));
});
