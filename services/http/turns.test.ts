// Expensive reads run a few at a time, and people take turns, so that one person's many reads do not delay another's one.
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

test("no more run at once than there are places, and one person's twenty do not delay another's one", async () => {
  const turns = createTurns(2);
  const begun: string[] = [];
  const greedy = Array.from({ length: 20 }, (_, index) => gate(begun, `greedy ${index}`));
  const modest = gate(begun, "modest");
  const late = gate(begun, "late");
  const all = greedy.map(({ work }) => turns.take("greedy", never, work));
  await expect.poll(() => begun).toEqual(["greedy 0", "greedy 1"]);
  // One more place is kept for those who read little.
  const one = turns.take("modest", never, modest.work);
  await expect.poll(() => begun.at(-1)).toBe("modest");
  const two = turns.take("late", never, late.work);
  expect(begun).toHaveLength(3);
  greedy[0]?.end();
  await expect.poll(() => begun.at(-1)).toBe("late");
  modest.end();
  late.end();
  expect(await Promise.all([one, two])).toEqual(["modest", "late"]);
  greedy.forEach(({ end }) => end());
  expect(await Promise.all(all)).toHaveLength(20);
  expect(new Set(begun).size).toBe(22);
});

test("who has read least is served first, and what was read long ago no longer counts", async () => {
  let now = 0;
  const turns = createTurns(1, () => now);
  const begun: string[] = [];
  const reads = async (person: string, ms: number) =>
    turns.take(person, never, () => {
      now += ms;
      return Promise.resolve();
    });
  await reads("avery", 4_000);
  await reads("blake", 2_000);
  const order = async (): Promise<readonly string[]> => {
    begun.length = 0;
    const running = gate(begun, "running");
    const first = turns.take("casey", never, running.work);
    await expect.poll(() => begun).toEqual(["running"]);
    const queued = ["avery", "blake"].map((person) => {
      const work = gate(begun, person);
      work.end();
      return turns.take(person, never, work.work);
    });
    running.end();
    await Promise.all([first, ...queued]);
    return begun.slice(1);
  };
  // Both read too much for the place that is kept.
  expect(await order()).toEqual(["blake", "avery"]);
  now += 60_000;
  await reads("blake", 900);
  expect(await order()).toEqual(["avery", "blake"]);
});

/** A place, and reads that take as long as they are told to. */
function onePlace() {
  let now = 0;
  const turns = createTurns(1, () => now);
  const begun: string[] = [];
  const reads = (person: string, ms: number) =>
    turns.take(person, never, () => {
      begun.push(person);
      now += ms;
      return Promise.resolve();
    });
  return { reads, begun };
}

test("after a read of somebody who reads much, its place rests, and somebody who reads little need not wait", async () => {
  const { reads, begun } = onePlace();
  await reads("avery", 4_000);
  const again = reads("avery", 10);
  // No timer can end before this does.
  await reads("casey", 10);
  expect(begun).toEqual(["avery", "casey"]);
  await again;
  expect(begun).toEqual(["avery", "casey", "avery"]);
});

test("ten people who each read a little read much together", async () => {
  const { reads, begun } = onePlace();
  await reads("avery", 300);
  // Alone that is little, and the place does not rest.
  await Promise.all([reads("avery", 10), reads("casey", 10)]);
  expect(begun).toEqual(["avery", "avery", "casey"]);
  for (let index = 0; index < 10; index += 1) {
    await reads(`reader ${index}`, 300);
  }
  const again = reads("reader 9", 10);
  await reads("casey", 10);
  expect(begun.slice(-2)).toEqual(["reader 9", "casey"]);
  await again;
});

test("many short reads make nobody a person who reads much", async () => {
  let now = 0;
  const turns = createTurns(1, () => now);
  const begun: string[] = [];
  const short = () =>
    turns.take(
      "till",
      never,
      () => {
        begun.push("till");
        now += 30;
        return Promise.resolve();
      },
      30,
    );
  for (let index = 0; index < 100; index += 1) {
    await short();
  }
  const long = gate(begun, "long");
  const running = turns.take("avery", never, long.work);
  await short();
  expect(begun.slice(-2)).toEqual(["long", "till"]);
  long.end();
  await running;
});

test("people whose reads are too short to count delay nobody for long, however many they send", async () => {
  let now = 0;
  const turns = createTurns(1, () => now);
  const served = { isDone: false };
  const read = async (person: string, ms: number, freeMs: number): Promise<void> => {
    await turns.take(
      person,
      never,
      async () => {
        await Promise.resolve();
        now += ms;
      },
      freeMs,
    );
  };
  await read("avery", 200, 0);
  const flood = async (person: string): Promise<void> => {
    for (let sent = 0; sent < 500 && !served.isDone; sent += 1) {
      await read(person, 20, 50);
    }
  };
  const floods = ["one", "two", "three"].flatMap((person) => [flood(person), flood(person)]);
  const askedAt = now;
  await read("avery", 20, 50);
  served.isDone = true;
  expect(now - askedAt).toBeLessThan(1_000);
  await Promise.all(floods);
});

test("work that fails gives its place back, and whoever leaves while waiting is never served", async () => {
  const turns = createTurns(1);
  const begun: string[] = [];
  const first = gate(begun, "first");
  const second = gate(begun, "second");
  const running = turns.take("avery", never, first.work);
  const kept = turns.take("evan", never, second.work);
  const leaving = new AbortController();
  const left = turns.take("blake", leaving.signal, gate(begun, "left").work);
  const failing = turns.take("casey", never, () => Promise.reject(new Error("It failed")));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "request_abandoned" });
  first.end();
  second.end();
  await Promise.all([running, kept]);
  await expect(failing).rejects.toThrow("It failed");
  expect(await turns.take("drew", never, () => Promise.resolve("served"))).toBe("served");
  expect(begun).toEqual(["first", "second"]);
});
