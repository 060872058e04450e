// A payout whose handle is not known says why, and has no link that would pay nobody.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { HandleCell } from "./handle-cell.tsx";

const payout: PendingPayout = {
  id: "0192f0c1-2222-7000-8000-000000000002",
  consignorID: "avery",
  displayName: "Avery",
  isConsignorDeleted: false,
  amount: 3,
  method: "cashapp",
  paid: false,
  status: "pending",
  date: "2026-11-23T10:00:00.000Z",
  requestedBy: null,
  settledAt: null,
  returnedAt: null,
  claim: null,
  reference: null,
  withdrawn: false,
  returnReason: null,
  handle: "",
  handleId: "handle",
  handleChanged: false,
  cashAppLink: null,
  venmoUsername: null,
  venmoLink: null,
  ageSeconds: 0,
  balanceAfter: 0,
  lastReturn: null,
};

it("says that the old app named no handle, without anything to copy or to pay", () => {
  const shown = renderToStaticMarkup(<HandleCell payout={payout} />);
  expect(shown).toContain("No handle from the old app");
  expect(shown).not.toMatch(/<(?:a|button)/u);
  const erased = renderToStaticMarkup(<HandleCell payout={{ ...payout, handle: null }} />);
  expect(erased).toContain("the handle was erased");
});
