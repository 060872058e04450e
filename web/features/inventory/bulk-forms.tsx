// The actions on many selected items: set a location, give units to a consignor, delete. Loaded when one of them is about to open.
import { useState } from "react";
import { type InventoryItem } from "#features/inventory/contract.ts";
import {
  allocateRequest,
  editItemRequest,
  type RemovalReason,
} from "#features/inventory/contract-commands.ts";
import { parseWhole, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, hasErrors, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { BulkDialog, type OnBulkEnd } from "./bulk-dialog.tsx";
import { allocationChange, deletion, locationChange } from "./bulk-changes.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf } from "#web/shared/consignor/consignor-pick.ts";
import { rememberConsignor, rememberedConsignor } from "#web/shared/consignor/consignor-api.ts";
import { ReasonField } from "./reason-field.tsx";
import { restoreAll } from "./item-deletion.ts";

export type BulkAct = "location" | "allocate" | "delete";

type BulkFormProps = {
  readonly items: readonly InventoryItem[];
  readonly onEnd: OnBulkEnd;
  readonly onClose: () => void;
};

export function BulkForms({ act, ...rest }: BulkFormProps & { readonly act: BulkAct }) {
  switch (act) {
    case "location": {
      return <LocationForm {...rest} />;
    }
    case "allocate": {
      return <AllocateForm {...rest} />;
    }
    default: {
      return <DeleteForm {...rest} />;
    }
  }
}

/** The location that all of them have, or an empty text. */
function commonLocation(items: readonly InventoryItem[]): string {
  const [first] = items;
  return first !== undefined && items.every(({ location }) => location === first.location)
    ? first.location
    : "";
}

function LocationForm({ items, ...rest }: BulkFormProps) {
  const [location, setLocation] = useState(() => commonLocation(items));
  const [errors, setErrors] = useState<FieldErrors>(noErrors);
  const places = new Set(items.map((item) => item.location)).size;
  const counted = formatQuantity(items.length, "item");
  const place = location.trim();

  function check(): boolean {
    const wrong =
      place === ""
        ? "Please enter a location"
        : errorsIn(editItemRequest, { location })["location"];
    const found = wrong === undefined ? noErrors : { location: wrong };
    setErrors(found);
    return !hasErrors(found);
  }

  return (
    <BulkDialog
      {...rest}
      title="Set location"
      description={`${counted}, now at ${places === 1 ? commonLocation(items) || "no location" : `${formatCount(places)} different locations`}`}
      items={items}
      act={`Move ${counted}`}
      isDirty={place !== commonLocation(items)}
      errors={errors}
      isReady={check}
      change={locationChange(place)}
      doneText={(done) => `${formatQuantity(done.length, "item")} moved to ${place}`}
    >
      <TextField
        label="Location"
        error={errors["location"]}
        value={location}
        onValue={(text) => {
          setLocation(text);
          setErrors(noErrors);
        }}
        into={editItemRequest.shape.location}
        placeholder="A-01"
      />
    </BulkDialog>
  );
}

/** Why some of the selected items are skipped. */
function leftAlone(items: readonly InventoryItem[]): string | undefined {
  const owned = items.filter(({ consignorID }) => consignorID !== null).length;
  const empty = items.filter(
    ({ consignorID, quantity }) => consignorID === null && quantity === 0,
  ).length;
  const parts = [
    ...(owned === 0 ? [] : [`${formatCount(owned)} belong to consignors`]),
    ...(empty === 0 ? [] : [`${formatCount(empty)} have no units`]),
  ];
  return parts.length === 0 ? undefined : `Skipped: ${parts.join(", ")}.`;
}

type Allocation = {
  readonly share: "all" | "some";
  readonly unitsText: string;
  readonly location: string;
};

const wholeStock: Allocation = { share: "all", unitsText: "1", location: "" };

function AllocateForm({ items, ...rest }: BulkFormProps) {
  const [pick, setPick] = useState(() => pickOf(rememberedConsignor()));
  const [typed, setTyped] = useState(wholeStock);
  const [errors, setErrors] = useState<FieldErrors>(noErrors);
  const fit = items.filter(({ consignorID, quantity }) => consignorID === null && quantity > 0);
  const units = parseWhole(typed.unitsText) ?? 0;
  const isAll = typed.share === "all";
  const total = fit.reduce((sum, { quantity }) => sum + (isAll ? quantity : units), 0);
  const who = pick.chosen;

  function check(): boolean {
    const consignorError = pickError(pick, "Please enter a user email or username");
    const { quantity, location } = errorsIn(allocateRequest, {
      quantity: isAll ? 1 : wholeToSend(typed.unitsText),
      location: typed.location,
    });
    const found = {
      ...(consignorError === undefined ? {} : { consignorID: consignorError }),
      ...(quantity === undefined ? {} : { quantity }),
      ...(location === undefined ? {} : { location }),
    };
    setErrors(found);
    if (who !== undefined) {
      rememberConsignor(who);
    }
    return !hasErrors(found);
  }

  const what = `${formatQuantity(fit.length, "item")} from the store with ${formatQuantity(total, "unit")}.`;
  return (
    <BulkDialog
      {...rest}
      title="Add to Consignor"
      description={[what, leftAlone(items) ?? ""].join(" ").trim()}
      items={fit}
      act={`Add ${formatQuantity(fit.length, "item")}`}
      isDirty={typed !== wholeStock}
      errors={errors}
      isReady={check}
      change={allocationChange(
        who?.uid ?? "",
        isAll ? { kind: "all" } : { kind: "some", units },
        typed.location.trim(),
      )}
      doneText={(done) =>
        `${formatQuantity(done.length, "item")} added to ${who?.label ?? "the consignor"}`
      }
    >
      <ConsignorField
        pick={pick}
        onPick={(next) => {
          setPick(next);
          setErrors(noErrors);
        }}
        error={errors["consignorID"]}
      />
      <AllocationFields
        typed={typed}
        errors={errors}
        onTyped={(next) => {
          setTyped(next);
          setErrors(noErrors);
        }}
      />
    </BulkDialog>
  );
}

type AllocationFieldsProps = {
  readonly typed: Allocation;
  readonly errors: FieldErrors;
  readonly onTyped: (typed: Allocation) => void;
};

function AllocationFields({ typed, errors, onTyped }: AllocationFieldsProps) {
  return (
    <>
      <ChoiceGroup
        label="Units"
        value={typed.share}
        onValue={(share) => onTyped({ ...typed, share })}
        choices={[
          { value: "all", label: "All units" },
          { value: "some", label: "Set number" },
        ]}
      />
      {typed.share === "all" ? null : (
        <Field label="Units of each" error={errors["quantity"]}>
          {(control) => (
            <NumberInput
              {...control}
              value={typed.unitsText}
              onValue={(unitsText) => onTyped({ ...typed, unitsText })}
            />
          )}
        </Field>
      )}
      <TextField
        label="Location"
        isOptional
        error={errors["location"]}
        help="Leave it empty to keep each item's location."
        value={typed.location}
        onValue={(location) => onTyped({ ...typed, location })}
        into={allocateRequest.shape.location}
        placeholder="A-01"
      />
    </>
  );
}

function DeleteForm({ items, ...rest }: BulkFormProps) {
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const owners = new Set(items.map(({ consignorID }) => consignorID)).size;
  const counted = formatQuantity(items.length, "item");
  const [reason, setReason] = useState<RemovalReason>();
  const [errors, setErrors] = useState<FieldErrors>(noErrors);

  function check(): boolean {
    const found: FieldErrors =
      units > 0 && reason === undefined ? { reason: "Please select a reason" } : noErrors;
    setErrors(found);
    return !hasErrors(found);
  }

  return (
    <BulkDialog
      {...rest}
      title={`Delete ${counted}?`}
      description={`${counted} of ${formatQuantity(owners, "owner")} with ${formatQuantity(units, "unit")}`}
      items={items}
      act={`Delete ${counted}`}
      isDanger
      isDirty={false}
      errors={errors}
      isReady={check}
      change={deletion(reason)}
      doneText={(done) => `${formatQuantity(done.length, "item")} deleted`}
      undo={(done) => void restoreAll(done)}
    >
      {units === 0 ? null : (
        <ReasonField
          reason={reason}
          onReason={(next) => {
            setReason(next);
            setErrors(noErrors);
          }}
          error={errors["reason"]}
          isConsigned={items.some(({ consignorID }) => consignorID !== null)}
        />
      )}
      <p>
        They leave the inventory with all their units. Their history stays readable, and Undo brings
        them back as they were.
      </p>
    </BulkDialog>
  );
}
