// The work thread: one job at a time next to the event loop, dropped when nobody waits for it, and always able to recover.
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { open } from "#http/access.ts";
import type { AppEnv } from "#http/env.ts";
import { createWorkThread } from "#http/work-thread.ts";
import type { Place, WorkThread } from "#http/work-thread.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import type * as ThreadWork from "#testing/service/thread-work.ts";
import type { ThreadJob } from "#testing/service/thread-work.ts";
import { letGo, newGate } from "#testing/service/thread-work.ts";

const MODULE = new URL("../testing/service/thread-work.ts", import.meta.url).href;

let thread: WorkThread;

beforeEach(() => {
  thread = createWorkThread();
});

afterEach(() => thread.close());

const never = (): AbortSignal => new AbortController().signal;

async function run(place: Place, job: ThreadJob, signal = never()): Promise<string> {
  return Buffer.from(await place.run<typeof ThreadWork>(MODULE, job, signal)).toString();
}

async function begun(gate: Int32Array): Promise<void> {
  await expect.poll(() => Atomics.load(gate, 0), { interval: 5 }).toBe(1);
}

describe("the work thread", () => {
  it("runs one job at a time, in the order of arrival, without blocking the event loop", async () => {
    const gate = newGate();
    const ended: string[] = [];
    const jobs: ThreadJob[] = [
      { kind: "wait", gate },
      { kind: "echo", text: "second" },
      { kind: "echo", text: "third" },
    ];
    const all = jobs.map(async (job, index) => {
      using place = thread.enter(`person ${index}`, 1);
      ended.push(await run(place, job));
    });
    // This test keeps running while the first job works without a pause.
    await begun(gate);
    expect(ended).toEqual([]);
    letGo(gate);
    await Promise.all(all);
    expect(ended).toEqual(["let go", "second", "third"]);
  });

  it("drops a queued job when nobody waits for it any more", async () => {
    const gate = newGate();
    const untouched = newGate();
    const first = run(thread.enter("a", 1), { kind: "wait", gate });
    await begun(gate);
    const gone = new AbortController();
    const second = run(thread.enter("b", 1), { kind: "wait", gate: untouched }, gone.signal);
    gone.abort();
    await expect(second).rejects.toMatchObject({ status: 400, code: "request_abandoned" });
    letGo(gate);
    await first;
    expect(await run(thread.enter("c", 1), { kind: "echo", text: "next" })).toBe("next");
    expect(Atomics.load(untouched, 0)).toBe(0);
  });

  it("ends a running job when nobody waits for it any more, and continues with the next", async () => {
    const gate = newGate();
    const gone = new AbortController();
    const first = run(thread.enter("a", 1), { kind: "wait", gate }, gone.signal);
    const second = run(thread.enter("b", 1), { kind: "echo", text: "second" });
    await begun(gate);
    gone.abort();
    await expect(first).rejects.toMatchObject({ status: 400, code: "request_abandoned" });
    // Nothing releases the first job: it ends because its thread ends.
    expect(await second).toBe("second");
  });

  it("starts nothing for a request that is already gone", async () => {
    const untouched = newGate();
    const gone = AbortSignal.abort();
    const job = run(thread.enter("a", 1), { kind: "wait", gate: untouched }, gone);
    await expect(job).rejects.toMatchObject({ code: "request_abandoned" });
    expect(await run(thread.enter("b", 1), { kind: "echo", text: "next" })).toBe("next");
    expect(Atomics.load(untouched, 0)).toBe(0);
  });

  it("gives a person one place and an admin more, and frees the place after the work", () => {
    const refusal = { status: 429, code: "work_underway", extras: { retryAfterSeconds: 10 } };
    const refused = (person: string, most: number) => {
      try {
        thread.enter(person, most);
        return undefined;
      } catch (error) {
        return error;
      }
    };
    {
      using _place = thread.enter("avery", 1);
      expect(refused("avery", 1)).toMatchObject(refusal);
      thread.enter("blake", 1)[Symbol.dispose]();
    }
    thread.enter("avery", 1)[Symbol.dispose]();
    const places = [1, 2, 3].map(() => thread.enter("admin", 3));
    expect(refused("admin", 3)).toMatchObject(refusal);
    // Three of the admin's and four of others' leave only the places reserved for admins.
    places.push(...[1, 2, 3, 4].map((number) => thread.enter(`person ${number}`, 1)));
    const full = { status: 503, code: "work_waiting", extras: { retryAfterSeconds: 10 } };
    expect(refused("one more", 1)).toMatchObject(full);
    places.push(...[1, 2, 3].map(() => thread.enter("another admin", 3)));
    expect(refused("a third admin", 3)).toMatchObject(full);
    places.slice(-4).forEach((place) => place[Symbol.dispose]());
    expect(refused("one more", 1)).toBeUndefined();
  });

  it("reports failures in it, also its own end, and the next job gets a new thread", async () => {
    await thread.close();
    thread = createWorkThread({ memoryMb: 32 });
    const wrong = [
      ["throw", "the pen broke"],
      ["exit", "ended with 3"],
      ["hoard", "memory limit"],
    ] as const;
    for (const [kind, message] of wrong) {
      await expect(run(thread.enter(kind, 1), { kind })).rejects.toThrow(message);
      expect(await run(thread.enter(`after ${kind}`, 1), { kind: "echo", text: kind })).toBe(kind);
    }
  }, 240_000);

  it("stops a job that takes far too long", async () => {
    await thread.close();
    thread = createWorkThread({ limitMs: 300 });
    const hanging = run(thread.enter("a", 1), { kind: "wait", gate: newGate() });
    await expect(hanging).rejects.toThrow("took too long");
  });

  it("keeps its thread for the next job, and ends it after a while without jobs", async () => {
    const which = () => {
      using place = thread.enter("a", 1);
      return run(place, { kind: "which-thread" });
    };
    expect(await which()).toBe(await which());
    await thread.close();
    thread = createWorkThread({ idleMs: 1 });
    const first = await which();
    await expect.poll(which).not.toBe(first);
  });

  it("ends with the service: running and waiting jobs get a 503, and nothing new starts", async () => {
    const gate = newGate();
    const first = run(thread.enter("a", 1), { kind: "wait", gate });
    await begun(gate);
    const jobs = [first, run(thread.enter("b", 1), { kind: "echo", text: "b" })];
    const closing = { status: 503, code: "closing" };
    const heard = Promise.all(jobs.map((job) => expect(job).rejects.toMatchObject(closing)));
    await thread.close();
    await heard;
    const late = run(thread.enter("c", 1), { kind: "echo", text: "c" });
    await expect(late).rejects.toMatchObject(closing);
  });
});

it("a failure in the thread is an opaque 500, and the log says what failed and where", async () => {
  const shop = await openTestApp({
    routes: [
      ({ workThread }) =>
        new Hono<AppEnv>().get("/drawing", open, async (c) => {
          using place = workThread.enter("a", 1);
          return c.body(
            await place.run<typeof ThreadWork>(MODULE, { kind: "throw" }, c.req.raw.signal),
          );
        }),
    ],
    projections: [],
  });
  try {
    const answer = await shop.call("GET", "/api/drawing");
    expect(answer).toMatchObject({ status: 500, body: { error: "internal_error" } });
    expect(JSON.stringify(answer.body)).not.toContain("pen");
    const logged = shop.errorLines.join("\n");
    expect(logged).toContain("the pen broke");
    expect(logged).toContain("thread-work.ts");
  } finally {
    await shop.close();
  }
});
