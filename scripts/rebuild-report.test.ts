// Tests how `npm run rebuild` says what differs.
import { expect, test } from "vitest";
import type { Difference } from "#ledger/projection/compare.ts";
import type { Compared } from "#ledger/projection/rebuild.ts";
import { describe, describeTakenBack } from "./rebuild-report.ts";

const difference: Difference = {
  table: "balances",
  rows: 0,
  firstPosition: 0,
  otherColumns: [],
  samples: [],
  keyCount: 0,
  keys: [],
};

function compared(differences: readonly Difference[]): Compared {
  return { kind: "compared", differences };
}

test("columns that only one of the two tables has are named, not called no rows", () => {
  expect(describe({ ...difference, rows: 2 })).toBe("  balances: 2 rows differ");
  expect(describe({ ...difference, otherColumns: ["note", "tax_cents"] })).toBe(
    "  balances: 0 rows and the columns note, tax_cents differ",
  );
});

test("earlier tables with other columns are not offered to be shown anyway", () => {
  const refused = { kind: "refused", generation: 3, version: 1, differing: 2 } as const;
  expect(describeTakenBack("balances", refused, compared([{ ...difference, rows: 2 }]))).toBe(
    "balances: NOT switched back: 2 rows differ in the tables of generation 3 (--accept-differences shows them anyway)",
  );
  const found = [{ ...difference, otherColumns: ["note"] }];
  expect(describeTakenBack("balances", { ...refused, differing: 0 }, compared(found))).toBe(
    "balances: NOT switched back: 0 rows and the columns note differ in the tables of generation 3 (another program made them, so they cannot be shown)",
  );
});

test("earlier tables are shown in place of ones that get no further, if that is accepted", () => {
  const stuck = { kind: "stuck", reason: "The shown tables of balances get no further" } as const;
  const refused = { kind: "refused", generation: 3, differing: 0 } as const;
  expect(describeTakenBack("balances", refused, stuck)).toBe(
    "balances: NOT switched back: The shown tables of balances get no further (--accept-differences shows generation 3 anyway)",
  );
  expect(describeTakenBack("balances", { ...refused, kind: "taken-back" }, stuck)).toContain(
    "balances: generation 3 is shown again\n  The shown tables of balances get no further\n",
  );
});
