// Gives units of an item to a consignor: from the store's stock (allocate), or as a copy that leaves the source unchanged.
import { useState } from "react";
import { type InventoryItem } from "#features/inventory/contract.ts";
import { allocateRequest } from "#features/inventory/contract-commands.ts";
import { wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf, type ConsignorPick } from "#web/shared/consignor/consignor-pick.ts";
import { rememberConsignor, rememberedConsignor } from "#web/shared/consignor/consignor-api.ts";
import { allocate, copyToConsignor } from "./inventory-api.ts";
import { ownerName } from "#web/shared/item/owner-chip.tsx";

type FillFormProps = {
  /** A master item is allocated; a consignor's item is copied. */
  readonly item: InventoryItem;
  readonly onClose: () => void;
};

type Sent = { readonly consignorID: string; readonly quantity: number; readonly location: string };

function fill(item: InventoryItem, { consignorID, quantity, location }: Sent, key: string) {
  return item.consignorID === null
    ? allocate({ masterItemID: item.id, consignorID, quantity, location }, key)
    : copyToConsignor(
        {
          sourceConsignorID: item.consignorID,
          sourceItemUID: item.id,
          targetConsignorID: consignorID,
          quantity,
          location,
        },
        key,
      );
}

function wrongWith(item: InventoryItem, pick: ConsignorPick, sent: Sent): FieldErrors {
  const consignorError = pickError(pick, "Please enter a user email or username");
  const { consignorID: _, ...rest } = errorsIn(allocateRequest, { masterItemID: item.id, ...sent });
  return {
    ...(consignorError === undefined ? {} : { consignorID: consignorError }),
    ...rest,
    ...(item.consignorID === null && sent.quantity > item.quantity
      ? { quantity: `Only ${formatCount(item.quantity)} available in inventory` }
      : {}),
  };
}

/** The last consignor, unless the item is already theirs. */
function firstPick(item: InventoryItem): ConsignorPick {
  const last = rememberedConsignor();
  return pickOf(last?.uid === item.consignorID ? undefined : last);
}

function whatStays(item: InventoryItem, quantity: number): string {
  const after = quantity > 0 ? Math.max(0, item.quantity - quantity) : item.quantity;
  return `${formatCount(item.quantity)} in master now, ${formatCount(after)} after`;
}

export function FillForm({ item, onClose }: FillFormProps) {
  const isAllocation = item.consignorID === null;
  const [pick, setPick] = useState(() => firstPick(item));
  const [quantityText, setQuantityText] = useState("1");
  const [location, setLocation] = useState(item.location);
  const submission = useSubmission((sent: Sent, key: string) => fill(item, sent, key), {
    not_enough_stock: "quantity",
    same_consignor: "consignorID",
  });
  const { errors } = submission;
  const quantity = wholeToSend(quantityText);

  /** A setter that also clears the field's errors. */
  function changed<Value>(set: (value: Value) => void): (value: Value) => void {
    return (value) => {
      set(value);
      submission.clear();
    };
  }

  async function save(): Promise<void> {
    const sent = { consignorID: pick.chosen?.uid ?? "", quantity, location };
    const done = await submission.submit(wrongWith(item, pick, sent), sent);
    if (done === undefined || pick.chosen === undefined) {
      return;
    }
    rememberConsignor(pick.chosen);
    showToast(
      `${pick.chosen.label} got ${formatQuantity(quantity, "unit")} of ${item.itemName} and now has ${formatCount(done.quantity)}`,
    );
    onClose();
  }

  const act = isAllocation ? "Add to Consignor" : "Copy to Consignor";
  return (
    <FormDialog
      title={act}
      description={`${item.itemName}, ${ownerName(item)}`}
      onClose={onClose}
      isDirty={quantityText !== "1" || location !== item.location}
      submission={submission}
      errorPrefix={isAllocation ? "Error adding to consignor" : "Error copying to consignor"}
      saveLabel={act}
      onSubmit={() => void save()}
    >
      <ConsignorField
        label={isAllocation ? "Consignor" : "Consignor who gets the copy"}
        pick={pick}
        onPick={changed(setPick)}
        error={errors["consignorID"]}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Quantity"
          error={errors["quantity"]}
          help={isAllocation ? whatStays(item, quantity) : "The source item keeps its units"}
        >
          {(control) => (
            <NumberInput {...control} value={quantityText} onValue={changed(setQuantityText)} />
          )}
        </Field>
        <TextField
          label="Location"
          isOptional
          error={errors["location"]}
          help="Where the consignor's units are stored"
          value={location}
          onValue={changed(setLocation)}
          into={allocateRequest.shape.location}
        />
      </div>
    </FormDialog>
  );
}
