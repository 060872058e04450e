// A date that is missing or cannot be read says so.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DateTime } from "./date-time.tsx";

it("shows a date that cannot be read as Invalid Date, and a missing one with its reason", () => {
  expect(renderToStaticMarkup(<DateTime at="the day before" />)).toContain("Invalid Date");
  expect(renderToStaticMarkup(<DateTime at={null} />)).toContain("no date");
  expect(renderToStaticMarkup(<DateTime at="2026-11-21T10:00:00.000Z" />)).toContain("<time");
});
