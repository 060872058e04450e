// Takes units out without a sale, or deletes an item with all of its units, for a reason.
import { useState } from "react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { removeUnitsRequest, type RemovalReason } from "#features/inventory/contract-commands.ts";
import { wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { deleteItem, removeUnits } from "./inventory-api.ts";
import { restore } from "./item-deletion.ts";
import { ReasonField } from "./reason-field.tsx";

type RemovalFormProps = {
  /** `delete` removes all units, and the item. */
  readonly act: "remove" | "delete";
  readonly item: InventoryItem;
  readonly onClose: () => void;
};

type Sent = { readonly quantity: number; readonly reason: RemovalReason | undefined };

function wrongWith(item: InventoryItem, { quantity, reason }: Sent): FieldErrors {
  const body = { itemID: item.id, quantity, reason: reason ?? "" };
  return {
    ...errorsIn(removeUnitsRequest, body),
    ...(quantity > item.quantity
      ? { quantity: `Only ${formatCount(item.quantity)} available in inventory` }
      : {}),
  };
}

export function RemovalForm({ act, item, onClose }: RemovalFormProps) {
  const isDeletion = act === "delete";
  const [quantityText, setQuantityText] = useState("1");
  const [reason, setReason] = useState<RemovalReason>();
  const submission = useSubmission(
    (sent: Sent, key: string) =>
      isDeletion || sent.reason === undefined
        ? deleteItem(item, sent.reason, key)
        : removeUnits({ itemID: item.id, quantity: sent.quantity, reason: sent.reason }, key),
    { not_enough_stock: "quantity" },
  );
  const { errors } = submission;
  const quantity = isDeletion ? item.quantity : wholeToSend(quantityText);

  async function save(): Promise<void> {
    const sent = { quantity, reason };
    const done = await submission.submit(wrongWith(item, sent), sent);
    if (done === undefined) {
      return;
    }
    if (isDeletion) {
      showToast(done.message, { undo: () => void restore(item) });
    } else {
      showToast(`${done.message} of ${item.itemName}, ${formatCount(done.quantity)} left`);
    }
    onClose();
  }

  const all = formatQuantity(item.quantity, "unit");
  return (
    <FormDialog
      title={isDeletion ? "Delete item" : "Remove units"}
      description={
        isDeletion
          ? `${item.itemName}, ${ownerName(item)}: it leaves the inventory with ${all}. Undo brings it back.`
          : `${item.itemName}, ${ownerName(item)}, ${all} in stock`
      }
      onClose={onClose}
      isDirty={quantityText !== "1" || reason !== undefined}
      submission={submission}
      errorPrefix={isDeletion ? "Error deleting item" : "Error removing units"}
      saveLabel={
        isDeletion ? "Delete item" : `Remove ${formatQuantity(quantity > 0 ? quantity : 0, "unit")}`
      }
      busyLabel={isDeletion ? "Deleting..." : "Removing..."}
      onSubmit={() => void save()}
    >
      {isDeletion ? null : (
        <Field label="Units" error={errors["quantity"]} help={leftText(item, quantity)}>
          {(control) => (
            <NumberInput
              {...control}
              value={quantityText}
              onValue={(text) => {
                setQuantityText(text);
                submission.clear();
              }}
            />
          )}
        </Field>
      )}
      <ReasonField
        reason={reason}
        onReason={(next) => {
          setReason(next);
          submission.clear();
        }}
        error={errors["reason"]}
        isConsigned={item.consignorID !== null}
      />
    </FormDialog>
  );
}

function leftText(item: InventoryItem, quantity: number): string | undefined {
  return quantity > 0 && quantity <= item.quantity
    ? `${formatCount(item.quantity)} now, ${formatCount(item.quantity - quantity)} after`
    : undefined;
}
