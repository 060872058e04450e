// Every amount on every screen: tabular figures, a true minus, sign before colour, and words where a balance is below zero.
import { OctagonAlert } from "lucide-react";
import type { Cents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Icon } from "./icon.tsx";

type MoneyProps = {
  readonly cents: Cents;
  /** Shows a plus as well, and credits in green: for changes, not for balances. */
  readonly isChange?: boolean;
  /** For balances: one below zero says "owed to the store", in the colour of danger. */
  readonly isBalance?: boolean;
  readonly className?: string;
};

export function Money({ cents, isChange = false, isBalance = false, className = "" }: MoneyProps) {
  const colour =
    isChange && cents > 0 ? "text-credit" : isBalance && cents < 0 ? "text-danger" : "";
  const amount = (
    <span className={`tabular-nums whitespace-nowrap ${colour} ${className}`}>
      {formatMoney(cents, isChange)}
    </span>
  );
  return isBalance && cents < 0 ? (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1">
      {amount}
      <span className="inline-flex items-center gap-1 text-12 font-normal tracking-normal whitespace-nowrap text-danger">
        <Icon of={OctagonAlert} size={14} />
        owed to the store
      </span>
    </span>
  ) : (
    amount
  );
}
