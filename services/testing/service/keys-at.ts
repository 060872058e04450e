// Timed keys for browser tests: a scanner's burst and a person's typing look the same on a busy machine.
import type { CDPSession, Page } from "playwright-core";

type EndKey = "Enter" | "Tab";

export type Keys = {
  /** Like a keyboard wedge: a key every `gapMs`, followed by Enter, Tab or both. */
  readonly scan: (code: string, gapMs?: number, ...end: readonly EndKey[]) => Promise<void>;
  /** Like a fast typist; if `end` is given, it follows the last key at the same pace. */
  readonly type: (text: string, end?: EndKey) => Promise<void>;
  /** Each key after the first follows after its entry in `gapsMs`. */
  readonly strokes: (keys: readonly string[], gapsMs: readonly number[]) => Promise<void>;
  readonly press: (key: EndKey) => Promise<void>;
  /** Holds a key down until it has repeated `times` times. */
  readonly hold: (key: string, times: number) => Promise<void>;
};

/** A fast typist's pace. */
const handMs = 90;
/** Between one action and the next. */
const restMs = 600;
/** How fast a held key repeats. */
const repeatMs = 30;
/**
 * The keys' times are this far ahead. The browser counts from the clock as it was when the browser started: if the
 * clock was set back since, keys at its present time lie before the page's beginning, and all get the time 0.
 */
const aheadMs = 24 * 60 * 60 * 1000;

const named: Readonly<Record<string, object>> = {
  Enter: { code: "Enter", text: "\r", windowsVirtualKeyCode: 13 },
  Tab: { code: "Tab", windowsVirtualKeyCode: 9 },
  ArrowDown: { code: "ArrowDown", windowsVirtualKeyCode: 40 },
  " ": { code: "Space", text: " ", windowsVirtualKeyCode: 32 },
};

function strike(client: CDPSession, key: string, atMs: number) {
  const common = { key, ...(named[key] ?? { text: key }), timestamp: atMs / 1000 };
  return Promise.all([
    client.send("Input.dispatchKeyEvent", { ...common, type: "keyDown" }),
    client.send("Input.dispatchKeyEvent", { ...common, type: "keyUp" }),
  ]);
}

/** The times of the events only go forward, ahead of the clock, so press this page's keys only this way. */
export async function keysAt(page: Page): Promise<Keys> {
  const client = await page.context().newCDPSession(page);
  let atMs = 0;

  async function strokes(keys: readonly string[], gapsMs: readonly number[]): Promise<void> {
    atMs = Math.max(Date.now() + aheadMs, atMs + restMs);
    const struck = keys.map((key, index) => {
      atMs += index === 0 ? 0 : (gapsMs[index - 1] ?? 0);
      return strike(client, key, atMs);
    });
    await Promise.all(struck);
  }

  function all(keys: readonly string[], gapMs: number): Promise<void> {
    return strokes(
      keys,
      keys.slice(1).map(() => gapMs),
    );
  }

  return {
    scan: (code, gapMs = 8, ...end) =>
      all([...Array.from(code), ...(end.length === 0 ? ["Enter"] : end)], gapMs),
    type: (text, end) => all([...Array.from(text), ...(end === undefined ? [] : [end])], handMs),
    strokes,
    press: (key) => all([key], 0),
    async hold(key, times) {
      atMs = Math.max(Date.now() + aheadMs, atMs + restMs);
      await Promise.all(
        Array.from({ length: times }, (_, index) =>
          client.send("Input.dispatchKeyEvent", {
            type: "keyDown",
            key,
            text: key,
            autoRepeat: index > 0,
            timestamp: (atMs + index * repeatMs) / 1000,
          }),
        ),
      );
      atMs += times * repeatMs;
      await client.send("Input.dispatchKeyEvent", { type: "keyUp", key, timestamp: atMs / 1000 });
    },
  };
}
