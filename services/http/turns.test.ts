// Dear reads run a few at a time, and people take turns, so that one person's many do not delay another's one.
import { expect, test } from "vitest";
import { createTurns } from "#http/turns.ts";

const never = new AbortController().signal;

/** Work that ends when it is told to, and says when it begins. */
function gate(begun: string[], name: string) {
  const end = Promise.withResolvers<void>();
  const work = async (): Promise<string> => {
    begun.push(name);
    await end.promise;
    return name;
  };
  return { work, end: end.resolve };
}

test("no more run at once than there are places, and one person's twenty delay another's one by one", async () => {
  const turns = createTurns(2);
  const begun: string[] = [];
  const greedy = Array.from({ length: 20 }, (_, index) => gate(begun, `greedy ${index}`));
  const modest = gate(begun, "modest");
  const all = greedy.map(({ work }) => turns.take("greedy", never, work));
  const one = turns.take("modest", never, modest.work);
  await expect.poll(() => begun).toEqual(["greedy 0", "greedy 1"]);
  greedy[0]?.end();
  await all[0];
  await expect.poll(() => begun.length).toBe(3);
  expect(begun.slice(2)).toEqual(["greedy 2"]);
  greedy[1]?.end();
  await expect.poll(() => begun.at(-1)).toBe("modest");
  modest.end();
  expect(await one).toBe("modest");
  greedy.forEach(({ end }) => end());
  expect(await Promise.all(all)).toHaveLength(20);
  expect(new Set(begun).size).toBe(21);
});

test("work that fails gives its place back, and whoever leaves while waiting is never served", async () => {
  const turns = createTurns(1);
  const begun: string[] = [];
  const first = gate(begun, "first");
  const running = turns.take("avery", never, first.work);
  const leaving = new AbortController();
  const left = turns.take("blake", leaving.signal, gate(begun, "left").work);
  const failing = turns.take("casey", never, () => Promise.reject(new Error("It failed")));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "request_abandoned" });
  first.end();
  await running;
  await expect(failing).rejects.toThrow("It failed");
  expect(await turns.take("drew", never, () => Promise.resolve("served"))).toBe("served");
  expect(begun).toEqual(["first"]);
});
