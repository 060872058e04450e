// Tests when a screen says that the server does not answer, against a real fetch signature.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { connection } from "./connection.ts";
import { read } from "./http.ts";
import { followLedger } from "./live.ts";

type Answer = () => Promise<Response>;

const startedAt = Date.parse("2026-11-27T04:02:48.000Z");
const gone: Answer = () => Promise.reject(new TypeError("no network"));
const there: Answer = () =>
  Promise.resolve(Response.json({}, { headers: { "X-Request-Id": "r" } }));

beforeEach(async () => {
  vi.useFakeTimers({ now: startedAt });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  await call(there);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function call(answer: Answer): Promise<void> {
  vi.stubGlobal("fetch", answer);
  await read("/anything", z.object({})).catch(() => undefined);
}

it("says since when the server has not answered, and no longer once it does", async () => {
  await call(gone);
  await vi.advanceTimersByTimeAsync(5_000);
  await call(gone);
  expect(connection()).toBe(startedAt);
  await call(there);
  expect(connection()).toBe("connected");
});

it("does not speak of a call that failed alone, nor of several at one moment", async () => {
  await call(gone);
  await call(gone);
  await vi.advanceTimersByTimeAsync(60_000);
  await call(there);
  await call(gone);
  expect(connection()).toBe("connected");
});

it("notices a server that is gone by the live stream alone, while nobody does anything", async () => {
  vi.stubGlobal("fetch", gone);
  const end = followLedger();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(connection()).toBe(startedAt);
  vi.stubGlobal("fetch", there);
  await vi.advanceTimersByTimeAsync(8_000);
  end();
  expect(connection()).toBe("connected");
});

it("notices a network that swallows every call, as a shop's Wi-Fi without internet does", async () => {
  const swallowed = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    });
  vi.stubGlobal("fetch", swallowed);
  const end = followLedger();
  await vi.advanceTimersByTimeAsync(90_000);
  end();
  expect(connection()).toEqual(expect.any(Number));
});

it("takes a proxy's word that the server is away, and the server's own refusal as an answer", async () => {
  const refusal = (headers: Record<string, string>) => () =>
    Promise.resolve(new Response("", { status: 503, headers }));
  await call(refusal({}));
  await vi.advanceTimersByTimeAsync(5_000);
  await call(refusal({}));
  expect(connection()).toBe(startedAt);
  await call(refusal({ "X-Request-Id": "r" }));
  expect(connection()).toBe("connected");
});

it("gives the server its time again after the browser was offline", async () => {
  await call(gone);
  vi.stubGlobal("navigator", { onLine: false });
  expect(connection()).toBe("offline");
  await vi.advanceTimersByTimeAsync(60_000);
  await call(gone);
  vi.stubGlobal("navigator", { onLine: true });
  await call(gone);
  expect(connection()).toBe("connected");
});
