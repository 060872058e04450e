// Why units leave without a sale: one of a few reasons, which their consignor sees.
import { removalReason, type RemovalReason } from "#features/inventory/contract-commands.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";

const reasonWords: Readonly<Record<RemovalReason, string>> = {
  returned_to_consignor: "Returned to consignor",
  lost: "Lost",
  damaged: "Damaged",
  donated: "Donated",
  miscount: "Miscount",
};

type ReasonFieldProps = {
  readonly reason: RemovalReason | undefined;
  readonly onReason: (reason: RemovalReason) => void;
  readonly error: string | undefined;
  /** Whether somebody other than the store owns any of it. */
  readonly isConsigned: boolean;
};

export function ReasonField({ reason, onReason, error, isConsigned }: ReasonFieldProps) {
  const choices = removalReason.options
    .filter((value) => isConsigned || value !== "returned_to_consignor")
    .map((value) => ({ value, label: reasonWords[value] }));
  return (
    <Field
      label="Reason"
      error={error}
      help={isConsigned ? "Consignors see it in the item's history" : undefined}
    >
      {(control) => (
        <Select
          {...control}
          value={reason ?? ""}
          onValue={onReason}
          choices={choices}
          placeholder="Select a reason"
        />
      )}
    </Field>
  );
}
