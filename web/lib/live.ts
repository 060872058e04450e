// Live events: reads the ledger's stream and refreshes the reads on screen. Polls while there is no stream.
import { createParser } from "eventsource-parser";
import { noteHeard, noteSilence } from "./connection.ts";
import { open, whenSent } from "./http.ts";

export type Watcher = {
  /** Resolves when the newer answer has arrived or failed. */
  readonly refresh: () => Promise<unknown>;
  /** The position of what is on screen; undefined if it is not a ledger read or has not loaded yet. */
  readonly freshTo: () => number | undefined;
};

const watchers = new Set<Watcher>();

/** A burst of events refreshes at once and then at most once in this time. */
const settleMs = 1000;
/** After a refresh, a read waits this many times as long as the refresh took, so that long lists are read less often. */
const restFactor = 2;
/** The longest wait, so that one slow answer cannot stop a screen's updates. */
const longestRestMs = 5_000;
const pollMs = 30_000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;
/** The server writes something at least this often, so a stream without data for longer is dead. */
const silenceMs = 60_000;
/** A stream that has not begun after this long is asked for again. */
const openMs = 20_000;

/** Refreshes a read on screen when the ledger advances. Returns a function that ends it. */
export function watch(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** Whether the ledger has moved since the answer that has this position; false where it follows no ledger. */
function isBehind(freshTo: number | undefined): boolean {
  return freshTo !== undefined && freshTo < reached;
}

/** Reads everything on screen again. */
function refreshReads(): void {
  for (const { refresh } of watchers) {
    void refresh();
  }
}

// Also after a refused mutation: outdated data on screen may be the reason for it.
whenSent(refreshReads);

/** Follows the ledger until the returned function is called. */
export function followLedger(): () => void {
  const ended = new AbortController();
  void keepListening(ended.signal);
  const timer = setInterval(() => {
    if (document.visibilityState === "visible" && !isStreaming) {
      refreshReads();
    }
  }, pollMs);
  ended.signal.addEventListener("abort", () => clearInterval(timer));
  return () => ended.abort();
}

let isStreaming = false;

/** Refreshes at this interval while the page is visible and there is no stream. Returns the function that stops it. */
export function pollWithoutStream(refresh: () => Promise<unknown>, everyMs: number): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === "visible" && !isStreaming) {
      void refresh();
    }
  }, everyMs);
  return () => clearInterval(timer);
}

/**
 * Over HTTP/1.1 a browser has six connections to a server for all its tabs. A hidden tab gives up its stream, and has
 * a new one when it is shown again.
 */
function isHidden(): boolean {
  return document.visibilityState === "hidden";
}

/** Resolves when the tab is shown, or at the signal. */
async function shown(signal: AbortSignal): Promise<void> {
  while (isHidden() && !signal.aborted) {
    const heard = new AbortController();
    await new Promise<void>((resolve) => {
      const untilHeard = { signal: heard.signal };
      document.addEventListener("visibilitychange", () => resolve(), untilHeard);
      signal.addEventListener("abort", () => resolve(), untilHeard);
    });
    heard.abort();
  }
}

async function keepListening(signal: AbortSignal): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    await shown(signal);
    try {
      await listen(signal, () => {
        retryMs = firstRetryMs;
      });
    } catch {
      // Until the stream is back, the polling above replaces it.
    }
    isStreaming = false;
    if (!isHidden()) {
      await pause(retryMs, signal);
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    }
  }
}

async function listen(signal: AbortSignal, onOpen: () => void): Promise<void> {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUpAfter = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      noteSilence();
      ended.abort();
      // A token that is being renewed does not end with the call.
      giveUpAfter(openMs);
    }, ms);
  };
  giveUpAfter(openMs);
  const whileOpen = { signal: ended.signal };
  document.addEventListener("visibilitychange", () => isHidden() && ended.abort(), whileOpen);
  try {
    const response = await open(
      "/live",
      AbortSignal.any([signal, ended.signal]),
      "text/event-stream",
    );
    if (response.body === null) {
      return;
    }
    isStreaming = true;
    onOpen();
    giveUpAfter(silenceMs);
    const decoder = new TextDecoder();
    const feed = progressReader(reach);
    for await (const chunk of chunksOf(response.body)) {
      noteHeard();
      giveUpAfter(silenceMs);
      feed(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** Safari cannot iterate over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads a text/event-stream in chunks, wherever they are split, and calls `onProgress` with each position in it. */
export function progressReader(onProgress: (position: number) => void): (piece: string) => void {
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "progress") {
        onProgress(positionIn(data));
      }
    },
  });
  return (piece) => parser.feed(piece);
}

/** The highest position of any read table in `{"projections": {"balances": 42}}`; NaN for anything else. */
export function positionIn(data: string): number {
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed !== "object" || parsed === null || !("projections" in parsed)) {
      return Number.NaN;
    }
    return Math.max(...Object.values(parsed.projections ?? {}).map(Number));
  } catch {
    return Number.NaN;
  }
}

let reached = 0;
let settling: { again: boolean } | undefined;

/** Refreshes what is older than `position`. */
export function reach(position: number): void {
  if (Number.isSafeInteger(position)) {
    reached = position;
    refreshOlder();
  }
}

/** For an answer that arrives after an event that it does not include: nothing else would refresh it. */
export function catchUp(freshTo: number | undefined): void {
  if (isBehind(freshTo)) {
    refreshOlder();
  }
}

/** When each read that follows the ledger may be refreshed again. */
const restingUntil = new WeakMap<Watcher, number>();

function refreshOlder(): void {
  if (settling !== undefined) {
    settling.again = true;
    return;
  }
  const current = { again: false };
  for (const watcher of watchers) {
    if (isBehind(watcher.freshTo())) {
      if (performance.now() < (restingUntil.get(watcher) ?? 0)) {
        current.again = true;
      } else {
        void follow(watcher);
      }
    }
  }
  settling = current;
  setTimeout(() => {
    settling = undefined;
    if (current.again) {
      refreshOlder();
    }
  }, settleMs);
}

async function follow(watcher: Watcher): Promise<void> {
  const startedAt = performance.now();
  // A read that never answers is waited for no longer than a poll.
  restingUntil.set(watcher, startedAt + pollMs);
  try {
    await watcher.refresh();
  } finally {
    const endedAt = performance.now();
    const restMs = Math.min(longestRestMs, restFactor * (endedAt - startedAt));
    restingUntil.set(watcher, endedAt + restMs);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
