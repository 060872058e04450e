// Says that the balance changed while the form was open. From then on the form counts from the new balance.
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Cents } from "#ledger/money.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";

type BalanceChangedProps = { readonly was: Cents; readonly now: Cents };

/** Remounted for each answer, it takes the focus, because it must be read first. */
export function BalanceChanged({ was, now }: BalanceChangedProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p
      ref={ref}
      tabIndex={-1}
      role="alert"
      aria-label="Changed since you opened this"
      className="flex items-start gap-2 rounded-card bg-pending-tint p-4 font-medium text-pending"
    >
      <Icon of={TriangleAlert} className="mt-0.5" />
      <span>
        The balance changed since you opened this: it was <Money cents={was} />, now it is{" "}
        <Money cents={now} />. Nothing was saved. Check the change below, then save.
      </span>
    </p>
  );
}
