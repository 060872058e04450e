// A trade's progress in five steps.
import type { TradeStatus } from "#features/trades/contract.ts";
import type { Trade } from "#features/trades/contract-reads.ts";
import { Steps } from "#web/ui/steps.tsx";

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
    <Steps
      steps={steps.map((name, index) => ({ name, isDone: index < done }))}
      next={isOver || done === steps.length ? -1 : done}
      // What comes next; of a trade that ended early, how far it came.
      writtenOut={isOver ? done - 1 : Math.min(done, steps.length - 1)}
      className=""
    />
  );
}
