// A list's filter by consignor: the field of the forms without its label, filled with the name of whoever the address holds.
import { useId, useState } from "react";
import { Combobox } from "./combobox.tsx";
import { consignorChoices } from "./consignor-field.tsx";
import { useConsignor, type Consignor } from "./consignor-api.ts";

type ConsignorFilterProps = {
  readonly uid: string | undefined;
  readonly onUid: (uid: string | undefined) => void;
  /** What stands in the field, also where nobody is picked. */
  readonly onTyped: (text: string) => void;
};

/** Waits for the name of a consignor that came with the address, since the field shows names alone. */
export function ConsignorFilter({ uid, onUid, onTyped }: ConsignorFilterProps) {
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
