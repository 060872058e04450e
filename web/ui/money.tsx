// Every amount on every screen: tabular figures, a true minus, never color alone, and words for negative balances.
import { OctagonAlert } from "lucide-react";
import type { Cents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Icon } from "./icon.tsx";
import { Unknown } from "./unknown.tsx";

type MoneyProps = {
  readonly cents: Cents;
  /** For changes, not for balances: also shows a plus, credits in green, and a dash if nothing changes. */
  readonly isChange?: boolean;
  /** For balances: a negative one says "owed to the store" in the danger color. */
  readonly isBalance?: boolean;
  readonly className?: string;
};

export function Money({ cents, isChange = false, isBalance = false, className = "" }: MoneyProps) {
  if (isChange && cents === 0) {
    return <Unknown reason="no change" />;
  }
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
      <span className="inline-flex items-baseline gap-1 text-12 font-normal tracking-normal whitespace-nowrap text-danger">
        <Icon of={OctagonAlert} size={14} className="self-center" />
        owed to the store
      </span>
    </span>
  ) : (
    amount
  );
}
