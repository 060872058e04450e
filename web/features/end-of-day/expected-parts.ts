// What the expected amount of a count is made of, so that anybody can add it up on screen. Pure.
import type { TillClosing } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import type { SumLine } from "#web/ui/sum-lines.tsx";

type Expected = Pick<TillClosing, "payments" | "openingAmount" | "paidInAmount" | "paidOutAmount">;

/** They add up to `expectedAmount`. */
export function expectedParts(closing: Expected): readonly SumLine[] {
  const cash = closing.payments.find(({ tender }) => tender === "cash");
  // Subtracted from 0, as a plain minus would turn 0 into −0.
  return [
    { label: "At opening", cents: toCents(closing.openingAmount) },
    { label: "Cash sales", cents: toCents(cash?.soldAmount ?? 0) },
    { label: "Cash refunds", cents: 0 - toCents(cash?.refundedAmount ?? 0) },
    { label: "Put in", cents: toCents(closing.paidInAmount) },
    { label: "Taken out", cents: 0 - toCents(closing.paidOutAmount) },
  ];
}
