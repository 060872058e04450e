// The demo says what was upgraded in a store that an older version made, and what became of its sample.
import { expect, it } from "vitest";
import { describeUpgrade } from "./upgrade-report.ts";

const nothing = { migrations: [], rebuilt: [] };
const complete = { kind: "loaded", commands: 900, alreadyThere: 0, leftOut: 0 } as const;

it("says nothing of a new store, and nothing of one that is as it was left", () => {
  expect(describeUpgrade(nothing, complete)).toBeNull();
  expect(describeUpgrade(nothing, { kind: "kept" })).toBeNull();
});

it("names migrations and tables, and says that the sample was left alone", () => {
  const upgraded = { migrations: ["0104_one", "0105_two"], rebuilt: ["sales", "reports"] };
  expect(describeUpgrade(upgraded, { kind: "kept" })).toBe(
    "This store was made by an older version and is upgraded now: 2 migrations applied (0104_one, 0105_two); " +
      "read tables built again: sales, reports. Its sample stays as it was: nothing was added.",
  );
  const many = { migrations: ["0103_a", "0104_b", "0105_c"], rebuilt: [] };
  expect(describeUpgrade(many, { kind: "kept" })).toContain(
    "3 migrations applied (0103_a to 0105_c).",
  );
});

it("says how many commands of the sample were added to a store that lacked them", () => {
  const continued = { kind: "loaded", commands: 900, alreadyThere: 880, leftOut: 5 } as const;
  expect(describeUpgrade(nothing, continued)).toBe(
    "The sample was not complete: 15 of its 900 commands were added; 5 were left out, because they no longer fit.",
  );
});
