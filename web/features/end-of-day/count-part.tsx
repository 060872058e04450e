// One count of the drawer: what was expected and of which parts, what was counted, by whom, and why it differs.
import type { TillClosing, TillDayResponse } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay, formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { draftOf, expectedOf } from "./count-draft.ts";
import { expectedParts } from "./expected-parts.ts";
import { dayDate, differenceText } from "./till-words.ts";

type CountPartProps = {
  readonly closing: TillClosing;
  /** As it is now, where the count is shown with it. */
  readonly day?: TillDayResponse;
};

export function CountPart({ closing, day }: CountPartProps) {
  return (
    <>
      <SumLines
        lines={expectedParts(closing)}
        total={{ label: "Expected in the drawer", cents: toCents(closing.expectedAmount) }}
      />
      <SumLines
        lines={[
          { label: "Counted", cents: toCents(closing.countedAmount) },
          {
            label: "Difference",
            cents: toCents(closing.differenceAmount),
            isChange: closing.differenceAmount !== 0,
          },
          { label: "Stayed for the next day", cents: toCents(closing.leftAmount) },
        ]}
      />
      <p className="text-16 font-semibold">{differenceText(toCents(closing.differenceAmount))}</p>
      <NewOpening newOpening={closing.newOpening} day={day} />
      <p className="text-muted">
        {withIsolatedNames(`Counted by ${closing.closedBy.displayName}, `)}
        <DateTime at={closing.closedAt} />
        {closing.note === null ? null : `. ${closing.note}`}
      </p>
    </>
  );
}

type NewOpeningProps = Pick<TillClosing, "newOpening"> & {
  readonly day: TillDayResponse | undefined;
};

/** The day before was counted again after this count. Expects what Count again does. */
function NewOpening({ newOpening, day }: NewOpeningProps) {
  if (newOpening === null) {
    return null;
  }
  const expected = day === undefined ? undefined : expectedOf(day, draftOf(day));
  return (
    <p className="text-pending">
      {`${formatDay(dayDate(newOpening.day))} was counted again and left ${formatMoney(toCents(newOpening.amount))}. ` +
        (expected === undefined
          ? "Count this day again."
          : `With that at opening and the payments as they are now, ${formatMoney(expected)} is expected here. Count this day again.`)}
    </p>
  );
}
