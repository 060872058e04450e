// The round amounts that a customer is most likely to hand over for a total: the till's payment offers them as buttons.
import type { Cents } from "#ledger/money.ts";

/** The notes that customers hand over most. */
const usualNotes: readonly Cents[] = [20_00, 50_00];
/** Above them: the next ten, fifty and hundred. */
const steps: readonly Cents[] = [10_00, 50_00, 100_00];
const offered = 2;

/** $20 and $50 where they cover the total, otherwise the next round amounts above it; the smaller first. */
export function quickCash(totalCents: Cents): readonly Cents[] {
  const covering = usualNotes.filter((cents) => cents >= totalCents);
  const above = steps.map((step) => (Math.floor(totalCents / step) + 1) * step);
  const beyond = Math.max(...above) + 50_00;
  return [...new Set([...covering, ...above, beyond])]
    .slice(0, offered)
    .toSorted((one, other) => one - other);
}
