// The field of a list's filter by consignor: the forms' field without its label, filled with the name of the one in the address.
import { useId, useState } from "react";
import { Combobox } from "./combobox.tsx";
import { consignorChoices } from "./consignor-field.tsx";
import { useConsignor, type Consignor } from "./consignor-api.ts";

type ConsignorFilterProps = {
  readonly uid: string | undefined;
  readonly onUid: (uid: string | undefined) => void;
  /** The text in the field, even if nobody is picked. */
  readonly onTyped: (text: string) => void;
};

/** Waits for the name of the consignor in the address, because the field shows only names. */
export function ConsignorFilterField({ uid, onUid, onTyped }: ConsignorFilterProps) {
  const [picked, setPicked] = useState<Consignor>();
  const known = useConsignor(picked === undefined ? uid : undefined);
  const value = uid === undefined ? undefined : (picked ?? known);
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="sr-only">
        Consignor
      </label>
      <Combobox
        key={known?.uid}
        {...consignorChoices}
        id={id}
        aria-describedby={undefined}
        aria-invalid={undefined}
        placeholder="Consignor"
        value={value}
        onValue={(consignor) => {
          setPicked(consignor);
          onUid(consignor?.uid);
        }}
        onTyped={onTyped}
      />
    </div>
  );
}
