// One count of the drawer: what was expected and of which parts, what was counted, by whom, and why it differs.
import type { TillClosing } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay, formatMoney } from "#web/lib/formats.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { expectedParts } from "./expected-parts.ts";
import { dayDate, differenceText } from "./till-words.ts";

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
      <NewOpening closing={closing} />
      <p className="text-muted">
        {`Counted by ${closing.closedBy.displayName}, `}
        <DateTime at={closing.closedAt} />
        {closing.note === null ? null : `. ${closing.note}`}
      </p>
    </>
  );
}

/** The day before was counted again after this count. */
function NewOpening({ closing }: { readonly closing: TillClosing }) {
  const { newOpening, openingAmount, expectedAmount } = closing;
  if (newOpening === null) {
    return null;
  }
  const changeCents = toCents(newOpening.amount) - toCents(openingAmount);
  const expected = formatMoney(toCents(expectedAmount) + changeCents);
  return (
    <p className="text-pending">
      {`${formatDay(dayDate(newOpening.day))} was counted again and left ${formatMoney(toCents(newOpening.amount))}. ` +
        `With that at opening, ${expected} is expected here. Count this day again.`}
    </p>
  );
}
