// Tests the payout dialog's checks: the specified sentences, and limits to the cent.
import { assert, property, string } from "fast-check";
import { expect, it } from "vitest";
import { checkedRequest, draftErrors, type PayoutDraft } from "./payout-draft.ts";
import { forcePrefix } from "#web/shared/payout/force-prefix.ts";
import { seemsUnusual } from "#web/shared/payout/handle-draft.ts";

const good: PayoutDraft = {
  method: "cashapp",
  handles: { cashapp: "$avery", venmo: "@" },
  amount: "25.00",
};

it("turns a valid draft into the request", () => {
  expect(draftErrors(good, 2500)).toEqual({});
  expect(checkedRequest(good)).toEqual({
    amount: 25,
    method: "cashapp",
    paymentUsername: "$avery",
  });
});

it("reports missing fields in the specified words", () => {
  expect(draftErrors({ ...good, method: "", amount: "" }, 2500)).toEqual({
    method: "Please select a payment method",
    amount: "Please enter a valid amount",
  });
  expect(draftErrors({ ...good, amount: "0" }, 2500).amount).toBe("Please enter a valid amount");
  expect(draftErrors({ ...good, method: "venmo" }, 2500)).toHaveProperty("paymentUsername");
});

it("rejects one cent more than the balance and names the balance", () => {
  expect(draftErrors({ ...good, amount: "25.01" }, 2500)).toEqual({
    amount: "Cannot request more than your current balance of $25.00",
  });
});

it("starts a handle with its prefix exactly once, whatever is typed", () => {
  expect(forcePrefix("cashapp", "avery")).toBe("$avery");
  expect(forcePrefix("cashapp", "$$avery")).toBe("$avery");
  expect(forcePrefix("cashapp", "")).toBe("$");
  expect(forcePrefix("venmo", " @avery")).toBe("@avery");
  assert(
    property(string(), (typed) => {
      const once = forcePrefix("venmo", typed);
      expect(once.startsWith("@")).toBe(true);
      expect(once.startsWith("@@")).toBe(false);
      expect(forcePrefix("venmo", once)).toBe(once);
    }),
  );
});

it("warns about an unusual handle without rejecting it", () => {
  const unusual = { ...good, handles: { ...good.handles, cashapp: "$1" } };
  expect(seemsUnusual(unusual)).toBe(true);
  expect(draftErrors(unusual, 2500)).toEqual({});
  expect(seemsUnusual(good)).toBe(false);
});
