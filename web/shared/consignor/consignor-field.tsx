// The labeled field that picks a consignor by name, username or email.
import type { Dispatch, ReactNode, SetStateAction } from "react";
import { Combobox } from "./combobox.tsx";
import { Field } from "#web/ui/field.tsx";
import type { ConsignorPick } from "./consignor-pick.ts";
import { pickOf } from "./consignor-pick.ts";
import { searchConsignors, type Consignor } from "./consignor-api.ts";

export const consignorChoices = {
  cacheKey: "consignors",
  search: searchConsignors,
  keyOf: ({ uid }: Consignor) => uid,
  labelOf: ({ label }: Consignor) => label,
  hintOf: ({ hint }: Consignor) => hint,
};

type ConsignorFieldProps = {
  readonly label?: string;
  readonly pick: ConsignorPick;
  readonly onPick: Dispatch<SetStateAction<ConsignorPick>>;
  readonly error: string | undefined;
  readonly help?: ReactNode;
  readonly className?: string;
};

export function ConsignorField({
  label = "Consignor",
  pick,
  onPick,
  error,
  help,
  className,
}: ConsignorFieldProps) {
  return (
    <Field
      label={label}
      error={error}
      help={help}
      {...(className === undefined ? {} : { className })}
    >
      {(control) => (
        <Combobox
          {...control}
          {...consignorChoices}
          value={pick.chosen}
          onValue={(chosen) =>
            onPick((before) => (chosen === undefined ? { ...before, chosen } : pickOf(chosen)))
          }
          onTyped={(typed) => onPick((before) => ({ ...before, typed }))}
          placeholder="Name, username or email"
        />
      )}
    </Field>
  );
}
