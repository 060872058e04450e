// What the page asked for before the app ran is used once, only if it was answered, and only for the same person.
import { beforeEach, expect, test, vi } from "vitest";
import type { Opening } from "#web/lib/opening.ts";

beforeEach(() => vi.resetModules());

/** The module as a page with these answers loads it. */
function loaded(session: Opening["session"], reads: Readonly<Record<string, Promise<Response>>>) {
  globalThis.opening = { session, reads: new Map(Object.entries(reads)) };
  return import("#web/lib/opening.ts");
}

const answer = (status = 200) => Promise.resolve(new Response("{}", { status }));

test("the token's answer is given out once, and its name is gone at once", async () => {
  const { takeOpenedSession } = await loaded(answer(), {});
  expect(globalThis.opening).toBeUndefined();
  expect((await takeOpenedSession())?.status).toBe(200);
  expect(await takeOpenedSession()).toBeUndefined();
});

test("a refused renewal is given out, because it says that the session has ended", async () => {
  const { takeOpenedSession } = await loaded(answer(401), {});
  expect((await takeOpenedSession())?.status).toBe(401);
});

test("a renewal without an answer counts as none", async () => {
  const { takeOpenedSession } = await loaded(Promise.reject(new TypeError("offline")), {});
  expect(await takeOpenedSession()).toBeUndefined();
});

test("a first read is given out once", async () => {
  const { takeFirstRead } = await loaded(answer(), { "/auth/me": answer() });
  expect((await takeFirstRead("/auth/me"))?.status).toBe(200);
  expect(await takeFirstRead("/auth/me")).toBeUndefined();
  expect(await takeFirstRead("/proof")).toBeUndefined();
});

test("a first read that was refused or not answered is asked for again", async () => {
  const { takeFirstRead } = await loaded(answer(), {
    "/proof": answer(503),
    "/auth/me": Promise.reject(new TypeError("offline")),
  });
  expect(await takeFirstRead("/proof")).toBeUndefined();
  expect(await takeFirstRead("/auth/me")).toBeUndefined();
});

test("whoever signs in next does not get the answers of the person before", async () => {
  const { forgetFirstReads, takeFirstRead } = await loaded(answer(), { "/auth/me": answer() });
  forgetFirstReads();
  expect(await takeFirstRead("/auth/me")).toBeUndefined();
});

test("a page without its own script starts as before", async () => {
  globalThis.opening = undefined;
  const { takeFirstRead, takeOpenedSession } = await import("#web/lib/opening.ts");
  expect(await takeOpenedSession()).toBeUndefined();
  expect(await takeFirstRead("/auth/me")).toBeUndefined();
});
