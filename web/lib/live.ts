// Live events: reads the ledger's stream and tells the hooks of what is on screen to look again; polls where there is no stream.
import { noticePosition, open } from "./http.ts";

type Watcher = { readonly path: string; readonly refresh: () => void };

const watchers = new Set<Watcher>();

/** Bursts of events refresh at once and then at most once in this time. */
const settleMs = 400;
const pollMs = 30_000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;
/** The server writes something at least this often, so a stream that is silent longer is dead. */
const silenceMs = 60_000;

/** Calls `refresh` when the ledger moved on; answers the function that ends it. */
export function watch(path: string, refresh: () => void): () => void {
  const watcher = { path, refresh };
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** Looks again at every read on screen whose path begins with one of these; with none, at all of them. */
export function refreshReads(...prefixes: readonly string[]): void {
  for (const { path, refresh } of watchers) {
    if (prefixes.length === 0 || prefixes.some((prefix) => path.startsWith(prefix))) {
      refresh();
    }
  }
}

/** The data of each whole event in a text/event-stream, and what is left of an unfinished one. */
export function eventsIn(text: string): { events: { name: string; data: string }[]; rest: string } {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.flatMap((block) => {
    const fields = block.split("\n").map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line));
    const valuesOf = (name: string) =>
      fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ""] : []));
    const data = valuesOf("data");
    return data.length === 0
      ? []
      : [{ name: valuesOf("event").at(-1) ?? "message", data: data.join("\n") }];
  });
  return { events, rest };
}

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
  // What happened while we were not listening.
  refreshSoon();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  let pending = "";
  try {
    const decoder = new TextDecoder();
    for await (const chunk of chunksOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const { events, rest } = eventsIn(pending + decoder.decode(chunk, { stream: true }));
      pending = rest;
      if (events.length > 0) {
        events.forEach(({ data }) => noticePosition(positionIn(data)));
        refreshSoon();
      }
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

function positionIn(data: string): number {
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === "object" && parsed !== null && "position" in parsed
      ? Number(parsed.position)
      : Number(parsed);
  } catch {
    return Number.NaN;
  }
}

let settling: { again: boolean } | undefined;

function refreshSoon(): void {
  if (settling !== undefined) {
    settling.again = true;
    return;
  }
  refreshReads();
  const current = { again: false };
  settling = current;
  setTimeout(() => {
    settling = undefined;
    if (current.again) {
      refreshSoon();
    }
  }, settleMs);
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
