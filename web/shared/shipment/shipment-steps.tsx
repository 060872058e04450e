// The progress of a shipment. Delivered and processed are independent flags, so each step shows its own state.
import type { ShipmentView } from "#features/shipments/contract.ts";
import { Steps } from "#web/ui/steps.tsx";

type Flags = Pick<ShipmentView, "delivered" | "processed" | "label">;

function stepsOf({ delivered, processed, label }: Flags) {
  const isWaiting = label === "requested";
  return [
    { name: isWaiting ? "Label requested" : "Submitted", isDone: !isWaiting },
    { name: "Delivered", isDone: delivered === "yes" },
    { name: "Processed", isDone: processed === "yes" },
  ] as const;
}

export function ShipmentSteps({ shipment }: { readonly shipment: Flags }) {
  const steps = stepsOf(shipment);
  const next = steps.findIndex(({ isDone }) => !isDone);
  return <Steps steps={steps} next={next} className="w-full min-w-56" />;
}
