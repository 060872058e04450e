// An admin enters a shipment for anybody, or for an unknown sender.
import { useState } from "react";
import { rememberedConsignor } from "#web/shared/consignor/consignor-api.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf } from "#web/shared/consignor/consignor-pick.ts";
import { ShipmentForm } from "#web/shared/shipment/shipment-form.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";

export function EnterShipmentForm({ onClose }: { readonly onClose: () => void }) {
  const [pick, setPick] = useState(() => pickOf(rememberedConsignor()));
  const [isUnknown, setUnknown] = useState(false);
  return (
    <ShipmentForm
      whose="admin"
      onClose={onClose}
      sender={{
        uid: isUnknown ? undefined : pick.chosen?.uid,
        error: isUnknown ? undefined : pickError(pick, "Please select a consignor"),
      }}
    >
      {(error) => (
        <div className="flex flex-col gap-2">
          {isUnknown ? (
            <p className="text-muted">
              The goods go to the master inventory at location UNCLAIMED, and are allocated once
              somebody claims them.
            </p>
          ) : (
            <ConsignorField pick={pick} onPick={setPick} error={error} />
          )}
          <Checkbox label="The sender is unknown" isChecked={isUnknown} onChecked={setUnknown} />
        </div>
      )}
    </ShipmentForm>
  );
}
