// A trade is named by the first characters of its id.
import { expect, it } from "vitest";
import { shortTradeId } from "./trade-words.ts";

it("names a trade by the first 8 characters, and one without an id as unknown", () => {
  expect(shortTradeId("0192f0c1-2222-7000-8000-000000000002")).toBe("0192f0c1");
  expect(shortTradeId("")).toBe("unknown");
});
