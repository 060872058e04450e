// A trade's progress in five steps.
import { Check } from "lucide-react";
import type { TradeStatus } from "#features/trades/contract.ts";
import type { Trade } from "#features/trades/contract-reads.ts";
import { Icon } from "#web/ui/icon.tsx";

const steps = ["Requested", "Accepted", "Label", "Fulfilled", "Completed"] as const;

/** How many steps are done in each status. */
const stepsDone: Readonly<Record<TradeStatus, number>> = {
  pending: 1,
  awaiting_shipping: 2,
  shipping_uploaded: 3,
  fulfilled: 4,
  completed: 5,
  cancelled: 1,
  expired: 1,
};

export function TradeSteps({ trade }: { readonly trade: Trade }) {
  // Some units may be accepted while other offers are still open.
  const done = Math.max(stepsDone[trade.status], trade.acceptedQuantity > 0 ? 2 : 1);
  const isOver = trade.status === "cancelled" || trade.status === "expired";
  return (
    <ol aria-label="Progress" className="isolate grid grid-cols-5">
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
              className={`relative z-10 flex size-5 items-center justify-center rounded-pill border ${isDone ? "border-accent bg-accent text-on-accent" : isCurrent ? "border-accent bg-surface" : "border-border-strong bg-surface"}`}
            >
              {isDone ? <Icon of={Check} size={14} /> : null}
            </span>
            <span
              className={`${isDone || isCurrent ? "font-medium" : "text-muted"} ${index === Math.min(done, steps.length - 1) ? "" : "max-sm:sr-only"}`}
            >
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
