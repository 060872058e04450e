// How the time left is written.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Countdown, formatLeft } from "./countdown.tsx";

it.each([
  [48 * 3_600_000, "2 days"],
  [48 * 3_600_000 - 3_000, "2 days"],
  [86_400_000 + 3_661_000, "1 day"],
  [86_400_000 - 1_000, "23:59:59"],
  [3 * 3_600_000 + 12 * 60_000 + 5_000, "3:12:05"],
  [245_000, "4:05"],
  [1, "0:01"],
])("says how long is left: %i ms", (ms, text) => {
  expect(formatLeft(ms)).toBe(text);
});

it.each([
  ["2020-01-01T00:00:00.000Z", "Expired"],
  ["tomorrow, perhaps", "N/A"],
  ["2999-01-01T00:00:00.000Z", " left"],
])("of an offer until %s shows %s", (until, text) => {
  expect(renderToStaticMarkup(createElement(Countdown, { until }))).toContain(text);
});
