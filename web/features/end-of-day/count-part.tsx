// One count of the drawer: what was expected and of which parts, what was counted, by whom, and why it differs.
import type { TillClosing } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { expectedParts } from "./expected-parts.ts";
import { differenceText } from "./till-words.ts";

export function CountPart({ closing }: { readonly closing: TillClosing }) {
  return (
    <>
      <SumLines
        lines={expectedParts(closing)}
        total={{ label: "Expected in the drawer", cents: toCents(closing.expectedAmount) }}
      />
      <SumLines
        lines={[
          { label: "Counted", cents: toCents(closing.countedAmount) },
          { label: "Difference", cents: toCents(closing.differenceAmount), isChange: true },
          { label: "Stayed for the next day", cents: toCents(closing.leftAmount) },
        ]}
      />
      <p className="text-16 font-semibold">{differenceText(toCents(closing.differenceAmount))}</p>
      <p className="text-muted">
        {`Counted by ${closing.closedBy.displayName}, `}
        <DateTime at={closing.closedAt} />
        {closing.note === null ? null : `. ${closing.note}`}
      </p>
    </>
  );
}
