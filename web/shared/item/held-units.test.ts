// Tests what is said of units that are held, where somebody counts a shelf.
import { expect, it } from "vitest";
import { countingNote } from "./held-units.tsx";

it("who counts a shelf is told to leave out the units that trades hold", () => {
  expect(countingNote({ unitsInTrades: 2 })).toBe(
    "2 more held for trades: leave them out of the count",
  );
});
