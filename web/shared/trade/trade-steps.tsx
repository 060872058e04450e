// How far a trade is: one step after the other, the current one marked.
import { Check } from "lucide-react";
import type { Trade } from "#features/trades/contract.ts";
import { Icon } from "#web/ui/icon.tsx";

const steps = ["Requested", "Accepted", "Label", "Fulfilled", "Completed"] as const;

/** How many of the steps are behind the trade. A trade that ended before has got no further. */
function stepsDone({ status, acceptedQuantity }: Pick<Trade, "status" | "acceptedQuantity">) {
  switch (status) {
    case "pending":
      return acceptedQuantity > 0 ? 2 : 1;
    case "awaiting_shipping":
      return 2;
    case "shipping_uploaded":
      return 3;
    case "fulfilled":
      return 4;
    case "completed":
      return 5;
    case "cancelled":
    case "expired":
      return 1;
  }
}

export function TradeSteps({ trade }: { readonly trade: Trade }) {
  const done = stepsDone(trade);
  const isOver = trade.status === "cancelled" || trade.status === "expired";
  return (
    <ol aria-label="Progress" className={`grid grid-cols-5 ${isOver ? "opacity-60" : ""}`}>
      {steps.map((step, index) => {
        const isDone = index < done;
        const isCurrent = index === done && !isOver;
        return (
          <li
            key={step}
            aria-current={isCurrent ? "step" : undefined}
            className="relative flex flex-col items-center gap-1 text-center text-12"
          >
            {index === 0 ? null : (
              <span
                aria-hidden="true"
                className={`absolute top-2.5 right-1/2 h-px w-full ${isDone ? "bg-accent" : "bg-border"}`}
              />
            )}
            <span
              aria-hidden="true"
              className={`relative flex size-5 items-center justify-center rounded-pill border ${isDone ? "border-accent bg-accent text-on-accent" : isCurrent ? "border-accent bg-surface" : "border-border-strong bg-surface"}`}
            >
              {isDone ? <Icon of={Check} size={14} /> : null}
            </span>
            <span className={isDone || isCurrent ? "font-medium" : "text-muted"}>
              {step}
              <span className="sr-only">
                {isDone ? ", done" : isCurrent ? ", next" : ", not yet"}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
