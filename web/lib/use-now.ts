// The current time, to the minute. Ages and "this year" are counted from it, the same in every part of a screen.
import { useSyncExternalStore } from "react";

const tickMs = 60_000;
const listeners = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = new Date();
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function nowOf(): Date {
  // Nothing ticks while nothing on screen shows a time: whoever asks first after that must not get an old one, nor one
  // from before the device's clock was set back.
  if (timer === undefined && Math.abs(Date.now() - now.getTime()) >= tickMs) {
    now = new Date();
  }
  return now;
}

export function useNow(): Date {
  return useSyncExternalStore(subscribe, nowOf, nowOf);
}
