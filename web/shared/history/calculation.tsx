// How a ledger line's amount came about, as lines that add up to it.
import { toCents } from "#ledger/money.ts";
import { SumLines } from "#web/ui/sum-lines.tsx";

type CalculationProps = {
  /** The last one is the sum of the others. Empty if there is nothing to calculate. */
  readonly steps: readonly { readonly label: string; readonly amount: number }[];
  /** False if somebody else than its consignor reads it. */
  readonly isOwn: boolean;
};

/** The ledger words its steps for the consignor. */
function labelFor(label: string, isOwn: boolean): string {
  return isOwn
    ? label
    : label.replace("Your share", "Consignor share").replace("your share", "the consignor share");
}

export function Calculation({ steps, isOwn }: CalculationProps) {
  const lines = steps.map(({ label, amount }) => ({
    label: labelFor(label, isOwn),
    cents: toCents(amount),
  }));
  const total = lines.at(-1);
  return total === undefined ? null : (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">Calculation</h3>
      <SumLines lines={lines.slice(0, -1)} total={total} />
    </section>
  );
}
