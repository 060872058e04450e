// How an amount was calculated: the lines and their sum.
import type { Cents } from "#ledger/money.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Money } from "./money.tsx";

export type SumLine = {
  readonly label: string;
  readonly cents: Cents;
  /** A muted word after the label: "50%". */
  readonly hint?: string;
  /** Shows a plus, and a dash if nothing changes. */
  readonly isChange?: boolean;
};

type SumLinesProps = {
  readonly lines: readonly SumLine[];
  /** A negative balance is owed to the store; a negative amount is not. */
  readonly total?: SumLine & { readonly isBalance?: boolean };
};

export function SumLines({ lines, total }: SumLinesProps) {
  return (
    <dl className="flex flex-col rounded-card border border-border">
      {lines.map(({ label, cents, hint, isChange = false }) => (
        <div
          key={label}
          className="flex items-baseline justify-between gap-3 border-b border-border px-4 py-2 last:border-b-0"
        >
          <dt>
            {withIsolatedNames(label)}
            {hint === undefined ? null : <span className="text-muted"> {hint}</span>}
          </dt>
          <dd>
            <Money cents={cents} isChange={isChange} />
          </dd>
        </div>
      ))}
      {total === undefined ? null : (
        <div className="flex items-baseline justify-between gap-3 border-t border-border-strong px-4 py-2.5 font-semibold">
          <dt>{total.label}</dt>
          <dd>
            <Money cents={total.cents} isBalance={total.isBalance === true} />
          </dd>
        </div>
      )}
    </dl>
  );
}
