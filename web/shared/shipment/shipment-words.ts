// Texts about a shipment's state.
import type { ShipmentView } from "#features/shipments/contract.ts";

type Flags = Pick<ShipmentView, "delivered" | "processed">;

export function isLocked({ delivered, processed }: Flags): boolean {
  return delivered === "yes" || processed === "yes";
}

/** Why it can no longer be edited; undefined if it can. */
export function lockReason({ delivered, processed }: Flags): string | undefined {
  if (processed === "yes") {
    return "The store has processed this shipment, so it can no longer be changed";
  }
  return delivered === "yes"
    ? "The store has received this shipment, so it can no longer be changed"
    : undefined;
}

/** "12 declared", "10 received, 2 refused"; undefined if nobody counted. */
export function countsOf(
  shipment: Pick<ShipmentView, "declaredUnits" | "receivedUnits" | "refusedUnits" | "processed">,
): string | undefined {
  const { declaredUnits, receivedUnits, refusedUnits, processed } = shipment;
  if (processed === "yes" && (receivedUnits !== null || refusedUnits > 0)) {
    const received = receivedUnits === null ? [] : [`${receivedUnits} received`];
    return [...received, ...(refusedUnits > 0 ? [`${refusedUnits} refused`] : [])].join(", ");
  }
  return declaredUnits === null ? undefined : `${declaredUnits} declared`;
}
