// The security log says the time that its order goes by.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { formatDayTime, formatTime } from "#web/lib/formats.ts";
import { NotedTime } from "./noted-time.tsx";

const [first, last] = ["2026-11-21T10:00:00.000Z", "2026-11-21T10:07:00.000Z"];
const textOf = (lastAt: string) =>
  renderToStaticMarkup(<NotedTime notedAt={first} lastAt={lastAt} />).replaceAll(/<[^>]*>/gu, "");

it("shows the first time, and until when where it happened again", () => {
  const at = formatDayTime(new Date(first));
  expect(textOf(first)).toBe(at);
  expect(textOf(last)).toBe(`${at} to ${formatTime(new Date(last))}`);
});
