// Tests which days a ledger line names: a correction in the order of what had happened has that of its sale first.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LineDate } from "./line-date.tsx";

const correction = {
  happenedAt: "2026-07-23T12:00:00.000Z",
  recordedAt: "2026-07-23T12:00:01.000Z",
  effectiveAt: "2026-07-16T12:00:00.000Z",
  isLate: false,
};

const textOf = (byHappened: boolean): string =>
  renderToStaticMarkup(<LineDate line={correction} byHappened={byHappened} />).replaceAll(
    /<[^>]*>/gu,
    "",
  );

it("says of a correction from which day it counts, where lines go by what had happened", () => {
  expect(textOf(true)).toMatch(/16[^,]*, corrected .*23/u);
  expect(textOf(false)).not.toContain("16");
});
