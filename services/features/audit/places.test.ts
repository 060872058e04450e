// What the audit log calls things: as every other screen does.
import { expect, it } from "vitest";
import { labelOfThing, placeForAdmin } from "#features/audit/places.ts";
import { shortTradeId } from "#features/trades/streams.ts";

const names = { people: new Map<string, string>(), items: new Map<string, string>() };
const id = "0192f0c1-2222-7000-8000-000000000002";

it("names a trade as its own screens do, by the first 8 characters, and one without an id as unknown", () => {
  expect(shortTradeId(id)).toBe("0192f0c1");
  expect(shortTradeId("")).toBe("unknown");
  expect(labelOfThing({ kind: "trade", id }, names, `trade-${id}`)).toBe("0192f0c1");
  expect(placeForAdmin(`trade:${id}:escrow`, names)).toMatchObject({
    label: "Held for trade 0192f0c1",
  });
  expect(labelOfThing({ kind: "sale", id }, names, `sale-${id}`)).toBe("0192F0C1");
});
