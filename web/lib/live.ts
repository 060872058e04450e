// Live events: reads the ledger's stream and tells the hooks of what is on screen to look again; polls where there is no stream.
import { createParser } from "eventsource-parser";
import { open, whenSent } from "./http.ts";

export type Watcher = {
  /** Resolves when the newer answer is there, or could not be had. */
  readonly refresh: () => Promise<unknown>;
  /** The position of what is on screen; undefined where it is no ledger read or has not come yet. */
  readonly freshTo: () => number | undefined;
};

const watchers = new Set<Watcher>();

/** A burst of events refreshes at once and then at most once in this time. */
const settleMs = 1000;
/** After a refresh a read waits this many times as long as it took, so a list of many pages is read less often. */
const restFactor = 4;
/** But never longer than this: one slow answer must not leave a screen behind. */
const longestRestMs = 15_000;
const pollMs = 30_000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;
/** The server writes something at least this often, so a stream that is silent longer is dead. */
const silenceMs = 60_000;

/** Refreshes what is on screen when the ledger moves on; answers the function that ends it. */
export function watch(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** Reads again whatever is on screen. */
function refreshReads(): void {
  for (const { refresh } of watchers) {
    void refresh();
  }
}

// A refused mutation too: what is on screen may be why it was sent.
whenSent(refreshReads);

/** Follows the ledger until the function it answers is called. */
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

/** Refreshes every so often while somebody looks and no stream tells what is new; answers the function that ends it. */
export function pollWithoutStream(refresh: () => Promise<unknown>, everyMs: number): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === "visible" && !isStreaming) {
      void refresh();
    }
  }, everyMs);
  return () => clearInterval(timer);
}

async function keepListening(signal: AbortSignal): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await listen(signal, () => {
        retryMs = firstRetryMs;
      });
    } catch {
      // The polling above stands in until the stream is back.
    }
    isStreaming = false;
    await pause(retryMs, signal);
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  }
}

async function listen(signal: AbortSignal, onOpen: () => void): Promise<void> {
  const silence = new AbortController();
  const response = await open(
    "/live",
    AbortSignal.any([signal, silence.signal]),
    "text/event-stream",
  );
  if (response.body === null) {
    return;
  }
  isStreaming = true;
  onOpen();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  const decoder = new TextDecoder();
  const feed = progressReader(reach);
  try {
    for await (const chunk of chunksOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      feed(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
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

/** Takes a text/event-stream in pieces, wherever it is cut, and calls `onProgress` with each position in it. */
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

/** The furthest position of any read table in `{"projections": {"balances": 42}}`; NaN for anything else. */
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

/** When each read that follows the ledger may look again. */
const restingUntil = new WeakMap<Watcher, number>();

function refreshOlder(): void {
  if (settling !== undefined) {
    settling.again = true;
    return;
  }
  const current = { again: false };
  for (const watcher of watchers) {
    const shown = watcher.freshTo();
    if (shown !== undefined && shown < reached) {
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
  // One that never answers is not waited for any longer than a poll.
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
