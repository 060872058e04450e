// The progress of a shipment. Delivered and processed are independent flags, so each step shows its own state.
import { Check } from "lucide-react";
import type { ShipmentView } from "#features/shipments/contract.ts";
import { Icon } from "#web/ui/icon.tsx";

type Flags = Pick<ShipmentView, "delivered" | "processed" | "label">;

function stepsOf({ delivered, processed, label }: Flags) {
  const isWaiting = label === "requested";
  return [
    { name: isWaiting ? "Label asked" : "Submitted", isDone: !isWaiting },
    { name: "Delivered", isDone: delivered === "yes" },
    { name: "Processed", isDone: processed === "yes" },
  ] as const;
}

export function ShipmentSteps({ shipment }: { readonly shipment: Flags }) {
  const steps = stepsOf(shipment);
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol aria-label="Progress" className="grid w-full min-w-56 grid-cols-3">
      {steps.map(({ name, isDone }, index) => (
        <li
          key={name}
          aria-current={index === next ? "step" : undefined}
          className="relative flex flex-col items-center gap-1 text-center text-12"
        >
          {index === 0 ? null : (
            <span
              aria-hidden="true"
              className={`absolute top-2.5 right-[calc(50%+0.625rem)] h-px w-[calc(100%-1.25rem)] ${isDone ? "bg-accent" : "bg-border"}`}
            />
          )}
          <span
            aria-hidden="true"
            className={`relative flex size-5 items-center justify-center rounded-pill border ${isDone ? "border-accent bg-accent text-on-accent" : index === next ? "border-accent bg-surface" : "border-border-strong bg-surface"}`}
          >
            {isDone ? <Icon of={Check} size={14} /> : null}
          </span>
          <span className={isDone || index === next ? "font-medium" : "text-muted"}>
            {name}
            <span className="sr-only">
              {isDone ? ", done" : index === next ? ", next" : ", not yet"}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
