// Many look-ups need few queries, and no answer is older than its look-up.
import { expect, test } from "vitest";
import { createBatchLookup } from "#identity/batch-lookup.ts";

test("look-ups of one tick are one query, and each gets its own answer", async () => {
  const loads: string[][] = [];
  const lookup = createBatchLookup((keys) => {
    loads.push([...keys]);
    return Promise.resolve(
      new Map(keys.filter((key) => key !== "c").map((key) => [key, `${key}!`])),
    );
  });
  const answers = await Promise.all(["a", "b", "a", "c"].map((key) => lookup(key)));
  expect(answers).toEqual(["a!", "b!", "a!", undefined]);
  expect(loads).toEqual([["a", "b", "c"]]);
});

test("a look-up during a query is answered by a later query", async () => {
  let value = "old";
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let loads = 0;
  const lookup = createBatchLookup(async (keys) => {
    const seen = value;
    loads += 1;
    if (loads === 1) {
      started.resolve();
      await gate.promise;
    }
    return new Map(keys.map((key) => [key, seen]));
  });
  const early = lookup("a");
  await started.promise;
  value = "new";
  const late = lookup("a");
  gate.resolve();
  expect([await early, await late]).toEqual(["old", "new"]);
});

test("a failed query fails only its own look-ups", async () => {
  let isDown = true;
  const lookup = createBatchLookup((keys) =>
    isDown
      ? Promise.reject(new Error("down"))
      : Promise.resolve(new Map(keys.map((key) => [key, 1]))),
  );
  await expect(Promise.all([lookup("a"), lookup("b")])).rejects.toThrow("down");
  isDown = false;
  expect(await lookup("a")).toBe(1);
});
