// The status of a shipment as a chip.
import type { ShipmentView } from "#features/shipments/contract.ts";
import { Chip } from "#web/ui/chip.tsx";
import { ItemIcon, ShipmentIcon } from "#web/ui/thing-icons.ts";

export function ShipmentChip({
  shipment,
}: {
  readonly shipment: Pick<ShipmentView, "delivered" | "processed" | "label">;
}) {
  const { delivered, processed, label } = shipment;
  if (delivered === "yes" && processed === "yes") {
    return <Chip kind="done">Delivered, processed</Chip>;
  }
  if (delivered === "yes") {
    return (
      <Chip kind="accent" icon={ItemIcon}>
        Delivered
      </Chip>
    );
  }
  if (processed === "yes") {
    return <Chip kind="done">Processed</Chip>;
  }
  return label === "requested" ? (
    <Chip kind="pending">Waiting for label</Chip>
  ) : (
    <Chip kind="neutral" icon={ShipmentIcon}>
      On its way
    </Chip>
  );
}
