// Keys with times of their own for tests that drive a browser: a scanner's burst and a hand's typing stay what they are on a busy machine.
import type { CDPSession, Page } from "playwright-core";

type EndKey = "Enter" | "Tab";

export type Keys = {
  /** As a keyboard wedge does it: a key every `gapMs`, with Enter, Tab or both behind. */
  readonly scan: (code: string, gapMs?: number, ...end: readonly EndKey[]) => Promise<void>;
  /** As a quick hand does it; the last key is followed by `end` at the same pace, where it is given. */
  readonly type: (text: string, end?: EndKey) => Promise<void>;
  /** Each key after the first as late as `gapsMs` says. */
  readonly strokes: (keys: readonly string[], gapsMs: readonly number[]) => Promise<void>;
  readonly press: (key: EndKey) => Promise<void>;
  /** Holds a key down until it has come `times` times. */
  readonly hold: (key: string, times: number) => Promise<void>;
};

/** A quick hand's pace. */
const handMs = 90;
/** Between one act and the next. */
const restMs = 600;
/** How fast a held key comes again. */
const repeatMs = 30;

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

/** The times of the events only ever go forward, ahead of the clock if need be: so press no key of this page otherwise. */
export async function keysAt(page: Page): Promise<Keys> {
  const client = await page.context().newCDPSession(page);
  let atMs = 0;

  async function strokes(keys: readonly string[], gapsMs: readonly number[]): Promise<void> {
    atMs = Math.max(Date.now(), atMs + restMs);
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
      atMs = Math.max(Date.now(), atMs + restMs);
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
