// Which acceptance a unit is taken out of for the customer at the till, and what its buyer gets back.
import type { HoldingAcceptance } from "#features/trades/contract-held.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { acceptanceName, cancellationText, type Cancellation } from "./held-by-trades.ts";

type CancelledAcceptancesProps = {
  readonly acceptances: readonly HoldingAcceptance[];
  readonly cancellations: readonly Cancellation[];
  readonly onChoose: (offerId: string) => void;
};

export function CancelledAcceptances({
  acceptances,
  cancellations,
  onChoose,
}: CancelledAcceptancesProps) {
  return (
    <>
      {acceptances.length > 1 ? (
        <Field label="Acceptance">
          {(control) => (
            <Select
              {...control}
              value={cancellations[0]?.acceptance.offerId ?? ""}
              choices={acceptances.map((one) => ({
                value: one.offerId,
                label: acceptanceName(one),
              }))}
              onValue={onChoose}
            />
          )}
        </Field>
      ) : null}
      <ul className="flex flex-col gap-2">
        {cancellations.map((one) => (
          <li key={one.acceptance.offerId} className="wrap-anywhere">
            {cancellationText(one)}
          </li>
        ))}
      </ul>
    </>
  );
}
