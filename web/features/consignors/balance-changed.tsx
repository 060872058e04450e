// What happened to a balance while the form about it was open: from here on the form counts from the new one.
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Cents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { Icon } from "#web/ui/icon.tsx";

type BalanceChangedProps = { readonly was: Cents; readonly now: Cents };

/** Mounted anew for each answer, it takes the focus: what it says comes before all else. */
export function BalanceChanged({ was, now }: BalanceChangedProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p
      ref={ref}
      tabIndex={-1}
      role="alert"
      aria-label="Changed meanwhile"
      className="flex items-start gap-2 rounded-card bg-pending-tint p-4 font-medium text-pending"
    >
      <Icon of={TriangleAlert} className="mt-0.5" />
      <span>
        {`The balance changed since you opened this: it was ${formatMoney(was)}, now it is ${formatMoney(now)}. Nothing was saved: check the change below, then save.`}
      </span>
    </p>
  );
}
