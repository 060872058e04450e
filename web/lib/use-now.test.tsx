// Tests that the time is never an old one, also on a screen that is opened after one without times.
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { useNow } from "./use-now.ts";

function Day() {
  return useNow().toDateString();
}

afterEach(() => {
  vi.useRealTimers();
});

it("a screen that is opened the morning after one without times has today's date", () => {
  // Later than the time at which the module was loaded.
  vi.useFakeTimers({ now: new Date(2099, 10, 26, 21) });
  expect(renderToStaticMarkup(<Day />)).toBe("Thu Nov 26 2099");
  vi.setSystemTime(new Date(2099, 10, 27, 8));
  expect(renderToStaticMarkup(<Day />)).toBe("Fri Nov 27 2099");
});

it("a clock that was set back is followed", () => {
  vi.useFakeTimers({ now: new Date(2099, 10, 26, 21) });
  expect(renderToStaticMarkup(<Day />)).toBe("Thu Nov 26 2099");
  vi.setSystemTime(new Date(2026, 10, 27, 8));
  expect(renderToStaticMarkup(<Day />)).toBe("Fri Nov 27 2026");
});
