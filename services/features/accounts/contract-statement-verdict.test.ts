// What a checked statement's verdict says in words.
import { expect, test } from "vitest";
import type { StatementProof } from "#features/accounts/contract-statement-proof.ts";
import { nothingLater } from "#features/accounts/contract-statement-verdict.ts";

test("that nothing touches a statement's period is only said of what was recorded since it was issued", () => {
  const none = { count: 0, amount: 0 };
  const later = { late: none, refunds: none, changes: none };
  const proof = { position: 1_016 } as StatementProof;
  expect(nothingLater(proof, { ...later, through: 2_210 })).toBe(
    "Nothing that was recorded since it was issued (positions 1,017 to 2,210) touches its period.",
  );
  expect(nothingLater(proof, { ...later, through: 1_016 })).toBe(
    "Nothing was recorded since it was issued.",
  );
});
